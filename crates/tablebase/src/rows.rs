//! The placements of a table row by row.
//!
//! A *row* is placements, one after the other in the order of the index, that differ only in the square of one man.

use super::Index;
use arrayvec::ArrayVec;
use cozy_chess::{get_between_rays, get_pawn_attacks};
use lucena_chess::{Bitboard, Position, Role, Side, Slot, Square, Squares};
use std::ops::Range;

/// A row of placements.
pub(super) struct Row {
    /// The number of the first placement.
    pub(super) first: usize,
    /// The squares of the men; that of the one that moves along the row is unspecified.
    pub(super) squares: Squares,
    /// The man that moves along the row.
    pub(super) moving: Slot,
    /// The squares of that man in order.
    pub(super) places: ArrayVec<Square, 64>,
}

impl Row {
    /// The squares of its man on which a placement of the row is legal with a side to move.
    pub(super) fn legal(&self, index: &Index, turn: Side) -> Bitboard {
        let places = self.places.iter().fold(Bitboard::EMPTY, |all, at| all | at.bitboard());
        if index.material.men() == 2 {
            return places;
        }
        let men = Position::from_slots_unchecked(index.material, turn, self.squares);
        legal_places(&men, self.moving, places)
    }
}

/// The squares of a man, among some, on which the side not to move is not in check.
pub(super) fn legal_places(men: &Position, moving: Slot, places: Bitboard) -> Bitboard {
    let (material, squares, turn) = (men.material(), men.squares(), men.turn());
    let others = material.slots().filter(|&slot| slot != moving);
    let others = others.fold(Bitboard::EMPTY, |all, slot| all | squares[slot].bitboard());
    let king = squares[!turn as usize];
    let mut legal = places;
    for slot in material.slots_of(turn).skip(1) {
        if slot == moving {
            legal &= !match material.role(slot) {
                Role::Pawn => get_pawn_attacks(king, !men.color(turn)),
                _ => men.attacks(slot, king, others),
            };
        } else if men.attacks(slot, squares[slot], others).has(king) {
            // Only the man that moves can stand between them.
            legal &= get_between_rays(squares[slot], king);
        }
    }
    legal
}

impl Index {
    /// Calls `visit` with some numbers in order and their placements, as [`Index::placement`] returns them, but faster.
    ///
    /// # Panics
    /// If a number is not below [`Index::len`].
    pub fn visit_placements(
        &self,
        numbers: Range<usize>,
        turn: Side,
        mut visit: impl FnMut(usize, &Position),
    ) {
        assert!(numbers.end <= self.len(), "there are {} placements", self.len());
        let mut at = numbers.start;
        while at < numbers.end {
            let pair = self.pairs.partition_point(|pair| pair.first <= at) - 1;
            let mut next = Some(self.row_with(pair, at));
            while let Some(row) = next.filter(|row| row.first < numbers.end) {
                let mut squares = row.squares;
                for (number, &square) in (row.first..numbers.end).zip(&row.places) {
                    squares[row.moving] = square;
                    if number >= at {
                        visit(
                            number,
                            &Position::from_slots_unchecked(self.material, turn, squares),
                        );
                    }
                }
                at = row.first + row.places.len();
                next = self.row_after(pair, &row);
            }
        }
    }

    /// The rows of a pair of kings that begin at some of its numbers.
    pub(super) fn rows(&self, pair: usize, numbers: Range<usize>) -> impl Iterator<Item = Row> {
        let mut next = (!numbers.is_empty()).then(|| self.row_with(pair, numbers.start));
        std::iter::from_fn(move || {
            loop {
                let row = next.take().filter(|row| row.first < numbers.end)?;
                next = self.row_after(pair, &row);
                if row.first >= numbers.start {
                    return Some(row);
                }
            }
        })
    }

    /// The row after one, with a pair of kings.
    fn row_after(&self, pair: usize, row: &Row) -> Option<Row> {
        let first = row.first + row.places.len();
        if first == self.numbers_of(pair).end {
            return None;
        }
        let kings = &self.pairs[pair];
        if kings.diagonal.is_some() {
            return Some(self.row_with(pair, first));
        }
        let mut squares = row.squares;
        let places = self.others.next_row(kings, &mut squares).into_iter().collect();
        Some(Row { first, squares, moving: row.moving, places })
    }

    /// The row that has the placement with a number, with a pair of kings.
    pub(super) fn row_with(&self, pair: usize, number: usize) -> Row {
        let pair = &self.pairs[pair];
        let number = number - pair.first;
        match self.diagonal(pair) {
            Some(diagonal) => {
                let (moving, all) = (self.material.men() - 1, &diagonal.placements);
                let rest = |squares: &Squares| squares[..moving] == all[number][..moving];
                let before = all[..number].iter().rev().take_while(|squares| rest(squares)).count();
                let row = all[number - before..].iter().take_while(|squares| rest(squares));
                Row {
                    first: pair.first + number - before,
                    squares: all[number],
                    moving,
                    places: row.map(|squares| squares[moving]).collect(),
                }
            }
            None => {
                let squares = self.others.squares(pair, number as u32);
                let (moving, places) = self.others.row(pair, &squares);
                let before = places.into_iter().take_while(|&at| at != squares[moving]).count();
                let places = places.into_iter().collect();
                Row { first: pair.first + number - before, squares, moving, places }
            }
        }
    }
}
