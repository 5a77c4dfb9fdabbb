//! The look at a block from the front, before the analysis begins: which positions are legal, and
//! what moves out of the material come to.

use super::entries::{Entries, Entry};
use super::frames::Frames;
use super::passing::{At, Passing};
use super::{Outcome, Plies, Tablebase};
use lucena_chess::{Bitboard, Position, Side, Square};
use std::collections::BTreeSet;

/// What is known of the positions of a block with one side to move before any move within the
/// material is looked at.
pub(super) struct Start {
    pub(super) legal: Vec<Bitboard>,
    /// Those that can be lost: no move that leaves the material holds or wins, no double step waits for
    /// what taking in passing is worth, and it is not stalemate.
    pub(super) losable: Vec<Bitboard>,
    /// By frame and square of the last man: no position, a draw, or where moves out of the material
    /// win, in how many plies at best. Where they all lose, in how many at most.
    pub(super) entries: Entries,
    /// The plies in which entries or passings are to be looked at again.
    pub(super) due: BTreeSet<Plies>,
    pub(super) passings: Vec<Passing>,
}

impl Start {
    /// Looks at a block, the strong side to move and the weak.
    pub(super) fn of(smaller: &Tablebase, frames: &Frames, block: usize) -> [Self; 2] {
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
        at: At,
        position: &Position,
        danger: Bitboard,
    ) {
        let (material, turn, frame, last) =
            (position.material(), position.turn(), usize::from(at.0), at.1);
        self.legal[frame] |= last.bitboard();
        let mut entry = Entry::DRAW;
        let has_pawns = material.has_pawns_of(turn);
        // Otherwise there is nothing to lose and nothing to take.
        if !material.is_bare(!turn) || has_pawns {
            let (mut wins, mut loses, mut draws): (Option<Plies>, Option<Plies>, bool) =
                (None, None, false);
            let stays = position.visit_departures(danger, |step| {
                match smaller.after_departure(position, step) {
                    Outcome::Win(plies) => {
                        wins = Some(wins.map_or(plies, |least| least.min(plies)));
                    }
                    Outcome::Draw => draws = true,
                    Outcome::Loss(plies) => loses = loses.max(Some(plies)),
                }
            });
            let is_over = !stays && !draws && wins.or(loses).is_none();
            let is_mate = is_over && danger.has(position.king(turn));
            let is_stalemate = is_over && !is_mate;
            let is_losable = wins.is_none() && !draws && !is_stalemate;
            if is_losable {
                self.losable[frame] |= last.bitboard();
            }
            let decides = match wins {
                Some(plies) => Some(plies),
                None if is_mate => Some(0),
                None => loses.filter(|_| is_losable),
            };
            if let Some(plies) = decides {
                entry = Entry::mate_in(plies);
                self.due.insert(plies);
            }
            if stays && has_pawns && material.has_pawns_of(!turn) {
                self.enter_passings(smaller, frames, at, position, is_losable);
            }
        }
        self.entries.set(64 * frame + last as usize, entry);
    }

    fn enter_passings(
        &mut self,
        smaller: &Tablebase,
        frames: &Frames,
        before: At,
        position: &Position,
        is_losable: bool,
    ) {
        position.visit_steps(|step| {
            if step.departs() || !frames.may_be_taken_in_passing(position, step) {
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
            // Once it is known what taking comes to, the next ply may be decided by that.
            self.due.extend(taken.and_then(Outcome::plies).map(|plies| plies + 1));
            // A position with such a step is not lost until the step is known to lose.
            self.losable[usize::from(before.0)] &= !before.1.bitboard();
            let (frame, last) = frames.at(&after);
            let after: At = (frame as u16, last);
            self.passings.push(Passing { before, after, taken, is_forced, is_losable });
        });
    }
}

/// The square of a man as an array's place.
pub(super) fn cell(frame: u16, last: Square) -> usize {
    64 * usize::from(frame) + last as usize
}
