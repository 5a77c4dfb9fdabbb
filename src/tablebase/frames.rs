//! Moves and unmoves for all squares of the last man at once.

use super::Index;
use crate::chess::{Bitboard, Material, Position, Side, Slot, Square, Squares};
use crate::symmetry::Symmetry;
use cozy_chess::{get_between_rays, get_king_moves};

/// The placements of a material by *frame*: the squares of all men but the last, with the kings on
/// canonical squares. The last man's squares are a bitboard, so that one step of the analysis looks
/// at up to 62 placements.
///
/// Where both kings stand on the diagonal, a placement and its mirror image are both here.
pub(super) struct Frames {
    index: Index,
    material: Material,
    last: Slot,
    /// The squares of the men of each frame, the last man's left open.
    frames: Vec<Squares>,
    /// Whether the mirror image of a frame is here too.
    is_mirrored: Vec<bool>,
}

impl Frames {
    pub(super) fn new(index: Index) -> Self {
        let material = index.material();
        let last = material.men() - 1;
        let width = width(material);
        let mut frames =
            Self { index, material, last, frames: Vec::new(), is_mirrored: Vec::new() };
        if last < 2 {
            return frames; // Bare kings: nothing is ever decided.
        }
        for at in 0..frames.index.len() {
            let squares = *frames.index.placement(at, Side::Strong).squares();
            let pair = frames.index.king_pair(squares[0], squares[1]);
            for image in images(&squares, pair.is_on_diagonal) {
                let frame = pair.number * width + rest(&image[..last]);
                if frame >= frames.frames.len() {
                    // Frames without a placement, with a man on a king, are never asked for.
                    frames.frames.resize((pair.number + 1) * width, [Square::A1; 4]);
                    frames.is_mirrored.resize((pair.number + 1) * width, false);
                }
                frames.frames[frame] = image;
                frames.is_mirrored[frame] = pair.is_on_diagonal;
            }
        }
        frames
    }

    pub(super) fn index(&self) -> &Index {
        &self.index
    }

    pub(super) fn into_index(self) -> Index {
        self.index
    }

    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    /// The frames of a placement and of its mirror image, if that is here too, with the square of
    /// the last man.
    pub(super) fn images(&self, at: usize) -> impl Iterator<Item = (usize, Bitboard)> + '_ {
        let squares = *self.index.placement(at, Side::Strong).squares();
        let pair = self.index.king_pair(squares[0], squares[1]);
        let none = self.last < 2;
        images(&squares, pair.is_on_diagonal).filter(move |_| !none).map(move |image| {
            let frame = pair.number * width(self.material) + rest(&image[..self.last]);
            (frame, image[self.last].bitboard())
        })
    }

    /// The number of a placement.
    pub(super) fn number(&self, frame: usize, last: Square) -> usize {
        let mut squares = self.frames[frame];
        squares[self.last] = last;
        self.index.of_squares(&squares)
    }

    /// Adds to `before` the placements from which the side not to move can have come to those of a
    /// set with `turn` to move.
    pub(super) fn visit_origins(&self, turn: Side, set: &[Bitboard], before: &mut [Bitboard]) {
        for (frame, &set) in set.iter().enumerate() {
            if set.is_empty() {
                continue;
            }
            let squares = &self.frames[frame];
            let position = Position::from_slots(self.material, turn, *squares);
            let others = self.others(squares);
            for slot in self.material.slots_of(!turn) {
                if slot == self.last {
                    for last in set {
                        before[frame] |= position.attacks(slot, last, others) & !others;
                    }
                    continue;
                }
                for origin in position.attacks(slot, squares[slot], others) & !others {
                    let Some((target, symmetry)) = self.moved(squares, slot, origin) else {
                        continue;
                    };
                    let blocked = get_between_rays(origin, squares[slot]) | origin.bitboard();
                    let moved = symmetry.apply_to_bitboard(set & !blocked);
                    before[target] |= moved;
                    if self.is_mirrored[target] {
                        before[self.mirror(target)] |=
                            Symmetry::TRANSPOSITION.apply_to_bitboard(moved);
                    }
                }
            }
        }
    }

    /// Those placements of a frame from which every quiet move of `turn` leads into a set.
    pub(super) fn all_moves_in(
        &self,
        turn: Side,
        frame: usize,
        candidates: Bitboard,
        set: &[Bitboard],
    ) -> Bitboard {
        let squares = &self.frames[frame];
        let position = Position::from_slots(self.material, turn, *squares);
        let others = self.others(squares);
        let mut candidates = candidates;
        for slot in self.material.slots_of(turn) {
            if slot == self.last {
                for last in candidates {
                    let targets = position.attacks(slot, last, others) & !others;
                    if !targets.is_subset(set[frame]) {
                        candidates ^= last.bitboard();
                    }
                }
                continue;
            }
            for target in position.attacks(slot, squares[slot], others) & !others {
                let Some((after, symmetry)) = self.moved(squares, slot, target) else { continue };
                let leads_in = symmetry.inverse().apply_to_bitboard(set[after]);
                let blocked = get_between_rays(squares[slot], target);
                candidates &= leads_in | blocked | target.bitboard();
                if candidates.is_empty() {
                    return candidates;
                }
            }
        }
        candidates
    }

    /// The frame after a man other than the last has gone to another square, and the symmetry that
    /// takes it there; nothing if the kings touch.
    fn moved(&self, squares: &Squares, slot: Slot, to: Square) -> Option<(usize, Symmetry)> {
        if slot < 2 && get_king_moves(to).has(squares[1 - slot]) {
            return None;
        }
        let mut squares = *squares;
        squares[slot] = to;
        let pair = self.index.king_pair(squares[0], squares[1]);
        let squares = pair.symmetry.apply_to_squares(&squares);
        Some((pair.number * width(self.material) + rest(&squares[..self.last]), pair.symmetry))
    }

    fn mirror(&self, frame: usize) -> usize {
        let squares = Symmetry::TRANSPOSITION.apply_to_squares(&self.frames[frame]);
        frame - frame % width(self.material) + rest(&squares[..self.last])
    }

    /// The squares of all men but the last.
    fn others(&self, squares: &Squares) -> Bitboard {
        squares[..self.last].iter().fold(Bitboard::EMPTY, |all, square| all | square.bitboard())
    }
}

/// How many frames there are for a pair of kings' squares.
fn width(material: Material) -> usize {
    64_usize.pow(material.men().saturating_sub(3) as u32)
}

/// The number of a frame among those with the kings where they are.
fn rest(others: &[Square]) -> usize {
    others.iter().skip(2).fold(0, |number, &square| number * 64 + square as usize)
}

/// A placement, and its mirror image if asked for.
fn images(squares: &Squares, mirrored: bool) -> impl Iterator<Item = Squares> + use<> {
    let mirror = mirrored.then(|| Symmetry::TRANSPOSITION.apply_to_squares(squares));
    std::iter::once(*squares).chain(mirror)
}
