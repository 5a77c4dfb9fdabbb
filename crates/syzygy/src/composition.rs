//! The men on a board, without their squares.

use arrayvec::ArrayVec;
use cozy_chess::{Board, Color, Piece};
use std::fmt;
use std::str::FromStr;

/// The greatest number of men, kings included, that there are tables of.
pub const MAX_MEN: usize = 7;

/// The roles in the order in which a name lists them.
const ROLES: [Piece; 6] =
    [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// A man: its colour and role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Man {
    /// The colour.
    pub color: Color,
    /// The role.
    pub role: Piece,
}

impl Man {
    /// The man of the same role and the other colour.
    pub fn flipped(self) -> Self {
        Self { color: !self.color, role: self.role }
    }

    /// The number of the man in a file: 1 to 6 for pawn, knight, bishop, rook, queen and king, and 8 more for
    /// black men.
    pub const fn code(self) -> u8 {
        self.role as u8 + 1 + 8 * self.color as u8
    }

    /// The man with a number in a file, if there is one.
    pub fn from_code(code: u8) -> Option<Self> {
        let color = if code & 8 == 0 { Color::White } else { Color::Black };
        let role = (code & 7).checked_sub(1).and_then(|role| Piece::try_index(role.into()))?;
        (code < 16).then_some(Self { color, role })
    }
}

/// The men on a board: one king of each colour and up to five other men, or more on a board that no table is of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Composition {
    /// Four bits for each colour and role: the number of such men.
    counts: u64,
}

impl Composition {
    const KINGS: u64 =
        1 << shift(Color::White, Piece::King) | 1 << shift(Color::Black, Piece::King);

    /// The men on a board.
    pub fn from_board(board: &Board) -> Self {
        let mut counts = Self::KINGS;
        for color in [Color::White, Color::Black] {
            for role in &ROLES[1..] {
                let men = board.colored_pieces(color, *role);
                if !men.is_empty() {
                    counts += u64::from(men.len()) << shift(color, *role);
                }
            }
        }
        Self { counts }
    }

    /// The composition of the given men, if there are at most seven and one king of each colour.
    pub fn from_men(men: &[Man]) -> Option<Self> {
        if men.len() > MAX_MEN {
            return None;
        }
        let counts = men.iter().map(|man| 1 << shift(man.color, man.role)).sum();
        let composition = Self { counts };
        [Color::White, Color::Black]
            .into_iter()
            .all(|color| composition.count(Man { color, role: Piece::King }) == 1)
            .then_some(composition)
    }

    /// The number of men of this kind.
    pub fn count(self, man: Man) -> usize {
        (self.counts >> shift(man.color, man.role) & 15) as usize
    }

    /// The number of men.
    pub fn len(self) -> usize {
        self.kinds().map(|(_, count)| count).sum()
    }

    /// Returns whether there are only the two kings.
    pub fn is_empty(self) -> bool {
        self.counts == Self::KINGS
    }

    /// The kinds of men with how many there are of each, white men first, in the order of a name.
    pub fn kinds(self) -> impl Iterator<Item = (Man, usize)> {
        [Color::White, Color::Black]
            .into_iter()
            .flat_map(|color| ROLES.map(|role| Man { color, role }))
            .map(move |man| (man, self.count(man)))
            .filter(|(_, count)| *count > 0)
    }

    /// The men, white men first, in the order of a name.
    pub fn men(self) -> ArrayVec<Man, MAX_MEN> {
        self.kinds()
            .flat_map(|(man, count)| std::iter::repeat_n(man, count))
            .take(MAX_MEN)
            .collect()
    }

    /// The composition with the colours exchanged.
    pub fn flipped(self) -> Self {
        Self { counts: self.counts.rotate_left(32) }
    }

    /// Returns whether both sides have the same men.
    pub fn is_symmetric(self) -> bool {
        self == self.flipped()
    }

    /// Returns whether there are pawns.
    pub fn has_pawns(self) -> bool {
        self.pawns().iter().any(|count| *count > 0)
    }

    /// The number of pawns of White and of Black.
    pub fn pawns(self) -> [usize; 2] {
        [Color::White, Color::Black].map(|color| self.count(Man { color, role: Piece::Pawn }))
    }

    /// The composition in the order of colours in which files are named: the side with more men, or else the
    /// more valuable men, is White.
    pub fn normalized(self) -> Self {
        let flipped = self.flipped();
        if flipped.rank() > self.rank() { flipped } else { self }
    }

    /// A value by which the sides of a composition are ordered.
    fn rank(self) -> (usize, [usize; 6]) {
        let white = ROLES.map(|role| self.count(Man { color: Color::White, role }));
        (white.iter().sum(), white)
    }

    pub(crate) fn key(self) -> u64 {
        self.counts
    }
}

const fn shift(color: Color, role: Piece) -> u32 {
    32 * color as u32 + 4 * role as u32
}

impl fmt::Display for Composition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut side = Color::White;
        for (man, count) in self.kinds() {
            if man.color != side {
                f.write_str("v")?;
                side = man.color;
            }
            let letter = man.role.to_string().to_uppercase();
            f.write_str(&letter.repeat(count))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Composition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An error in the name of a composition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" names no men; write two sides of king and up to five other men in all, such as KQvKR"
)]
pub struct ParseCompositionError(String);

impl FromStr for Composition {
    type Err = ParseCompositionError;

    /// Parses a name such as `KQvKR`, with either side first.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (white, black) = name.split_once('v')?;
            let mut men = ArrayVec::<_, MAX_MEN>::new();
            for (color, side) in [(Color::White, white), (Color::Black, black)] {
                for letter in side.chars() {
                    let role = ROLES
                        .into_iter()
                        .find(|role| char::from(*role).to_ascii_uppercase() == letter)?;
                    men.try_push(Man { color, role }).ok()?;
                }
            }
            Self::from_men(&men)
        };
        parse().ok_or_else(|| ParseCompositionError(name.into()))
    }
}
