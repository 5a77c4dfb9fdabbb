//! The initialisation of a block before the analysis: which positions are legal, and the outcomes of
//! moves out of the material.

use super::bit_parallel_moves::Frames;
use super::double_steps::{DoubleStep, PlacementId};
use super::entries::{Entries, Entry};
use super::{Outcome, Plies, Tablebase};
use lucena_chess::{Bitboard, Position, Side, Square};
use std::collections::BTreeSet;

/// The initial knowledge of the positions of a block with one side to move, before any move within the
/// material is considered.
pub(super) struct InitialBlock {
    pub(super) legal: Vec<Bitboard>,
    /// The positions that may be lost: no move out of the material draws or wins, no double step awaits the
    /// value of its en passant capture, and the position is not stalemate.
    pub(super) losable: Vec<Bitboard>,
    /// By frame and square of the last man: no position, a draw, or the outcome by moves out of the material if one
    /// wins or all lose.
    pub(super) entries: Entries,
    /// The plies in which entries or double steps must be examined again.
    pub(super) due: BTreeSet<Plies>,
    pub(super) passings: Vec<DoubleStep>,
}

impl InitialBlock {
    /// Initialises a block, with the strong side to move and with the weak side.
    pub(super) fn both_turns(smaller: &Tablebase, frames: &Frames, block: usize) -> [Self; 2] {
        let mut starts = Side::ALL.map(|_| Self {
            legal: vec![Bitboard::EMPTY; frames.len()],
            losable: vec![Bitboard::EMPTY; frames.len()],
            entries: Entries::none(64 * frames.len()),
            due: BTreeSet::new(),
            passings: Vec::new(),
        });
        for frame in 0..frames.len() {
            for last in frames.places(block, frame) {
                let placement = frames.placement(block, frame, last, Side::Strong);
                let dangers = Side::ALL.map(|side| placement.danger(side));
                for turn in Side::ALL {
                    if dangers[!turn as usize].has(placement.king(!turn)) {
                        continue;
                    }
                    let position = placement.with(turn, *placement.squares());
                    let danger = dangers[turn as usize];
                    let at = (frame as u16, last);
                    starts[turn as usize].enter(smaller, frames, at, &position, danger);
                }
            }
        }
        starts
    }

    fn enter(
        &mut self,
        smaller: &Tablebase,
        frames: &Frames,
        at: PlacementId,
        position: &Position,
        danger: Bitboard,
    ) {
        let (material, turn, frame, last) =
            (position.material(), position.turn(), usize::from(at.0), at.1);
        self.legal[frame] |= last.bitboard();
        let mut entry = Entry::DRAW;
        let has_pawns = material.has_pawns_of(turn);
        // Otherwise no move leaves the material, and the side to move cannot lose.
        if !material.is_bare(!turn) || has_pawns {
            let mut best: Option<Outcome> = None;
            let stays = position.visit_conversions(danger, |step| {
                best = best.max(Some(smaller.after_departure(position, step)));
            });
            if !stays && best.is_none() {
                let is_mate = danger.has(position.king(turn));
                best = Some(if is_mate { Outcome::Loss(0) } else { Outcome::Draw });
            }
            let is_losable = best.is_none_or(|best| best < Outcome::Draw);
            if is_losable {
                self.losable[frame] |= last.bitboard();
            }
            if let Some(best) = best {
                entry = frames.metric.entry(best);
                self.due.extend(best.plies());
            }
            let steps_twice = !frames.metric.is_zeroing() && has_pawns;
            if stays && steps_twice && material.has_pawns_of(!turn) {
                self.enter_passings(smaller, frames, at, position, is_losable);
            }
        }
        self.entries.set(64 * frame + last as usize, entry);
    }

    fn enter_passings(
        &mut self,
        smaller: &Tablebase,
        frames: &Frames,
        before: PlacementId,
        position: &Position,
        is_losable: bool,
    ) {
        position.visit_steps(|step| {
            if step.converts() || !frames.may_be_taken_in_passing(position, step) {
                return;
            }
            let after = position.after(step);
            let mut taken: Option<Outcome> = None;
            let mut is_forced = after.en_passant().is_some();
            after.visit_steps(|step| {
                if step.captured.is_some() && Some(step.to) == after.en_passant() {
                    taken = taken.max(Some(smaller.after_departure(&after, step)));
                } else {
                    is_forced = false;
                }
            });
            // The outcome of the capture may decide the position one ply later.
            self.due.extend(taken.and_then(Outcome::plies).map(|plies| plies + 1));
            // The position is not lost until the step is known to lose.
            self.losable[usize::from(before.0)] &= !before.1.bitboard();
            let (frame, last) = frames.at(&after);
            let after: PlacementId = (frame as u16, last);
            self.passings.push(DoubleStep { before, after, taken, is_forced, is_losable });
        });
    }
}

/// The index of a frame and a square of the last man in an array of entries.
pub(super) fn cell(frame: u16, last: Square) -> usize {
    64 * usize::from(frame) + last as usize
}
