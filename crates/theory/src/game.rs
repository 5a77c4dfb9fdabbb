//! The play that the marks of a tree produce, and its score.

mod choices;
mod choosers;
mod mate_in;
mod numbers;
#[cfg(test)]
mod tests;
mod work_queues;

use super::mark::Mark;
use super::positions::{After, Before};
use super::theory_graph::TheoryGraph;
use choosers::ChooserLists;
use lucena_base::index_vec::{IndexVec, Stamps};
use lucena_proof::guarantee::Guarantee;
use mate_in::MateIn;
use work_queues::WorkQueues;

/// The play that the marks of a tree produce, and its score. Both are updated incrementally as marks change,
/// so that a change costs only what it affects.
///
/// In every position before, the move with the least mark is played. So the moves to mate follow from those
/// of the replies: one more than their maximum. Finite numbers that satisfy this everywhere are a proof,
/// because they decrease along every line of play. `docs/theories.md` has an example.
pub(super) struct Game<'a> {
    pub(super) graph: &'a TheoryGraph,
    guarantee: Guarantee,
    /// The greatest number of moves that counts as a mate.
    bound: u16,
    marks: IndexVec<After, Mark>,
    /// By position before: the chosen position after; `None` if there is no move.
    chosen: IndexVec<Before, Option<After>>,
    choosers: ChooserLists,
    mated_in: IndexVec<Before, MateIn>,
    score: MarkScore,
    undo: Undo,
    /// The positions after whose marks have changed.
    changed: Stamps<After>,
    /// The positions before whose choice has been made again.
    touched: Stamps<Before>,
    /// The positions before whose choice has changed.
    rechosen: Vec<Before>,
    /// The queues for updates of numbers.
    pending: WorkQueues,
}

/// The score of marks. Positions are counted on the full board, with the strong side to move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct MarkScore {
    /// Winnable positions that are not won within the bound, and drawn ones that are lost.
    pub(super) failing: u64,
    /// Moves over the optimum, summed over all won positions.
    pub(super) excess: u64,
    /// If the guarantee is exact: positions after whose mark is not the depth. If it is optimal: positions
    /// before whose move is not optimal.
    pub(super) faults: u64,
}

impl MarkScore {
    /// Returns true if a guarantee holds, apart from its limit on the excess.
    pub(super) fn keeps(&self, guarantee: Guarantee) -> bool {
        self.faults == 0 && (self.failing == 0 || !matches!(guarantee, Guarantee::Win { .. }))
    }
}

/// The state before a change.
#[derive(Default)]
struct Undo {
    marks: Vec<(After, Mark)>,
    chosen: Vec<(Before, After)>,
    mated_in: Vec<(Before, MateIn)>,
    score: MarkScore,
}

/// The condition under which a change of marks stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StopCondition {
    /// Stops when everything is up to date.
    Done,
    /// Stops also as soon as the guarantee is bound to be broken.
    Broken,
}

impl<'a> Game<'a> {
    /// Creates the play of these marks, one for each position that has attributes.
    pub(super) fn new(
        graph: &'a TheoryGraph,
        guarantee: Guarantee,
        marks: &IndexVec<After, Mark>,
    ) -> Self {
        let mut game = Self::unmarked(graph, guarantee);
        game.count_faults();
        let changes: Vec<(After, Mark)> =
            marks.pairs().map(|(after, &mark)| (after, mark)).collect();
        game.set_marks(&changes, StopCondition::Done);
        if game.follows_games() {
            // Nothing has a number yet, so every position is evaluated.
            let all: Vec<Before> = graph.befores.ids().collect();
            game.settle(&all, StopCondition::Done);
        }
        game.commit();
        game
    }

    /// Creates the play in which all positions are avoided, except that outcomes in other endgames keep their
    /// marks. Nothing is won.
    fn unmarked(graph: &'a TheoryGraph, guarantee: Guarantee) -> Self {
        let (befores, afters) = (graph.befores.len(), graph.afters.len());
        let bound = guarantee.longest();
        let mark = |after| if graph.is_row(after) { Mark::AVOID } else { graph.depth_mark(after) };
        Self {
            graph,
            guarantee,
            bound,
            marks: graph.afters.ids().map(mark).collect(),
            chosen: IndexVec::filled(None, befores),
            choosers: ChooserLists::new(befores, afters),
            mated_in: IndexVec::filled(MateIn::NEVER, befores),
            score: MarkScore { failing: graph.winnable(), ..MarkScore::default() },
            undo: Undo::default(),
            changed: Stamps::new(afters),
            touched: Stamps::new(befores),
            rechosen: Vec::new(),
            pending: WorkQueues::new(befores, bound),
        }
    }

    pub(super) fn mark(&self, after: After) -> Mark {
        self.marks[after]
    }

    /// Returns the chosen position after; `None` if there is no move.
    pub(super) fn chosen(&self, before: Before) -> Option<After> {
        self.chosen[before]
    }

    /// Returns true if play wins from a position before, within the bound.
    pub(super) fn is_won(&self, before: Before) -> bool {
        self.mated_in[before] != MateIn::NEVER
    }

    /// Returns true if a position before is one of those where the guarantee does not hold.
    pub(super) fn fails(&self, before: Before) -> bool {
        let Some(chosen) = self.chosen(before) else { return false };
        match self.guarantee {
            Guarantee::Win { .. } => {
                let is_winnable = self.graph.befores[before].moves_to_mate.is_some();
                (is_winnable && !self.is_won(before)) || self.graph.loses(before, chosen)
            }
            Guarantee::Optimal => self.choice_faults(before, chosen) > 0,
            Guarantee::Exact => {
                let is_wrong =
                    |after| self.graph.is_row(after) && self.is_fault(after, self.mark(after));
                self.graph.moves.get(before).iter().any(|&after| is_wrong(after))
            }
        }
    }

    fn follows_games(&self) -> bool {
        matches!(self.guarantee, Guarantee::Win { .. })
    }

    /// Changes the marks of positions after, and returns the new score. [`Game::roll_back`] undoes the
    /// change, [`Game::commit`] makes it permanent.
    pub(super) fn change(&mut self, changes: &[(After, Mark)]) -> MarkScore {
        self.change_until(changes, StopCondition::Done);
        self.score
    }

    /// Changes marks that have kept the guarantee so far. Returns `None` as soon as they are bound to break
    /// it.
    pub(super) fn try_change(&mut self, changes: &[(After, Mark)]) -> Option<MarkScore> {
        self.change_until(changes, StopCondition::Broken).then_some(self.score)
    }

    fn change_until(&mut self, changes: &[(After, Mark)], until: StopCondition) -> bool {
        if !self.set_marks(changes, until) {
            return false;
        }
        if !self.follows_games() {
            return true;
        }
        let rechosen = std::mem::take(&mut self.rechosen);
        let is_won = self.settle(&rechosen, until);
        self.rechosen = rechosen;
        is_won
    }

    pub(super) fn commit(&mut self) {
        self.undo.marks.clear();
        self.undo.chosen.clear();
        self.undo.mated_in.clear();
        self.undo.score = self.score;
    }

    pub(super) fn roll_back(&mut self) {
        while let Some((before, moves)) = self.undo.mated_in.pop() {
            self.mated_in[before] = moves;
        }
        while let Some((before, after)) = self.undo.chosen.pop() {
            self.replace_choice(before, after);
        }
        while let Some((after, mark)) = self.undo.marks.pop() {
            self.marks[after] = mark;
        }
        self.score = self.undo.score;
    }
}
