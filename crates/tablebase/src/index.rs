//! The numbering of placements, which gives the place of a position in a table.

use super::diagonal::{DIAGONAL, Diagonal, diagonals_of};
use super::kings::KingPairs;
use super::piece_index::{KingPair, MenIndex};
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Bitboard, Color, Material, Position, SOLVED_MEN, Side, Slot, Square, Squares};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// Numbers the canonical placements of a material densely from 0: a bijection.
///
/// A *placement* gives the square of each man: all different, the kings not adjacent, pawns on the
/// ranks 2 to 7. It does not include the side to move, and with one side to move it may be illegal,
/// because the other side's king is in check. A placement is *canonical* if it represents all of its
/// mirror images and rotations.
///
/// First the kings' squares are numbered (462 canonical pairs without pawns, 1,806 with), by the strong king's square and
/// then by the weak king's, from a1, b1 on to h8. Then the other men are numbered by the squares that are still free: by the
/// square of the first, then by that of the next, and so on. Pawns come first; otherwise the men are in the order of the
/// name. Equal men are interchangeable, so their permutations count once, with the man on the highest square first.
///
/// Without pawns, and with both kings on the diagonal a1–h8, the order is another. The other men, in the order of the name,
/// go over the squares below the diagonal, then those on it, then those above it, each from a1 on, as if equal men were
/// different; the last man moves soonest. A placement is numbered where it or its mirror image first occurs.
///
/// ```
/// use lucena_chess::symmetry::Group;
/// use lucena_tablebase::Index;
///
/// let material = "KRvK".parse()?;
/// assert_eq!(Index::new(material, Group::Square).len(), 28_056);
/// assert_eq!(Index::new(material, Group::Identity).len(), 223_944);
/// assert_eq!(Index::new("KPvK".parse()?, Group::Mirror).len(), 84_012);
/// # Ok::<(), lucena_chess::ParseMaterialError>(())
/// ```
#[derive(Clone)]
pub struct Index {
    pub(super) material: Material,
    group: Group,
    pub(super) others: MenIndex,
    pub(super) kings: &'static KingPairs,
    /// The canonical pairs of kings in order.
    pub(super) pairs: Vec<KingPair>,
    /// The placements with both kings on the diagonal, where the other men decide which is canonical.
    diagonals: &'static [OnceLock<Diagonal>],
    len: usize,
}

impl Index {
    /// Numbers the placements of a material that are canonical under a group of symmetries.
    ///
    /// # Panics
    /// If the group rotates pawns, which only [`Group::Square`] does, or there are more than [`SOLVED_MEN`] men.
    pub fn new(material: Material, group: Group) -> Self {
        assert!(
            material.men() <= SOLVED_MEN,
            "{material} has too many men to number its placements"
        );
        assert!(!material.has_pawns() || group != Group::Square, "pawns cannot be turned round");
        let kings = KingPairs::for_group(group);
        let mut index = Self {
            material,
            group,
            others: MenIndex::new(material),
            kings,
            pairs: Vec::with_capacity(kings.canonical.len()),
            diagonals: diagonals_of(material),
            len: 0,
        };
        for &[strong, weak] in &kings.canonical {
            index.add_pair(strong, weak);
        }
        index
    }

    /// Adds the canonical placements with the kings on two squares.
    fn add_pair(&mut self, strong: Square, weak: Square) {
        let first = self.len;
        let ways = self.others.ways(strong.bitboard() | weak.bitboard());
        let mut pair = KingPair { strong, weak, diagonal: None, first, ways };
        if self.group == Group::Square && pair.squares().is_subset(DIAGONAL) {
            self.len += self.others.len_on_diagonal(pair.squares());
            pair.diagonal =
                Some(self.pairs.iter().filter(|pair| pair.diagonal.is_some()).count() as u16);
        } else {
            self.len += pair.len() as usize;
        }
        self.pairs.push(pair);
    }

    /// Returns the placements with the kings on a pair of squares of the diagonal; `None` for other pairs.
    #[inline]
    pub(super) fn diagonal(&self, pair: &KingPair) -> Option<&Diagonal> {
        let diagonal = &self.diagonals[usize::from(pair.diagonal?)];
        let list = || Diagonal::new(self.material, [pair.strong, pair.weak]);
        Some(diagonal.get_or_init(list))
    }

    /// The number of placements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there are no placements, which never happens.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of a position's canonical representative. The en passant square is ignored.
    ///
    /// # Panics
    /// If the position has another material.
    pub fn of(&self, position: &Position) -> usize {
        assert_eq!(position.material(), self.material, "an index is for one material");
        if self.material.has_pawns() && position.strong() == Color::Black {
            return self.of_squares(position.with_colors_exchanged().squares());
        }
        self.of_squares(position.squares())
    }

    /// Returns the canonical position with a number, if it is legal with this side to move.
    ///
    /// # Panics
    /// If the number is not below [`Index::len`].
    #[inline]
    pub fn position(&self, at: usize, turn: Side) -> Option<Position> {
        let position = self.placement(at, turn);
        (!position.is_attacked(position.king(!turn), turn)).then_some(position)
    }

    /// Returns the placement with a number, which need not be legal with this side to move.
    #[inline]
    pub fn placement(&self, at: usize, turn: Side) -> Position {
        Position::from_slots_unchecked(self.material, turn, self.squares(at))
    }

    /// Returns the squares of the men in the placement with a number.
    fn squares(&self, at: usize) -> Squares {
        assert!(at < self.len, "there are {} placements, none has the number {at}", self.len);
        let after = self.pairs.partition_point(|pair| pair.first <= at);
        let pair = &self.pairs[after - 1];
        let number = (at - pair.first) as u32;
        match self.diagonal(pair) {
            Some(diagonal) => diagonal.placements[number as usize],
            None => self.others.squares(pair, number),
        }
    }

    /// Returns the canonical pairs of kings with the strong king on a square.
    pub(super) fn pairs_with(&self, strong: Square) -> &[KingPair] {
        let begin = self.pairs.partition_point(|pair| pair.strong < strong);
        let end = self.pairs.partition_point(|pair| pair.strong <= strong);
        &self.pairs[begin..end]
    }

    /// The numbers of the placements with the strong king on a canonical square.
    pub(super) fn numbers_with(&self, strong: Square) -> Range<usize> {
        let end = self.pairs.partition_point(|pair| pair.strong <= strong);
        let end = self.pairs.get(end).map_or(self.len, |next| next.first);
        self.pairs_with(strong)[0].first..end
    }

    /// The numbers of the placements with a pair of kings.
    pub(super) fn numbers_of(&self, pair: usize) -> Range<usize> {
        self.pairs[pair].first..self.pairs.get(pair + 1).map_or(self.len, |next| next.first)
    }

    /// Returns the placements with the kings on a canonical pair of squares, in the order of their numbers.
    /// The pairs in order give all placements in order.
    pub(super) fn placements_of(&self, pair: &KingPair) -> Cow<'_, [Squares]> {
        match self.diagonal(pair) {
            Some(diagonal) => Cow::Borrowed(&diagonal.placements),
            None => {
                let mut placements = Vec::with_capacity(pair.len() as usize);
                self.others.visit(pair, |squares| placements.push(*squares));
                Cow::Owned(placements)
            }
        }
    }

    /// Calls `visit` with the placements of some canonical pairs of kings that have the strong king on the same square, row
    /// by row: the number of the first, the squares, the man that moves along the row, and its squares. Rows that differ in
    /// the weak king come together.
    pub(super) fn visit_rows(
        &self,
        pairs: &[KingPair],
        mut visit: impl FnMut(usize, &Squares, Slot, Bitboard),
    ) {
        let mut numbers: Vec<usize> = pairs.iter().map(|pair| pair.first).collect();
        let last = self.material.men() - 1;
        for pair in pairs {
            let placements = self.diagonal(pair).map_or(&[][..], |diagonal| &diagonal.placements);
            for (number, squares) in (pair.first..).zip(placements) {
                visit(number, squares, last, squares[last].bitboard());
            }
        }
        self.others.visit_rows_of_pairs(pairs, |pair, squares, moving, places| {
            if pairs[pair].diagonal.is_none() {
                visit(numbers[pair], squares, moving, places);
                numbers[pair] += places.len() as usize;
            }
        });
    }

    /// For each pair of kings on the diagonal a1–h8: the number of the first placement, and the placements
    /// in order. Empty if the group lacks the reflection in the diagonal.
    pub(super) fn placements_on_diagonal(&self) -> impl Iterator<Item = (usize, &[Squares])> {
        self.pairs.iter().filter_map(|pair| {
            let diagonal = self.diagonal(pair)?;
            Some((pair.first, &*diagonal.placements))
        })
    }

    /// Returns the number of the canonical representative of a placement.
    #[inline(always)]
    pub fn of_squares(&self, squares: &Squares) -> usize {
        let kings = self.kings.get(squares[0], squares[1]);
        let pair = &self.pairs[usize::from(kings.pair)];
        let image;
        let squares = if kings.symmetry == Symmetry::IDENTITY {
            squares
        } else {
            image = kings.symmetry.apply_to_squares(squares);
            &image
        };
        let number = match self.diagonal(pair) {
            Some(diagonal) => diagonal.number(self.material, squares),
            None => self.others.number(pair, squares),
        };
        pair.first + number as usize
    }
}
