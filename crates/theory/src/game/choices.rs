//! The chosen moves, updated incrementally as marks change, and the faults that follow from marks and choices
//! alone.

use super::{Game, StopCondition};
use crate::mark::Mark;
use crate::positions::{After, Before};
use lucena_proof::guarantee::Guarantee;

impl Game<'_> {
    /// Makes all choices for the first time, and counts the faults.
    pub(super) fn count_faults(&mut self) {
        if self.guarantee == Guarantee::Exact {
            let faults = self.graph.rows().filter(|&after| self.is_fault(after, Mark::AVOID));
            self.score.faults = faults.count() as u64;
        }
        for before in self.graph.befores.ids() {
            // Without a move there is nothing to choose.
            let Some(first) = self.best_move(before) else { continue };
            self.chosen[before] = Some(first);
            self.choosers.link(before, first);
            self.score.faults += self.choice_faults(before, first);
            self.score.failing += self.draws_lost(before, first);
        }
    }

    /// Sets marks and updates the choices. Returns false if it stopped early.
    pub(super) fn set_marks(&mut self, changes: &[(After, Mark)], until: StopCondition) -> bool {
        self.rechosen.clear();
        for &(after, mark) in changes {
            let old = self.marks[after];
            if old == mark {
                continue;
            }
            self.undo.marks.push((after, old));
            self.marks[after] = mark;
            if self.guarantee == Guarantee::Exact {
                self.score.faults += u64::from(self.is_fault(after, mark));
                self.score.faults -= u64::from(self.is_fault(after, old));
                if until == StopCondition::Broken && self.score.faults > 0 {
                    return false;
                }
            }
        }
        self.guarantee == Guarantee::Exact || self.choose_again(until)
    }

    /// Makes the choices again that changed marks may affect. Returns false if it stopped early.
    fn choose_again(&mut self, until: StopCondition) -> bool {
        let graph = self.graph;
        self.changed.clear();
        for &(after, _) in &self.undo.marks {
            self.changed.insert(after);
        }
        self.touched.clear();
        for at in 0..self.undo.marks.len() {
            let (after, _) = self.undo.marks[at];
            let mark = self.marks[after];
            for &before in graph.movers.get(after) {
                let Some(old) = self.chosen[before] else { continue };
                // Most choices stand: their own mark is unchanged and better than the changed one.
                if mark > self.marks[old] && !self.changed.has(old) {
                    continue;
                }
                if !self.touched.insert(before) {
                    continue;
                }
                let new = self.best_move(before).unwrap_or(old);
                if new != old {
                    self.choose(before, old, new);
                    if until == StopCondition::Broken && self.is_broken_by(before, new) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn choose(&mut self, before: Before, old: After, new: After) {
        self.score.faults += self.choice_faults(before, new);
        self.score.faults -= self.choice_faults(before, old);
        self.score.failing += self.draws_lost(before, new);
        self.score.failing -= self.draws_lost(before, old);
        self.undo.chosen.push((before, old));
        self.replace_choice(before, new);
        self.rechosen.push(before);
    }

    pub(super) fn replace_choice(&mut self, before: Before, new: After) {
        if let Some(old) = self.chosen[before].replace(new) {
            self.choosers.unlink(before, old);
        }
        self.choosers.link(before, new);
    }

    /// Returns true if a choice breaks the guarantee with any other choices.
    fn is_broken_by(&self, before: Before, choice: After) -> bool {
        let throws = self.follows_games()
            && self.graph.afters[choice].end.is_thrown()
            && self.graph.befores[before].moves_to_mate.is_some();
        throws || self.draws_lost(before, choice) > 0 || self.score.faults > 0
    }

    /// Returns the first of the moves with the least mark.
    #[inline(always)]
    fn best_move(&self, before: Before) -> Option<After> {
        let (&first, others) = self.graph.moves.get(before).split_first()?;
        let (mut best, mut least) = (first, self.marks[first]);
        for &after in others {
            let mark = self.marks[after];
            if mark < least {
                (best, least) = (after, mark);
            }
        }
        Some(best)
    }

    pub(super) fn is_fault(&self, after: After, mark: Mark) -> bool {
        mark != self.graph.depth_mark(after)
    }

    /// Returns the faults of a choice: its weight if optimal moves are required and it is not one.
    pub(super) fn choice_faults(&self, before: Before, after: After) -> u64 {
        if self.guarantee != Guarantee::Optimal {
            return 0;
        }
        let known = &self.graph.befores[before];
        let is_slower = known.moves_to_mate.is_some() && !self.graph.is_quickest(before, after);
        let is_fault = is_slower || self.graph.loses(before, after);
        if is_fault { known.weight.into() } else { 0 }
    }

    /// Returns the failures of a choice: its weight if it turns a draw into a loss and games are followed.
    fn draws_lost(&self, before: Before, after: After) -> u64 {
        if self.follows_games() && self.graph.loses(before, after) {
            self.graph.befores[before].weight.into()
        } else {
            0
        }
    }
}
