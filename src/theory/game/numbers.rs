//! The moves to mate, kept up to date as choices change.

use super::{Game, NEVER, NONE, Until};
use crate::theory::arena::{After, Before, End};

/// How a change of numbers ended.
enum Adjusted {
    /// They fit.
    Settled,
    /// Some hold each other up.
    Circle,
    /// That is not how to find out.
    Unclear,
}

impl Game<'_> {
    /// The moves to mate that follow from those of the replies.
    #[inline(always)]
    fn following(&self, before: Before) -> u16 {
        let worst = self.worst(self.chosen[before as usize]);
        if worst >= self.bound { NEVER } else { worst + 1 }
    }

    /// The most moves to mate that any reply leaves: 0 where there is mate already, `NEVER` where
    /// the mate is thrown away.
    #[inline(always)]
    fn worst(&self, after: After) -> u16 {
        match self.arena.afters[after as usize].end {
            End::Mated => 0,
            End::Thrown => NEVER,
            End::GoesOn => {
                let replies = self.arena.replies.get(after).iter();
                let at_least = self.arena.afters[after as usize].at_least;
                replies.fold(at_least, |most, &reply| most.max(self.mated_in[reply as usize]))
            }
        }
    }

    fn set(&mut self, before: Before, moves: u16) {
        let old = std::mem::replace(&mut self.mated_in[before as usize], moves);
        self.undo.mated_in.push((before, old));
        let known = &self.arena.befores[before as usize];
        let Some(best) = known.moves_to_mate else { return };
        let weight = u64::from(known.weight);
        match old {
            NEVER => self.worth.failing -= weight,
            old => self.worth.excess -= weight * u64::from(old - best),
        }
        match moves {
            NEVER => self.worth.failing += weight,
            moves => self.worth.excess += weight * u64::from(moves - best),
        }
    }

    /// Brings the moves to mate up to date where choices have changed. If it is only until something
    /// is broken, every winnable position has been won before: it says whether that is still so, and
    /// may leave the numbers unfinished if not.
    pub(super) fn settle(&mut self, changed: &[Before], until: Until) -> bool {
        if until == Until::Broken {
            let known = self.undo.mated_in.len();
            match self.adjust(changed) {
                Adjusted::Settled => return true,
                Adjusted::Circle => return false,
                Adjusted::Unclear => self.forget_numbers(known),
            }
        }
        self.rebuild(changed, until)
    }

    /// Moves the numbers up and down until they fit, as long as it is plain where that leads.
    fn adjust(&mut self, changed: &[Before]) -> Adjusted {
        self.raised.clear();
        for &before in changed {
            if self.arena.befores[before as usize].moves_to_mate.is_some() {
                let moves = self.following(before);
                if moves == NEVER {
                    return self.give_up();
                }
                if moves != self.mated_in[before as usize] {
                    self.work.buckets[usize::from(moves)].push(before);
                    self.work.causes[before as usize] = NONE;
                }
            }
        }
        let mut at = 0;
        while at < self.work.buckets.len() {
            let Some(before) = self.work.buckets[at].pop() else {
                at += 1;
                continue;
            };
            let old = self.mated_in[before as usize];
            let moves = self.following(before);
            if moves == old {
                continue;
            }
            if moves == NEVER {
                return self.give_up();
            }
            if usize::from(moves) != at {
                self.work.buckets[usize::from(moves)].push(before);
                at = at.min(usize::from(moves));
                continue;
            }
            self.set(before, moves);
            if moves > old {
                self.raised.insert(before);
            }
            let mut is_circle = false;
            self.visit_choosers(before, |game, chooser| {
                let known = game.mated_in[chooser as usize];
                let is_affected = if moves > old { known <= moves } else { known == old + 1 };
                if !is_affected {
                    return;
                }
                is_circle |= game.raised.has(chooser) && game.is_cause(chooser, before);
                game.work.causes[chooser as usize] = before;
                if let Some(bucket) = game.work.buckets.get_mut(usize::from(moves) + 1) {
                    bucket.push(chooser);
                } else {
                    game.work.is_beyond = true;
                }
            });
            if is_circle {
                self.give_up();
                return Adjusted::Circle;
            }
            if self.work.is_beyond {
                return self.give_up();
            }
        }
        Adjusted::Settled
    }

    /// Whether a number had to rise because another one did, by way of others.
    fn is_cause(&self, cause: Before, of: Before) -> bool {
        let mut at = of;
        // Causes that have been overwritten may lead astray: no further than there are positions.
        for _ in 0..1000 {
            if at == cause {
                return true;
            }
            at = self.work.causes[at as usize];
            if at == NONE {
                return false;
            }
        }
        false
    }

    fn give_up(&mut self) -> Adjusted {
        self.work.is_beyond = false;
        self.work.buckets.iter_mut().for_each(Vec::clear);
        Adjusted::Unclear
    }

    /// Takes back the numbers that were set last.
    fn forget_numbers(&mut self, until: usize) {
        while self.undo.mated_in.len() > until {
            let (before, moves) = self.undo.mated_in[self.undo.mated_in.len() - 1];
            self.set(before, moves);
            self.undo.mated_in.pop();
            self.undo.mated_in.pop();
        }
    }

    /// Works the numbers out anew from where they are sure.
    fn rebuild(&mut self, changed: &[Before], until: Until) -> bool {
        self.work.dropped.clear();
        for &before in changed {
            if self.arena.befores[before as usize].moves_to_mate.is_some()
                && self.following(before) != self.mated_in[before as usize]
            {
                self.drop_number(before);
            }
        }
        for at in 0..self.work.dropped.len() {
            self.queue(self.work.dropped[at]);
        }
        let mut at = 0;
        while at < self.work.buckets.len() {
            let Some(before) = self.work.buckets[at].pop() else {
                at += 1;
                continue;
            };
            if self.mated_in[before as usize] != NEVER {
                continue;
            }
            let moves = self.following(before);
            if usize::from(moves) != at {
                self.queue(before);
                continue;
            }
            self.set(before, moves);
            self.visit_choosers(before, |game, chooser| {
                let known = game.mated_in[chooser as usize];
                if known == NEVER {
                    game.queue(chooser);
                } else if known <= moves {
                    let first = game.work.dropped.len();
                    game.drop_number(chooser);
                    for at in first..game.work.dropped.len() {
                        game.queue(game.work.dropped[at]);
                    }
                }
            });
        }
        let mut at = 0;
        while let Some(&before) = self.work.dropped.get(at) {
            at += 1;
            if self.mated_in[before as usize] == NEVER {
                if until == Until::Broken {
                    return false;
                }
                // What relied on it with room to spare has nothing to rely on.
                self.visit_choosers(before, |game, chooser| {
                    if game.mated_in[chooser as usize] != NEVER {
                        game.drop_number(chooser);
                    }
                });
            }
        }
        true
    }

    /// Calls back for every position before whose move may be answered by going to this one.
    #[inline(always)]
    fn visit_choosers(&mut self, before: Before, mut visit: impl FnMut(&mut Self, Before)) {
        for &after in self.arena.replied.get(before) {
            let mut chooser = self.choosers[after as usize];
            while chooser != NONE {
                visit(self, chooser);
                chooser = self.next_chooser[chooser as usize];
            }
        }
    }

    /// Takes a number away, and those that rely on its being no greater.
    fn drop_number(&mut self, before: Before) {
        let mut at = self.work.dropped.len();
        let old = self.mated_in[before as usize];
        self.work.dropped.push(before);
        self.work.old.truncate(at);
        self.work.old.push(old);
        if old != NEVER {
            self.set(before, NEVER);
        }
        while let Some(&before) = self.work.dropped.get(at) {
            let old = self.work.old[at];
            at += 1;
            if old == NEVER {
                continue;
            }
            self.visit_choosers(before, |game, chooser| {
                let known = game.mated_in[chooser as usize];
                if known <= old + 1 {
                    game.set(chooser, NEVER);
                    game.work.dropped.push(chooser);
                    game.work.old.push(known);
                }
            });
        }
    }

    /// Puts a position without a number among those that may get one.
    #[inline(always)]
    fn queue(&mut self, before: Before) {
        if self.arena.befores[before as usize].moves_to_mate.is_none() {
            return;
        }
        let moves = self.following(before);
        if let Some(bucket) = self.work.buckets.get_mut(usize::from(moves)) {
            bucket.push(before);
        }
    }
}
