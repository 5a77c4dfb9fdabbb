//! The moves to mate, updated incrementally as choices change.
//!
//! There are two ways. [`Game::adjust`] moves numbers up and down until they are consistent. It is quick, and
//! correct if it ends. Where numbers only support each other in a cycle, it would count up to the bound: it
//! detects most cycles and otherwise gives up. [`Game::rebuild`] always ends: it removes every number that
//! may rely on a changed one, and recomputes them from the others.

use super::mate_in::MateIn;
use super::{Game, StopCondition};
use crate::positions::{After, Before, End};

/// The result of [`Game::adjust`].
enum Adjustment {
    /// The numbers are consistent.
    Settled,
    /// Some numbers support each other in a cycle.
    Cycle,
    /// This method cannot decide.
    Unclear,
}

impl Game<'_> {
    /// Returns the moves to mate that follow from those of the replies.
    #[inline(always)]
    fn following(&self, before: Before) -> MateIn {
        let worst = self.chosen[before].map_or(MateIn::NEVER, |after| self.worst(after));
        worst.one_more(self.bound)
    }

    /// Returns the most moves to mate after any reply.
    #[inline(always)]
    fn worst(&self, after: After) -> MateIn {
        match self.graph.afters[after].end {
            End::Mate => MateIn::NOW,
            end if end.is_thrown() => MateIn::NEVER,
            end => {
                let replies = self.graph.replies.get(after).iter();
                let at_least = MateIn::new(end.moves_to_mate().unwrap_or(0));
                replies.fold(at_least, |most, &reply| most.max(self.mated_in[reply]))
            }
        }
    }

    fn set(&mut self, before: Before, moves: MateIn) {
        let old = std::mem::replace(&mut self.mated_in[before], moves);
        self.undo.mated_in.push((before, old));
        let known = &self.graph.befores[before];
        let Some(best) = known.moves_to_mate else { return };
        let weight = u64::from(known.weight);
        match old.moves() {
            None => self.score.failing -= weight,
            Some(old) => self.score.excess -= weight * u64::from(old - best),
        }
        match moves.moves() {
            None => self.score.failing += weight,
            Some(moves) => self.score.excess += weight * u64::from(moves - best),
        }
    }

    fn is_winnable(&self, before: Before) -> bool {
        self.graph.befores[before].moves_to_mate.is_some()
    }

    /// Updates the moves to mate after changed choices. With [`StopCondition::Broken`], every winnable position must
    /// have been won before. Then it returns whether that is still so, and may leave the numbers unfinished
    /// if not.
    pub(super) fn settle(&mut self, changed: &[Before], until: StopCondition) -> bool {
        if until == StopCondition::Broken {
            let known = self.undo.mated_in.len();
            match self.adjust(changed) {
                Adjustment::Settled => return true,
                Adjustment::Cycle => return false,
                Adjustment::Unclear => self.forget_numbers(known),
            }
        }
        self.rebuild(changed, until)
    }

    /// Moves the numbers up and down until they are consistent, as long as the outcome is clear.
    fn adjust(&mut self, changed: &[Before]) -> Adjustment {
        let adjusted = self.adjust_from(changed);
        if !matches!(adjusted, Adjustment::Settled) {
            self.pending.buckets.iter_mut().for_each(Vec::clear);
        }
        adjusted
    }

    fn adjust_from(&mut self, changed: &[Before]) -> Adjustment {
        self.pending.raised.clear();
        for &before in changed {
            if self.is_winnable(before) {
                let moves = self.following(before);
                let Some(number) = moves.moves() else { return Adjustment::Unclear };
                if moves != self.mated_in[before] {
                    self.pending.buckets[usize::from(number)].push(before);
                    self.pending.causes[before] = None;
                }
            }
        }
        let mut at = 0;
        while at < self.pending.buckets.len() {
            let Some(before) = self.pending.buckets[at].pop() else {
                at += 1;
                continue;
            };
            let old = self.mated_in[before];
            let moves = self.following(before);
            if moves == old {
                continue;
            }
            let Some(number) = moves.moves().map(usize::from) else { return Adjustment::Unclear };
            if number != at {
                self.pending.buckets[number].push(before);
                at = at.min(number);
                continue;
            }
            self.set(before, moves);
            match self.tell_choosers(before, old, moves) {
                Adjustment::Settled => {}
                ended => return ended,
            }
        }
        Adjustment::Settled
    }

    /// Queues the positions whose number may change with a changed one.
    fn tell_choosers(&mut self, before: Before, old: MateIn, moves: MateIn) -> Adjustment {
        let is_raised = moves > old;
        if is_raised {
            self.pending.raised.insert(before);
        }
        let follows_old = old.one_more(u16::MAX);
        let next = moves.one_more(self.bound).moves();
        let (mut is_cycle, mut is_beyond) = (false, false);
        self.visit_choosers(before, |game, chooser| {
            let known = game.mated_in[chooser];
            let is_affected = if is_raised { known <= moves } else { known == follows_old };
            if !is_affected {
                return;
            }
            let pending = &mut game.pending;
            is_cycle |= pending.raised.has(chooser) && pending.is_cause(chooser, before);
            pending.causes[chooser] = Some(before);
            match next {
                Some(next) => pending.buckets[usize::from(next)].push(chooser),
                None => is_beyond = true,
            }
        });
        match (is_cycle, is_beyond) {
            (true, _) => Adjustment::Cycle,
            (false, true) => Adjustment::Unclear,
            (false, false) => Adjustment::Settled,
        }
    }

    /// Takes back the latest numbers.
    fn forget_numbers(&mut self, until: usize) {
        while self.undo.mated_in.len() > until {
            let (before, moves) = self.undo.mated_in[self.undo.mated_in.len() - 1];
            self.set(before, moves);
            self.undo.mated_in.pop();
            self.undo.mated_in.pop();
        }
    }

    /// Recomputes the numbers from those that are certain.
    fn rebuild(&mut self, changed: &[Before], until: StopCondition) -> bool {
        self.pending.dropped.clear();
        for &before in changed {
            if self.is_winnable(before) && self.following(before) != self.mated_in[before] {
                self.drop_number(before);
            }
        }
        self.queue_dropped(0);
        self.number_anew();
        self.drop_what_relied(until)
    }

    /// Assigns numbers to the positions in the buckets and to those that follow from them, the least number
    /// first.
    fn number_anew(&mut self) {
        let mut at = 0;
        while at < self.pending.buckets.len() {
            let Some(before) = self.pending.buckets[at].pop() else {
                at += 1;
                continue;
            };
            if self.is_won(before) {
                continue;
            }
            let moves = self.following(before);
            if moves.moves().map(usize::from) != Some(at) {
                self.queue(before);
                continue;
            }
            self.set(before, moves);
            self.visit_choosers(before, |game, chooser| {
                let known = game.mated_in[chooser];
                if known == MateIn::NEVER {
                    game.queue(chooser);
                } else if known <= moves {
                    let first = game.pending.dropped.len();
                    game.drop_number(chooser);
                    game.queue_dropped(first);
                }
            });
        }
    }

    /// Drops the numbers that relied, with a margin, on numbers that have not come back. With
    /// [`StopCondition::Broken`], it returns false as soon as one has not come back.
    fn drop_what_relied(&mut self, until: StopCondition) -> bool {
        let mut at = 0;
        while let Some(&before) = self.pending.dropped.get(at) {
            at += 1;
            if !self.is_won(before) {
                if until == StopCondition::Broken {
                    return false;
                }
                self.visit_choosers(before, |game, chooser| {
                    if game.is_won(chooser) {
                        game.drop_number(chooser);
                    }
                });
            }
        }
        true
    }

    /// Calls `visit` for every position before whose move allows a reply to this one.
    #[inline(always)]
    fn visit_choosers(&mut self, before: Before, mut visit: impl FnMut(&mut Self, Before)) {
        for &after in self.graph.replied.get(before) {
            let mut next = self.choosers.first(after);
            while let Some(chooser) = next {
                visit(self, chooser);
                next = self.choosers.next(chooser);
            }
        }
    }

    /// Drops a number, and those that rely on it.
    fn drop_number(&mut self, before: Before) {
        let mut at = self.pending.dropped.len();
        self.pending.old.truncate(at);
        self.drop_one(before, self.mated_in[before]);
        while let Some(&before) = self.pending.dropped.get(at) {
            let old = self.pending.old[at];
            at += 1;
            if old == MateIn::NEVER {
                continue;
            }
            let follows_old = old.one_more(u16::MAX);
            self.visit_choosers(before, |game, chooser| {
                let known = game.mated_in[chooser];
                if known <= follows_old {
                    game.drop_one(chooser, known);
                }
            });
        }
    }

    fn drop_one(&mut self, before: Before, known: MateIn) {
        self.pending.dropped.push(before);
        self.pending.old.push(known);
        if known != MateIn::NEVER {
            self.set(before, MateIn::NEVER);
        }
    }

    /// Queues the dropped positions from this index on.
    fn queue_dropped(&mut self, first: usize) {
        for at in first..self.pending.dropped.len() {
            self.queue(self.pending.dropped[at]);
        }
    }

    /// Queues a position without a number if it can get one.
    #[inline(always)]
    fn queue(&mut self, before: Before) {
        if self.is_winnable(before)
            && let Some(moves) = self.following(before).moves()
        {
            self.pending.buckets[usize::from(moves)].push(before);
        }
    }
}
