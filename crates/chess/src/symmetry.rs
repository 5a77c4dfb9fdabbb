//! The eight symmetries of the board, and the representative of an orbit.
//!
//! Without pawns a position may be rotated and mirrored freely: eight positions, an *orbit*, are
//! one and the same problem. The *canonical* representative is the one that UCI krkopt lists:
//!
//! 1. the strong king stands on a1 b1 c1 d1 b2 c2 d2 c3 d3 d4;
//! 2. the first man off the diagonal a1–h8, in the order strong king, weak king, others, stands
//!    below it.
//!
//! For three men this is exactly krkopt's rule; it leaves 28,056 placements of KRvK. Two equal men
//! are ordered by their squares, a1 to h8; if both kings stand on the diagonal and a placement and
//! its mirror image both follow the rule, the one is canonical whose first different man stands on
//! the lower square. With pawns a position may only be mirrored left to right, and the strong king
//! stands on the files a to d.

use crate::{Bitboard, Material, Move, Position, Side, Slot, Square, Squares};

/// One of the eight rotations and reflections of the board.
///
/// ```
/// use lucena_chess::{Square, symmetry::Symmetry};
///
/// assert_eq!(Symmetry::ALL.len(), 8);
/// let images: std::collections::BTreeSet<Square> =
///     Symmetry::ALL.iter().map(|symmetry| symmetry.apply(Square::B1)).collect();
/// assert_eq!(images.len(), 8);
/// for symmetry in Symmetry::ALL {
///     assert_eq!(symmetry.inverse().apply(symmetry.apply(Square::B1)), Square::B1);
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

// A symmetry is a set of these three steps, applied in this order.
const FLIP_FILES: u8 = 1;
const FLIP_RANKS: u8 = 2;
const TRANSPOSE: u8 = 4;

const IMAGES: [[Square; 64]; 8] = {
    let mut images = [[Square::A1; 64]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut square = 0;
        while square < 64 {
            let mut file = square % 8;
            let mut rank = square / 8;
            if symmetry as u8 & FLIP_FILES != 0 {
                file = 7 - file;
            }
            if symmetry as u8 & FLIP_RANKS != 0 {
                rank = 7 - rank;
            }
            if symmetry as u8 & TRANSPOSE != 0 {
                (file, rank) = (rank, file);
            }
            images[symmetry][square] = Square::index_const(rank * 8 + file);
            square += 1;
        }
        symmetry += 1;
    }
    images
};

/// The symmetries that leave each square where it is: a bit for each.
const KEEPING: [u8; 64] = {
    let mut keeping = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut symmetry = 0;
        while symmetry < 8 {
            if IMAGES[symmetry][square] as usize == square {
                keeping[square] |= 1 << symmetry;
            }
            symmetry += 1;
        }
        square += 1;
    }
    keeping
};

impl Symmetry {
    /// The identity.
    pub const IDENTITY: Self = Self(0);

    /// All eight symmetries.
    pub const ALL: [Self; 8] =
        [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// Returns the image of a square.
    #[inline]
    pub fn apply(self, square: Square) -> Square {
        IMAGES[usize::from(self.0 & 7)][square as usize]
    }

    /// Returns the image of a move.
    #[inline]
    pub fn apply_to_move(self, mv: Move) -> Move {
        Move { from: self.apply(mv.from), to: self.apply(mv.to), promotion: mv.promotion }
    }

    /// Returns the image of a position, with equal men in the order of their squares. With pawns on the
    /// board only the identity and the left-right mirror image are meaningful: see [`Group::new`].
    #[inline]
    pub fn apply_to_position(self, position: &Position) -> Position {
        position.mapped(|square| self.apply(square)).tidy()
    }

    /// Returns the symmetry that undoes this one.
    #[must_use]
    pub fn inverse(self) -> Self {
        if self.0 & TRANSPOSE == 0 {
            return self;
        }
        // Moving the flips from after the transposition to before it exchanges their axes.
        Self(TRANSPOSE | (self.0 & FLIP_FILES) << 1 | (self.0 & FLIP_RANKS) >> 1)
    }

    /// Returns the composition: this symmetry, followed by `next`.
    ///
    /// ```
    /// use lucena_chess::symmetry::Symmetry;
    ///
    /// for symmetry in Symmetry::ALL {
    ///     assert_eq!(symmetry.then(symmetry.inverse()), Symmetry::IDENTITY);
    /// }
    /// ```
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        // A square off all axes has a different image under each symmetry.
        let image = next.apply(self.apply(Square::B1));
        let same = |symmetry: &Self| symmetry.apply(Square::B1) == image;
        Self::ALL.into_iter().find(same).unwrap_or(Self::IDENTITY)
    }

    /// The reflection in the diagonal a1–h8.
    pub const TRANSPOSITION: Self = Self(TRANSPOSE);

    /// The reflection that exchanges the files a and h.
    pub const MIRROR: Self = Self(FLIP_FILES);

    /// The reflection that exchanges the ranks 1 and 8.
    pub const UPSIDE_DOWN: Self = Self(FLIP_RANKS);

    /// Returns the image of a set of squares.
    #[inline]
    pub fn apply_to_bitboard(self, squares: Bitboard) -> Bitboard {
        let mut squares = squares;
        if self.0 & FLIP_FILES != 0 {
            squares = squares.flip_files();
        }
        if self.0 & FLIP_RANKS != 0 {
            squares = squares.flip_ranks();
        }
        if self.0 & TRANSPOSE != 0 {
            squares = transpose(squares);
        }
        squares
    }

    /// The images of squares.
    #[inline]
    pub fn apply_to_squares(self, squares: &Squares) -> Squares {
        let mut images = *squares;
        images.iter_mut().for_each(|square| *square = self.apply(*square));
        images
    }
}

/// The symmetries under which positions count as the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// Only the identity: every position is canonical.
    Identity,
    /// The identity and the left-right mirror image: the symmetries that pawns allow.
    Mirror,
    /// All eight.
    Square,
}

impl Group {
    /// Returns the symmetries that preserve the rules for a material.
    pub fn new(material: Material) -> Self {
        if material.has_pawns() { Self::Mirror } else { Self::Square }
    }

    /// The symmetries of the group.
    pub fn symmetries(self) -> &'static [Symmetry] {
        match self {
            Self::Identity => &[Symmetry(0)],
            Self::Mirror => &[Symmetry(0), Symmetry(FLIP_FILES)],
            Self::Square => &Symmetry::ALL,
        }
    }

    /// Returns the symmetry that maps a position to its canonical representative.
    #[inline]
    pub fn canonical_symmetry(self, position: &Position) -> Symmetry {
        self.canonicaliser_of(position.material(), position.squares())
    }

    /// Returns the canonical representative of a position.
    pub fn canonical(self, position: &Position) -> Position {
        self.canonical_symmetry(position).apply_to_position(position)
    }

    /// Returns the distinct images of a position under the symmetries of the group.
    pub fn orbit(self, position: &Position) -> Vec<Position> {
        let mut orbit: Vec<Position> = Vec::with_capacity(8);
        for symmetry in self.symmetries() {
            let image = symmetry.apply_to_position(position);
            if !orbit.contains(&image) {
                orbit.push(image);
            }
        }
        orbit
    }

    /// The number of positions in [`Group::orbit`].
    #[inline]
    pub fn orbit_len(self, position: &Position) -> u64 {
        let [strong, weak] = Side::ALL.map(|side| KEEPING[position.king(side) as usize]);
        let all = self.symmetries();
        // Nearly always only the identity keeps both kings where they are.
        let keep_kings = strong & weak;
        if keep_kings == 1 {
            return all.len() as u64;
        }
        let keeps = |symmetry: &&Symmetry| {
            keep_kings & 1 << symmetry.0 != 0 && symmetry.apply_to_position(position) == *position
        };
        (all.len() / all.iter().filter(keeps).count()) as u64
    }

    /// The symmetry that maps squares to those of the canonical representative.
    #[inline]
    pub fn canonicaliser_of(self, material: Material, squares: &Squares) -> Symmetry {
        self.symmetry_to_region(material, squares, Material::king(Side::Strong))
    }

    /// Returns the symmetry that maps the man in slot `first` into the region of a canonical strong
    /// king; the other men break ties, in order.
    #[inline]
    pub fn symmetry_to_region(
        self,
        material: Material,
        squares: &Squares,
        first: Slot,
    ) -> Symmetry {
        let flip_files = if squares[first] as u8 & 7 > 3 { FLIP_FILES } else { 0 };
        match self {
            Self::Identity => Symmetry::IDENTITY,
            Self::Mirror => Symmetry(flip_files),
            Self::Square => {
                let flip_ranks = if squares[first] as u8 >> 3 > 3 { FLIP_RANKS } else { 0 };
                let flipped = Symmetry(flip_files | flip_ranks);
                // The transposition is the last of the three steps.
                let transposed = Symmetry(flipped.0 | TRANSPOSE);
                // Of a square and its mirror image, the one below the diagonal has the lower index.
                for slot in [first, Material::king(Side::Strong), Material::king(Side::Weak)] {
                    let [one, other] = [flipped, transposed].map(|it| it.apply(squares[slot]));
                    if one != other {
                        return if other < one { transposed } else { flipped };
                    }
                }
                let [one, other] = [flipped, transposed]
                    .map(|symmetry| material.tidy(symmetry.apply_to_squares(squares)));
                if other < one { transposed } else { flipped }
            }
        }
    }
}

/// Exchanges files and ranks: first in blocks of four by four squares, then two by two, then singly.
fn transpose(Bitboard(mut squares): Bitboard) -> Bitboard {
    for (shift, mask) in
        [(28, 0x0f0f_0f0f_0000_0000), (14, 0x3333_0000_3333_0000), (7, 0x5500_5500_5500_5500)]
    {
        let exchanged = mask & (squares ^ (squares << shift));
        squares ^= exchanged ^ (exchanged >> shift);
    }
    Bitboard(squares)
}
