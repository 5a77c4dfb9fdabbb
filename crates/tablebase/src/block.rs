//! The state of a block in the retrograde analysis, and the step from one ply to the next.

use super::Plies;
use super::bit_parallel_moves::{Frames, Sparse};
use super::double_steps::{DoubleStep, Knowledge, PlacementId, StepResult};
use super::entries::{Entries, Entry};
use super::initial_block::{InitialBlock, cell};
use lucena_chess::{Bitboard, Side};
use std::collections::BTreeSet;

/// The state of a block with one side to move that other blocks read.
#[derive(Default)]
pub(super) struct SharedState {
    /// By frame: the squares of the last man in legal positions that are not known to be won for the side
    /// to move. Moving there is not known to lose.
    pub(super) alive: Vec<Bitboard>,
    /// The positions decided in the current ply.
    pub(super) decided: Sparse,
}

/// The state of a block with one side to move that only the block itself reads.
pub(super) struct PrivateState {
    /// The legal positions that are undecided.
    pub(super) open: Vec<Bitboard>,
    /// The open positions that may be lost: no move out of the material draws or wins, no double step
    /// awaits the value of its en passant capture, and the position is not stalemate.
    pub(super) losable: Vec<Bitboard>,
    /// The entries by frame and square of the last man. For an open position: the plies in which moves out
    /// of the material decide it.
    pub(super) entries: Entries,
    /// The plies in which entries or double steps must be examined.
    pub(super) due: BTreeSet<Plies>,
    passings: Vec<DoubleStep>,
    /// The positions to be decided in the next ply.
    pub(super) next: Sparse,
}

impl PrivateState {
    pub(super) fn new(start: InitialBlock) -> (Self, SharedState) {
        let InitialBlock { legal, losable, entries, due, passings } = start;
        let seen = SharedState { alive: legal.clone(), decided: Sparse::new() };
        (Self { open: legal, losable, entries, due, passings, next: Sparse::new() }, seen)
    }

    /// Enters the positions decided in a ply; returns their number.
    pub(super) fn enter(&mut self, seen: &mut SharedState, plies: Plies) -> u64 {
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

    /// Returns the current knowledge of a position after a double step, with this side to move.
    fn after(&self, seen: &SharedState, (frame, last): PlacementId) -> Knowledge {
        let frame = usize::from(frame);
        if self.open[frame].has(last) {
            Knowledge::Open
        } else if seen.alive[frame].has(last) {
            Knowledge::Lost
        } else {
            Knowledge::Won
        }
    }
}

/// Reusable buffers for computing the next ply of a block.
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

/// The computation of a block's next ply.
pub(super) struct PlyStep<'s> {
    pub(super) frames: &'s Frames,
    pub(super) seen: &'s [Vec<SharedState>; 2],
    pub(super) block: usize,
    pub(super) plies: Plies,
}

impl<'s> PlyStep<'s> {
    /// Computes the positions of one side that are decided in the next ply, and clears the scratch.
    pub(super) fn compute_next(&self, own: &mut PrivateState, turn: Side, scratch: &mut Scratch) {
        self.visit_before(turn, &mut scratch.candidates);
        if self.plies.is_multiple_of(2) {
            // A single move to a position lost for the opponent wins.
            for (won, before) in scratch.won.iter_mut().zip(&mut scratch.candidates) {
                *won |= std::mem::take(before);
            }
        }
        own.next = self.decided(own, turn, self.plies + 1, scratch);
    }

    /// Adds the positions from which moves within the material lead to those decided in this ply.
    fn visit_before(&self, turn: Side, before: &mut [Bitboard]) {
        let seen = &self.seen[!turn as usize];
        for step in self.frames.steps(self.block, turn) {
            self.frames.visit_king_origins(step, &seen[step.block].decided, before);
        }
        for &(frame, set) in &seen[self.block].decided {
            self.frames.visit_origins(self.block, !turn, frame.into(), set, before);
        }
    }

    /// Returns the positions decided in a ply, given the wins and the candidates for losses in the scratch,
    /// which is cleared.
    pub(super) fn decided(
        &self,
        own: &mut PrivateState,
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
                    // A losing move out of the material may delay the mate.
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

    /// Settles the double steps of one side whose result is known by now.
    pub(super) fn settle_passings(
        &self,
        own: &mut [PrivateState; 2],
        turn: Side,
        scratch: &mut Scratch,
    ) {
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
                Some(StepResult::Wins) => scratch.won[usize::from(frame)] |= last.bitboard(),
                Some(StepResult::Loses) if passing.is_losable => losing.push(passing.before),
                _ => {}
            }
            settled.is_none()
        });
        for before in losing {
            // They are sorted by `before`, so those of one position are adjacent.
            let place = own.passings.partition_point(|passing| passing.before < before);
            if own.passings.get(place).is_none_or(|passing| passing.before != before) {
                let (frame, last) = (usize::from(before.0), before.1.bitboard());
                own.losable[frame] |= last & own.open[frame];
                scratch.candidates[frame] |= last;
            }
        }
    }
}
