//! The arena: an endgame as numbers, for everything that a search asks again and again.

use super::mark::{DepthMarks, Mark};
use super::positions::{After, AfterMove, Before, BeforeMove, Choice, Positions};
use super::questions::Questions;
use lucena_attributes::AttributeSet;
use lucena_base::graph::Lists;
use lucena_base::ids::{Id, IdVec, first};
use lucena_base::work::{Progress, Stopped, Watch};
use lucena_chess::Material;
use lucena_proof::guarantee::Guarantee;
use lucena_tablebase::{DistanceClass, Tablebase};
use std::collections::BTreeMap;

/// Everything about an endgame that a search for theories asks again and again, as numbers: the
/// positions before and after the strong side's moves up to symmetry, what leads to what, and every
/// test that the attributes allow.
pub struct Arena {
    pub(super) material: Material,
    pub(super) attributes: AttributeSet,
    /// The positions after a move that keeps the material, and after those what moves into another
    /// endgame come to: these have no attributes, and their marks never change.
    pub(super) afters: IdVec<After, AfterMove>,
    /// How many of them are positions that have attributes.
    pub(super) rows: usize,
    pub(super) befores: IdVec<Before, BeforeMove>,
    /// By position before: the positions after, in the order of its moves, each once.
    pub(super) moves: Lists<Before, After>,
    /// By position after: where the weak side's moves lead; empty where the game ends.
    pub(super) replies: Lists<After, Before>,
    /// By position after: the positions before that have a move to it.
    pub(super) movers: Lists<After, Before>,
    /// By position before: the positions after that have it as a reply.
    pub(super) replied: Lists<Before, After>,
    /// The positions before, those with the shortest mate first.
    pub(super) by_distance: Vec<Before>,
    pub(super) questions: Questions,
    pub(super) depth_marks: DepthMarks,
}

/// Somewhat more than king and rook against king has.
const FEW_POSITIONS: usize = 30_000;

/// Why an endgame has no theories.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// No position is won.
    #[error("{0} has no theory: the strong side wins from no position; choose another material")]
    NothingToWin(Material),
    /// The attributes are another material's.
    #[error("the attributes are for {attributes}, the table for {table}")]
    OtherMaterial {
        /// The material of the attributes.
        attributes: Material,
        /// The material of the table.
        table: Material,
    },
    /// Whoever waited did not want to wait longer.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Arena {
    /// The endgame of a table, seen by attributes.
    ///
    /// # Errors
    /// When nothing can be won, when the attributes are of another material, or when the watch says
    /// stop.
    pub fn new(
        tablebase: &Tablebase,
        attributes: &AttributeSet,
        watch: &dyn Watch,
    ) -> Result<Self, ArenaError> {
        let material = tablebase.material();
        if attributes.material() != material {
            let attributes = attributes.material();
            return Err(ArenaError::OtherMaterial { attributes, table: material });
        }
        let what = format!("looking at {material}");
        let go_on = |done| {
            watch.tell(Progress { what: &what, done, total: Some(5) });
            watch.go_on()
        };
        go_on(0)?;
        let positions = Positions::new(tablebase);
        go_on(1)?;
        let befores = positions.befores();
        if befores.iter().all(|before| before.moves_to_mate.is_none()) {
            return Err(ArenaError::NothingToWin(material));
        }
        go_on(2)?;
        let (mut afters, replies) = positions.afters();
        let rows = afters.len();
        go_on(3)?;
        let choices = positions.choices();
        let departures = number_departures(&choices, &mut afters);
        let moves = numbered(choices, &departures);
        let replies = replies.followed_by_empty(departures.len());
        go_on(4)?;
        let questions = Questions::new(attributes, &positions.boards());
        go_on(5)?;
        Ok(Self {
            material,
            attributes: attributes.clone(),
            by_distance: by_distance(&befores),
            depth_marks: DepthMarks::new(afters.iter().map(|after| after.depth)),
            movers: Lists::reversed(moves.iter(), afters.len()),
            replied: Lists::reversed(replies.iter(), befores.len()),
            afters,
            rows,
            befores,
            moves,
            replies,
            questions,
        })
    }

    /// The positions after that have attributes.
    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = After> + use<> {
        first(self.rows)
    }

    /// Whether a position after has attributes: else it is of another endgame.
    #[inline(always)]
    pub(super) fn is_row(&self, after: After) -> bool {
        after.number() < self.rows
    }

    /// How many positions of the full board can be won.
    pub(super) fn winnable(&self) -> u64 {
        let winnable = self.befores.iter().filter(|before| before.moves_to_mate.is_some());
        winnable.map(|before| u64::from(before.weight)).sum()
    }

    /// Whether best play keeps a guarantee.
    pub(super) fn allows(&self, guarantee: Guarantee) -> bool {
        match guarantee {
            Guarantee::Exact | Guarantee::Optimal => true,
            Guarantee::Win { longest, mean_excess } => {
                let slowest = self.befores.iter().filter_map(|before| before.moves_to_mate).max();
                slowest <= Some(longest) && mean_excess.is_none_or(|excess| excess >= 0.0)
            }
        }
    }

    /// Whether a capture or a promotion that wins, and is played for that, is ever slower than
    /// another move.
    pub(super) fn has_detours(&self) -> bool {
        self.befores.pairs().any(|(before, known)| match *self.moves.get(before) {
            [only] if !self.is_row(only) => {
                let best = known.moves_to_mate;
                best.is_some() && self.mated_after(only).map(|moves| moves + 1) != best
            }
            _ => false,
        })
    }

    /// Whether a move leads to a mate as quick as any.
    #[inline(always)]
    pub(super) fn is_quickest(&self, before: Before, after: After) -> bool {
        let best = self.befores[before].moves_to_mate;
        best.is_some_and(|moves| self.mated_after(after) == Some(moves - 1))
    }

    /// The moves in which a position after is mated; nothing where it is drawn or lost.
    fn mated_after(&self, after: After) -> Option<u16> {
        match self.afters[after].depth {
            DistanceClass::Draw | DistanceClass::Lost => None,
            DistanceClass::Mated(moves) => Some(moves),
        }
    }

    /// The mark that says the depth of a position.
    #[inline(always)]
    pub(super) fn depth_mark(&self, after: After) -> Mark {
        self.depth_marks.of(self.afters[after].depth)
    }

    /// The marks that say every depth.
    pub(super) fn exact_marks(&self) -> IdVec<After, Mark> {
        self.rows().map(|after| self.depth_mark(after)).collect()
    }

    /// Whether a move gives a draw away to a loss.
    pub(super) fn loses(&self, before: Before, after: After) -> bool {
        self.befores[before].is_drawn && self.afters[after].depth == DistanceClass::Lost
    }

    /// How many times as large as a small endgame this is: what takes the longer the more positions
    /// there are has to be done the less often.
    pub(super) fn many_times(&self) -> usize {
        (self.rows / FEW_POSITIONS).max(1)
    }
}

/// The positions before, those with the shortest mate first; those without one before all.
fn by_distance(befores: &IdVec<Before, BeforeMove>) -> Vec<Before> {
    let mut sorted: Vec<Before> = befores.ids().collect();
    sorted.sort_by_key(|&before| befores[before].moves_to_mate);
    sorted
}

/// What moves into other endgames come to gets ids behind those of the positions, by depth.
fn number_departures(
    choices: &[Vec<Choice>],
    afters: &mut IdVec<After, AfterMove>,
) -> BTreeMap<DistanceClass, After> {
    let depths = choices.iter().flatten().filter_map(|choice| match choice {
        Choice::Departs(depth) => Some(*depth),
        Choice::Stays(_) => None,
    });
    let mut ids: BTreeMap<DistanceClass, After> =
        depths.map(|depth| (depth, After::new(0))).collect();
    for (&depth, id) in &mut ids {
        *id = afters.push(AfterMove::departed(depth));
    }
    ids
}

/// The moves as what they lead to.
fn numbered(
    choices: Vec<Vec<Choice>>,
    departures: &BTreeMap<DistanceClass, After>,
) -> Lists<Before, After> {
    let number = |choice| match choice {
        Choice::Stays(after) => after,
        Choice::Departs(depth) => departures[&depth],
    };
    Lists::new(choices.into_iter().map(|all| all.into_iter().map(number).collect::<Vec<After>>()))
}
