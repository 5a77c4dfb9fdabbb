//! A block in the analysis: what is known of it, and how it makes the next ply out of the one before.

use super::Plies;
use super::entries::{Entries, Entry};
use super::frames::{Frames, Sparse};
use super::passing::{After, At, Passing, Settled};
use super::start::{Start, cell};
use lucena_chess::{Bitboard, Side};
use std::collections::BTreeSet;

/// What is known of the positions of a block with one side to move, as far as other blocks ask.
#[derive(Default)]
pub(super) struct Seen {
    /// Legal positions that the side to move is not known to win: whoever leads there has not
    /// blundered yet. By frame the squares of the last man.
    pub(super) alive: Vec<Bitboard>,
    /// What was decided in the ply at work.
    pub(super) decided: Sparse,
}

/// What is known of the positions of a block with one side to move, and asked by the block alone.
pub(super) struct Own {
    /// Legal positions that are not decided.
    pub(super) open: Vec<Bitboard>,
    /// Those of them that can be lost: no move that leaves the material holds or wins, no double step
    /// waits for what taking in passing is worth, and it is not stalemate.
    pub(super) losable: Vec<Bitboard>,
    /// By frame and square of the last man. Of an open position: where moves out of the material decide
    /// it, in how many plies.
    pub(super) entries: Entries,
    /// The plies in which entries or passings are to be looked at.
    pub(super) due: BTreeSet<Plies>,
    passings: Vec<Passing>,
    /// What is decided in the next ply.
    pub(super) next: Sparse,
}

impl Own {
    pub(super) fn new(start: Start) -> (Self, Seen) {
        let Start { legal, losable, entries, due, passings } = start;
        let seen = Seen { alive: legal.clone(), decided: Sparse::new() };
        (Self { open: legal, losable, entries, due, passings, next: Sparse::new() }, seen)
    }

    /// Enters what is decided in a ply; returns how many positions that are.
    pub(super) fn enter(&mut self, seen: &mut Seen, plies: Plies) -> u64 {
        let mut positions = 0;
        seen.decided = std::mem::take(&mut self.next);
        let is_win = plies % 2 == 1;
        for &(frame, set) in &seen.decided {
            let at = usize::from(frame);
            self.open[at] &= !set;
            self.losable[at] &= !set;
            if is_win {
                seen.alive[at] &= !set;
            }
            for last in set {
                self.entries.set(cell(frame, last), Entry::mate_in(plies));
            }
            positions += u64::from(set.len());
        }
        positions
    }

    pub(super) fn has_passings(&self) -> bool {
        !self.passings.is_empty()
    }

    /// What is known by a ply of a position after a double step, this side to move.
    fn after(&self, seen: &Seen, (frame, last): At) -> After {
        let frame = usize::from(frame);
        if self.open[frame].has(last) {
            After::Open
        } else if seen.alive[frame].has(last) {
            After::Lost
        } else {
            After::Won
        }
    }
}

/// Sets of a block in which the next ply is made, kept so that they need not be made anew.
pub(super) struct Scratch {
    won: Vec<Bitboard>,
    candidates: Vec<Bitboard>,
}

impl Scratch {
    pub(super) fn new(frames: &Frames) -> Self {
        let empty = || vec![Bitboard::EMPTY; frames.len()];
        Self { won: empty(), candidates: empty() }
    }
}

/// A block on its way to the next ply.
pub(super) struct Reaching<'s> {
    pub(super) frames: &'s Frames,
    pub(super) seen: &'s [Vec<Seen>; 2],
    pub(super) block: usize,
    pub(super) plies: Plies,
}

impl<'s> Reaching<'s> {
    /// Puts the positions of one side that the next ply decides into its list, and empties the scratch.
    pub(super) fn reach(&self, own: &mut Own, turn: Side, scratch: &mut Scratch) {
        self.visit_before(turn, &mut scratch.candidates);
        if self.plies.is_multiple_of(2) {
            // One move to a position that the opponent loses wins.
            for (won, before) in scratch.won.iter_mut().zip(&mut scratch.candidates) {
                *won |= std::mem::take(before);
            }
        }
        own.next = self.decided(own, turn, self.plies + 1, scratch);
    }

    /// The positions from which moves within the material lead to what was decided in this ply.
    fn visit_before(&self, turn: Side, before: &mut [Bitboard]) {
        let seen = &self.seen[!turn as usize];
        for step in self.frames.steps(self.block, turn) {
            self.frames.visit_king_origins(step, &seen[step.block].decided, before);
        }
        for &(frame, set) in &seen[self.block].decided {
            self.frames.visit_origins(self.block, !turn, frame.into(), set, before);
        }
    }

    /// The positions that are decided in a ply, from those known to be won then and those that may be
    /// lost then; empties the scratch.
    pub(super) fn decided(
        &self,
        own: &mut Own,
        turn: Side,
        plies: Plies,
        scratch: &mut Scratch,
    ) -> Sparse {
        let is_win = plies % 2 == 1;
        let is_due = own.due.remove(&plies);
        let alive = |block: usize| self.seen[!turn as usize][block].alive.as_slice();
        let mut decided = Sparse::new();
        for frame in 0..self.frames.len() {
            let mut won = std::mem::take(&mut scratch.won[frame]);
            let mut candidates = std::mem::take(&mut scratch.candidates[frame]);
            let open = own.open[frame];
            if open.is_empty() {
                continue;
            }
            if is_due {
                let due = own.entries.places_of(64 * frame, Entry::mate_in(plies));
                if is_win { won |= Bitboard(due) } else { candidates |= Bitboard(due) }
            }
            let mut set = won & open;
            if !is_win {
                candidates &= own.losable[frame];
                for last in candidates {
                    // A move out of the material may last longer.
                    let slowest = own.entries.get(cell(frame as u16, last)).plies();
                    if slowest.is_some_and(|slowest| slowest > plies) {
                        candidates ^= last.bitboard();
                    }
                }
                if !candidates.is_empty() {
                    set |= self.frames.all_moves_lose(self.block, turn, frame, candidates, &alive);
                }
            }
            if !set.is_empty() {
                decided.push((frame as u16, set));
            }
        }
        decided
    }

    /// Settles the double steps of one side of which it is known by now what they come to.
    pub(super) fn settle_passings(&self, own: &mut [Own; 2], turn: Side, scratch: &mut Scratch) {
        let [strong, weak] = own;
        let (own, other) = match turn {
            Side::Strong => (strong, weak),
            Side::Weak => (weak, strong),
        };
        if own.passings.is_empty() {
            return;
        }
        let seen = &self.seen[!turn as usize][self.block];
        let mut losing = Vec::new();
        own.passings.retain(|passing| {
            let settled = passing.settled(other.after(seen, passing.after), self.plies);
            let (frame, last) = passing.before;
            match settled {
                Some(Settled::Wins) => scratch.won[usize::from(frame)] |= last.bitboard(),
                Some(Settled::Loses) if passing.is_losable => losing.push(passing.before),
                _ => {}
            }
            settled.is_none()
        });
        for before in losing {
            // They come in order, so that those of one position stand side by side.
            let place = own.passings.partition_point(|passing| passing.before < before);
            if own.passings.get(place).is_none_or(|passing| passing.before != before) {
                let (frame, last) = (usize::from(before.0), before.1.bitboard());
                own.losable[frame] |= last & own.open[frame];
                scratch.candidates[frame] |= last;
            }
        }
    }
}
