//! The places of cells in a list.

use crate::piece_index::{OTHERS, choices, home};
use arrayvec::ArrayVec;
use lucena_chess::{Material, Role, Slot, Square, Squares};

/// The places of the placements of the men other than the kings, for each pair of kings.
///
/// There are places for two men on one square as well. So there are more than placements, but the place of each man
/// does not depend on the others, and is found faster.
pub(super) struct Places {
    groups: ArrayVec<EqualPlaces, OTHERS>,
    len: usize,
}

/// The places of equal men, most often of a single man.
struct EqualPlaces {
    first: Slot,
    men: usize,
    lowest: u32,
    factor: usize,
}

impl Places {
    pub(super) fn new(material: Material) -> Self {
        let mut groups = ArrayVec::<EqualPlaces, OTHERS>::new();
        for slot in material.slots().skip(2) {
            match groups.last_mut() {
                Some(equals) if material.equals_previous(slot) => equals.men += 1,
                _ => {
                    let lowest = home(material.role(slot)).0.trailing_zeros();
                    groups.push(EqualPlaces { first: slot, men: 1, lowest, factor: 1 });
                }
            }
        }
        // Pawns last: in most lists, other men move more.
        groups.sort_by_key(|equals| material.role(equals.first) == Role::Pawn);
        let mut len = 1;
        for equals in &mut groups {
            equals.factor = len;
            let squares = home(material.role(equals.first)).len();
            len *= choices(squares, equals.men) as usize;
        }
        Self { groups, len }
    }

    /// The number of places.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The place of a placement.
    #[inline]
    pub(super) fn place(&self, squares: &Squares) -> usize {
        self.groups.iter().map(|equals| equals.place(squares)).sum()
    }

    /// The places of placements in which one man moves, which is not a king.
    pub(super) fn row(&self, squares: &Squares, man: Slot) -> Row<'_> {
        let moves = |equals: &EqualPlaces| (equals.first..equals.first + equals.men).contains(&man);
        let mover = self.groups.iter().find(|equals| moves(equals)).expect("not a king");
        let others = self.groups.iter().filter(|equals| !moves(equals));
        Row {
            mover,
            man,
            squares: *squares,
            others: others.map(|equals| equals.place(squares)).sum(),
        }
    }
}

/// The places of placements in which one man moves.
pub(super) struct Row<'p> {
    mover: &'p EqualPlaces,
    man: Slot,
    squares: Squares,
    others: usize,
}

impl Row<'_> {
    /// The place of the placement with the man on a square.
    #[inline]
    pub(super) fn place(&self, square: Square) -> usize {
        let mut squares = self.squares;
        squares[self.man] = square;
        self.others + self.mover.place(&squares)
    }
}

impl EqualPlaces {
    #[inline]
    fn place(&self, squares: &Squares) -> usize {
        let rank = |square: Square| square as u32 - self.lowest;
        let place = match squares[self.first..][..self.men] {
            [square] => rank(square),
            [one, other] => {
                let (one, other) = (rank(one), rank(other));
                one.min(other) + choices(one.max(other), 2)
            }
            ref squares => {
                let mut ranks: ArrayVec<u32, OTHERS> =
                    squares.iter().map(|&square| rank(square)).collect();
                ranks.sort_unstable();
                (1..).zip(ranks).map(|(men, rank)| choices(rank, men)).sum()
            }
        };
        self.factor * place as usize
    }
}
