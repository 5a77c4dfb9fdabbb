//! Moves and unmoves for all squares of the last man at once.

use super::Index;
use super::index::{Pair, home};
use crate::chess::{Bitboard, Material, Position, Role, Side, Slot, Square, Squares, pawn_origins};
use crate::symmetry::Symmetry;
use cozy_chess::{get_between_rays, get_king_moves, get_pawn_attacks, get_pawn_quiets};

/// The placements of a material by frame.
///
/// A *placement* says on which square each man stands. A *frame* is a placement with the last man
/// taken off the board: for KBNvK the squares of the kings and the bishop, while the knight may
/// stand anywhere else. A set of squares for the knight then stands for up to 61 placements, and one
/// step of the analysis deals with all of them. The kings of a frame stand on canonical squares.
///
/// Where both kings stand on the diagonal, a placement and its mirror image are both here; of two
/// equal men either can be the last.
pub(super) struct Frames {
    index: Index,
    material: Material,
    last: Slot,
    frames: Vec<Frame>,
}

/// The squares of all men but the last.
#[derive(Clone, Copy)]
struct Frame {
    /// The last man's is left open.
    squares: Squares,
    /// Where the last man can stand; nowhere if two of the others are on one square, or a pawn
    /// where no pawn can be.
    places: Bitboard,
    /// Whether its mirror image in the diagonal is here too.
    is_mirrored: bool,
}

impl Frame {
    /// The squares of all men but the last.
    #[inline]
    fn others(&self, last: Slot) -> Bitboard {
        self.squares[..last].iter().fold(Bitboard::EMPTY, |all, square| all | square.bitboard())
    }
}

impl Frames {
    pub(super) fn new(index: Index) -> Self {
        let material = index.material();
        let last = material.men() - 1;
        let mut frames = Self { index, material, last, frames: Vec::new() };
        if last < 2 {
            return frames; // Bare kings: nothing is ever decided.
        }
        for pair in frames.index.pairs() {
            for rest in 0..width(material) {
                let third = Square::index(rest);
                let squares = [pair.strong, pair.weak, third, Square::A1];
                let fits = last == 2
                    || (home(material.role(2)).has(third) && !squares[..2].contains(&third));
                let is_mirrored = pair.diagonal.is_some();
                let mut frame = Frame { squares, places: Bitboard::EMPTY, is_mirrored };
                if fits {
                    frame.places = home(material.role(last)) & !frame.others(last);
                }
                frames.frames.push(frame);
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

    /// Where the last man can stand.
    pub(super) fn places(&self, frame: usize) -> Bitboard {
        self.frames[frame].places
    }

    /// A placement of a frame.
    pub(super) fn placement(&self, frame: usize, last: Square, turn: Side) -> Position {
        let mut squares = self.frames[frame].squares;
        squares[self.last] = last;
        Position::from_slots(self.material, turn, squares)
    }

    /// Frames and squares of the last man for all placements with the kings on a canonical pair of
    /// squares, in the order of the index; nothing for bare kings.
    pub(super) fn placements_of(&self, pair: &Pair) -> Vec<Option<(usize, Square)>> {
        let placements = self.index.placements_of(pair);
        let at =
            |squares: &Squares| (self.last >= 2).then(|| (self.frame(squares), squares[self.last]));
        placements.iter().map(at).collect()
    }

    /// Where a position is whose kings stand on canonical squares.
    pub(super) fn at(&self, position: &Position) -> (usize, Square) {
        let squares = position.squares();
        (self.frame(squares), squares[self.last])
    }

    /// The number of the frame of men whose kings stand on canonical squares.
    #[inline]
    fn frame(&self, squares: &Squares) -> usize {
        let pair = self.index.king_pair(squares[0], squares[1]).pair;
        usize::from(pair) * width(self.material) + rest(&squares[..self.last])
    }

    /// Adds to `before` the placements from which the side not to move can have come to those of a
    /// frame, `turn` to move. A double step after which the pawn can be taken in passing is left
    /// out: what it leads to is worth another thing than the same men are without that right. The
    /// solver settles such steps one by one (`Passing`).
    pub(super) fn visit_origins(
        &self,
        turn: Side,
        number: usize,
        set: Bitboard,
        before: &mut [Bitboard],
    ) {
        let frame = &self.frames[number];
        let squares = &frame.squares;
        let men = Position::from_slots(self.material, turn, *squares);
        let others = frame.others(self.last);
        for slot in self.material.slots_of(!turn) {
            if slot == self.last {
                for last in set {
                    before[number] |= self.origins(&men, slot, last, others);
                }
                continue;
            }
            let here = squares[slot];
            for origin in self.origins(&men, slot, here, others) {
                let Some((target, symmetry)) = self.moved(squares, slot, origin) else {
                    continue;
                };
                let blocked = get_between_rays(origin, here) | origin.bitboard();
                let takers = self.takers(&men, slot, origin, here);
                let moved = symmetry.apply_to_bitboard(set & !blocked & !takers);
                before[target] |= moved;
                if self.frames[target].is_mirrored {
                    before[self.mirror(target)] |= Symmetry::TRANSPOSITION.apply_to_bitboard(moved);
                }
            }
        }
    }

    /// Those placements of a frame from which every move of `turn` leads into a set; captures,
    /// promotions and double steps after which the pawn can be taken in passing are left aside.
    pub(super) fn all_moves_in(
        &self,
        turn: Side,
        number: usize,
        candidates: Bitboard,
        set: &[Bitboard],
    ) -> Bitboard {
        let frame = &self.frames[number];
        let squares = &frame.squares;
        let men = Position::from_slots(self.material, turn, *squares);
        let others = frame.others(self.last);
        let mut candidates = candidates;
        for slot in self.material.slots_of(turn) {
            if slot == self.last {
                for last in candidates {
                    if !self.targets(&men, slot, last, others).is_subset(set[number]) {
                        candidates ^= last.bitboard();
                    }
                }
                continue;
            }
            let here = squares[slot];
            for target in self.targets(&men, slot, here, others) {
                let Some((after, symmetry)) = self.moved(squares, slot, target) else { continue };
                let leads_in = symmetry.inverse().apply_to_bitboard(set[after]);
                let blocked = get_between_rays(here, target) | target.bitboard();
                candidates &= leads_in | blocked | self.takers(&men, slot, here, target);
                if candidates.is_empty() {
                    return candidates;
                }
            }
        }
        candidates
    }

    /// Where a man can go without a capture or a promotion, the last man's square aside.
    #[inline(always)]
    fn targets(&self, men: &Position, slot: Slot, from: Square, others: Bitboard) -> Bitboard {
        if self.material.role(slot) != Role::Pawn {
            return men.attacks(slot, from, others) & !others;
        }
        let color = men.color(self.material.side(slot));
        let mut targets = get_pawn_quiets(from, color, others) & home(Role::Pawn);
        if let Some(to) = targets.into_iter().find(|&to| is_double(from, to))
            && self.is_takable(men, slot, from, to)
        {
            targets ^= to.bitboard();
        }
        targets
    }

    /// Where a man can have come from without a capture or a promotion, the last man's square
    /// aside.
    #[inline(always)]
    fn origins(&self, men: &Position, slot: Slot, from: Square, others: Bitboard) -> Bitboard {
        if self.material.role(slot) != Role::Pawn {
            return men.attacks(slot, from, others) & !others;
        }
        let color = men.color(self.material.side(slot));
        let mut origins = pawn_origins(from, color, others);
        if let Some(origin) = origins.into_iter().find(|&origin| is_double(origin, from))
            && self.is_takable(men, slot, origin, from)
        {
            origins ^= origin.bitboard();
        }
        origins
    }

    /// Whether a man other than the last takes a pawn of the other side in passing after its
    /// double step.
    fn is_takable(&self, men: &Position, pawn: Slot, from: Square, to: Square) -> bool {
        let attackers = attackers_in_passing(men, pawn, from, to);
        let mut foes = self.material.slots_of(!self.material.side(pawn));
        foes.any(|slot| {
            let is_pawn = slot != self.last && self.material.role(slot) == Role::Pawn;
            is_pawn && attackers.has(men.squares()[slot])
        })
    }

    /// The squares from which the last man takes another in passing after its double step.
    fn takers(&self, men: &Position, slot: Slot, from: Square, to: Square) -> Bitboard {
        let material = self.material;
        let both_pawns = [slot, self.last].iter().all(|&slot| material.role(slot) == Role::Pawn);
        if both_pawns && material.side(slot) != material.side(self.last) && is_double(from, to) {
            attackers_in_passing(men, slot, from, to)
        } else {
            Bitboard::EMPTY
        }
    }

    /// The frame after a man other than the last has gone to another square, and the symmetry that
    /// takes it there; nothing if the kings touch.
    fn moved(&self, squares: &Squares, slot: Slot, to: Square) -> Option<(usize, Symmetry)> {
        if slot < 2 && get_king_moves(to).has(squares[1 - slot]) {
            return None;
        }
        let mut squares = *squares;
        squares[slot] = to;
        let symmetry = self.index.king_pair(squares[0], squares[1]).symmetry;
        let squares = symmetry.apply_to_squares(&squares);
        Some((self.frame(&squares), symmetry))
    }

    fn mirror(&self, frame: usize) -> usize {
        let squares = Symmetry::TRANSPOSITION.apply_to_squares(&self.frames[frame].squares);
        frame - frame % width(self.material) + rest(&squares[..self.last])
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

/// Whether a pawn's step is its double one.
fn is_double(from: Square, to: Square) -> bool {
    (from as usize).abs_diff(to as usize) == 16
}

/// The squares from which pawns of the other side take a pawn in passing after its double step.
fn attackers_in_passing(men: &Position, pawn: Slot, from: Square, to: Square) -> Bitboard {
    let passed = Square::index((from as usize + to as usize) / 2);
    get_pawn_attacks(passed, men.color(men.material().side(pawn)))
}
