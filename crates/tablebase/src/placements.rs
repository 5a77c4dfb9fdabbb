//! The slices of a material: the squares of its pawns.

use crate::kings::place;
use crate::piece_index::home;
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{MAX_MEN, Material, Role, Side, Slot, Square, Squares};
use std::ops::Range;

/// The slices of a material in the order in which they are solved.
///
/// A slice and its left-right mirror image are one. Its *distance* is the number of ranks that its pawns can still advance
/// in sum. A pawn move leads to a slice whose distance is less by one or two.
pub(super) struct PawnPlacements {
    material: Material,
    pawns: Vec<Slot>,
    /// The squares of the pawns; the other slots are unspecified.
    pub(super) slices: Vec<Squares>,
    /// The slices of each distance, from 0 on.
    pub(super) by_distance: Vec<Range<usize>>,
    /// By the squares of the pawns: the slice, and the symmetry that maps the squares to it.
    numbers: Vec<Option<(u32, Symmetry)>>,
}

impl PawnPlacements {
    pub(super) fn new(material: Material) -> Self {
        let is_pawn = |slot: &Slot| material.role(*slot) == Role::Pawn;
        let pawns: Vec<Slot> = material.slots().filter(is_pawn).collect();
        let mut all = Vec::new();
        list(material, &pawns, [Square::A1; MAX_MEN], &mut |squares| {
            let image = tidy(material, &pawns, Symmetry::MIRROR, squares);
            if *squares <= image {
                all.push(*squares);
            }
        });
        let distance = |squares: &Squares| -> usize {
            pawns.iter().map(|&slot| to_go(material.side(slot), squares[slot])).sum()
        };
        all.sort_by_key(distance);
        let mut by_distance: Vec<Range<usize>> = Vec::new();
        for same in all.chunk_by(|one, other| distance(one) == distance(other)) {
            let begin = by_distance.last().map_or(0, |last| last.end);
            by_distance.push(begin..begin + same.len());
        }
        let mut numbers = vec![None; 64_usize.pow(pawns.len() as u32)];
        let mut placements =
            Self { material, pawns, slices: all, by_distance, numbers: Vec::new() };
        for (number, squares) in (0..).zip(&placements.slices) {
            for symmetry in [Symmetry::MIRROR, Symmetry::IDENTITY] {
                let mut image = symmetry.apply_to_squares(squares);
                placements.visit_exchanged(&mut image, 0, &mut |key| {
                    numbers[key] = Some((number, symmetry));
                });
            }
        }
        placements.numbers = numbers;
        placements
    }

    /// The slice with the pawns on some squares, and the symmetry that maps them to it.
    #[inline]
    pub(super) fn find(&self, squares: &Squares) -> (usize, Symmetry) {
        let found = self.numbers[self.key(squares)];
        let (number, symmetry) = found.expect("pawns stand on squares of their own");
        (number as usize, symmetry)
    }

    /// Returns true if the pawns can stand on some squares.
    #[cfg(feature = "dist")]
    pub(super) fn has(&self, squares: &Squares) -> bool {
        self.numbers[self.key(squares)].is_some()
    }

    /// The number of some squares of the pawns: those of a slice are even, those of its mirror image odd, or the same.
    pub(super) fn number(&self, squares: &Squares) -> usize {
        let (slice, symmetry) = self.find(squares);
        2 * slice + usize::from(symmetry != Symmetry::IDENTITY)
    }

    /// The squares of the pawns by their number.
    pub(super) fn numbered(&self) -> Vec<Squares> {
        let images = |slice: &Squares| [*slice, Symmetry::MIRROR.apply_to_squares(slice)];
        let all = self.slices.iter().flat_map(images);
        all.take(if self.pawns.is_empty() { 1 } else { usize::MAX }).collect()
    }

    /// The greatest distance at which a pawn can become another man; `None` if there are no pawns.
    pub(super) fn last_promotion(&self) -> Option<usize> {
        let may_promote = |slice: usize| {
            let squares = &self.slices[slice];
            self.pawns.iter().any(|&slot| to_go(self.material.side(slot), squares[slot]) == 0)
        };
        self.by_distance.iter().rposition(|slices| slices.clone().any(may_promote))
    }

    /// Calls `visit` with the key of some squares in each order of the equal pawns from the one with a number on.
    fn visit_exchanged(&self, squares: &mut Squares, at: usize, visit: &mut impl FnMut(usize)) {
        let Some(&slot) = self.pawns.get(at) else { return visit(self.key(squares)) };
        let is_equal =
            |other: Slot| (slot + 1..=other).all(|slot| self.material.equals_previous(slot));
        for other in self.pawns[at..].iter().copied().filter(|&other| is_equal(other)) {
            squares.swap(slot, other);
            self.visit_exchanged(squares, at + 1, visit);
            squares.swap(slot, other);
        }
    }

    #[inline]
    fn key(&self, squares: &Squares) -> usize {
        self.pawns.iter().fold(0, |key, &slot| place(&[squares[slot]]) + 64 * key)
    }
}

/// The ranks that a pawn can still advance without becoming another man.
fn to_go(side: Side, square: Square) -> usize {
    match side {
        Side::Strong => 6 - square.rank() as usize,
        Side::Weak => square.rank() as usize - 1,
    }
}

/// The image of the pawns' squares, equal pawns in the order of their squares.
fn tidy(material: Material, pawns: &[Slot], symmetry: Symmetry, squares: &Squares) -> Squares {
    let mut image = [Square::A1; MAX_MEN];
    for &slot in pawns {
        image[slot] = symmetry.apply(squares[slot]);
    }
    for &slot in pawns {
        let mut at = slot;
        while material.equals_previous(at) && image[at - 1] > image[at] {
            image.swap(at - 1, at);
            at -= 1;
        }
    }
    image
}

/// Calls `add` with all choices of squares for some pawns, equal ones in the order of their squares.
fn list(material: Material, pawns: &[Slot], squares: Squares, add: &mut impl FnMut(&Squares)) {
    fn next(
        material: Material,
        (pawns, at): (&[Slot], usize),
        mut squares: Squares,
        add: &mut dyn FnMut(&Squares),
    ) {
        let Some(&slot) = pawns.get(at) else { return add(&squares) };
        for square in home(Role::Pawn) {
            let is_taken = pawns[..at].iter().any(|&other| squares[other] == square);
            let is_in_order = !material.equals_previous(slot) || squares[slot - 1] < square;
            if is_in_order && !is_taken {
                squares[slot] = square;
                next(material, (pawns, at + 1), squares, add);
            }
        }
    }
    next(material, (pawns, 0), squares, add);
}
