//! The state of a block in the retrograde analysis, and the step from one ply to the next.

use super::bit_parallel_moves::{Frames, Sparse};
use super::double_steps::{DoubleStep, PlacementId, ReplyState, StepResult};
use super::entries::Entries;
use super::initial_block::{InitialBlock, cell};
use super::{Metric, Outcome, Plies};
use lucena_chess::{Bitboard, Side};
use std::collections::BTreeSet;

/// The positions of a block, with one side to move, that a ply decides.
#[derive(Clone, Default)]
pub(super) struct Decided {
    pub(super) won: Sparse,
    pub(super) lost: Sparse,
}

impl Decided {
    pub(super) fn is_empty(&self) -> bool {
        self.won.is_empty() && self.lost.is_empty()
    }
}

/// The state of a block with one side to move that other blocks read.
#[derive(Default)]
pub(super) struct SharedState {
    /// By frame: the squares of the last man in legal positions that are not known to be won for the side
    /// to move. Moving there is not known to lose.
    pub(super) alive: Vec<Bitboard>,
    /// The positions decided in the current ply.
    pub(super) decided: Decided,
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
    /// The plies to come in which entries or double steps must be examined.
    pub(super) due: BTreeSet<Plies>,
    passings: Vec<DoubleStep>,
    /// The positions to be decided in the next ply.
    pub(super) next: Decided,
}

impl PrivateState {
    pub(super) fn new(start: InitialBlock) -> (Self, SharedState) {
        let InitialBlock { legal, losable, entries, due, passings } = start;
        let (open, next) = (legal.clone(), Decided::default());
        let own = Self { open, losable, entries, due, passings, next };
        (own, SharedState { alive: legal, decided: Decided::default() })
    }

    /// Enters the positions decided in a ply; returns their number.
    pub(super) fn enter(&mut self, seen: &mut SharedState, plies: Plies, metric: Metric) -> u64 {
        seen.decided = std::mem::take(&mut self.next);
        for &(frame, set) in &seen.decided.won {
            seen.alive[usize::from(frame)] &= !set;
        }
        let Decided { won, lost } = &seen.decided;
        self.set(won, Outcome::Win(plies), metric) + self.set(lost, Outcome::Loss(plies), metric)
    }

    /// Enters the outcome of some positions; returns their number.
    fn set(&mut self, decided: &Sparse, outcome: Outcome, metric: Metric) -> u64 {
        let (entry, mut positions) = (metric.entry(outcome), 0);
        for &(frame, set) in decided {
            let at = usize::from(frame);
            self.open[at] &= !set;
            self.losable[at] &= !set;
            for last in set {
                self.entries.set(cell(frame, last), entry);
            }
            positions += u64::from(set.len());
        }
        positions
    }

    pub(super) fn has_passings(&self) -> bool {
        !self.passings.is_empty()
    }

    /// Returns the current knowledge of a position after a double step, with this side to move.
    fn after(&self, seen: &SharedState, (frame, last): PlacementId) -> ReplyState {
        let frame = usize::from(frame);
        if self.open[frame].has(last) {
            ReplyState::Open
        } else if seen.alive[frame].has(last) {
            ReplyState::Lost
        } else {
            ReplyState::Won
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
        // A single move to a position lost for the opponent wins.
        self.visit_before(turn, |decided| &decided.lost, &mut scratch.won);
        self.visit_before(turn, |decided| &decided.won, &mut scratch.candidates);
        own.next = self.decided(own, turn, self.plies + 1, scratch);
    }

    /// Adds the positions from which moves within the material lead to a part of those decided in this ply.
    fn visit_before(
        &self,
        turn: Side,
        part: impl Fn(&Decided) -> &Sparse,
        before: &mut [Bitboard],
    ) {
        let seen = &self.seen[!turn as usize];
        for step in self.frames.steps(self.block, turn) {
            self.frames.visit_king_origins(step, part(&seen[step.block].decided), before);
        }
        for &(frame, set) in part(&seen[self.block].decided) {
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
    ) -> Decided {
        let metric = self.frames.metric;
        let is_due = own.due.remove(&plies);
        let alive = |block: usize| self.seen[!turn as usize][block].alive.as_slice();
        let mut decided = Decided::default();
        for frame in 0..self.frames.len() {
            let mut won = std::mem::take(&mut scratch.won[frame]);
            let mut candidates = std::mem::take(&mut scratch.candidates[frame]);
            let open = own.open[frame];
            if open.is_empty() {
                continue;
            }
            if is_due {
                let places = |outcome| own.entries.places_of(64 * frame, metric.entry(outcome));
                if metric.can_win_in(plies) {
                    won |= Bitboard(places(Outcome::Win(plies)));
                }
                if metric.can_lose_in(plies) {
                    candidates |= Bitboard(places(Outcome::Loss(plies)));
                }
            }
            won &= open;
            if !won.is_empty() {
                decided.won.push((frame as u16, won));
            }
            candidates &= own.losable[frame] & open;
            for last in candidates {
                // A losing move that the analysis does not follow may delay the end.
                let entry = own.entries.get(cell(frame as u16, last));
                let slowest = metric.outcome(entry).and_then(Outcome::plies);
                if slowest.is_some_and(|slowest| slowest > plies) {
                    candidates ^= last.bitboard();
                }
            }
            if !candidates.is_empty() {
                let lost = self.frames.all_moves_lose(self.block, turn, frame, candidates, &alive);
                if !lost.is_empty() {
                    decided.lost.push((frame as u16, lost));
                }
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
