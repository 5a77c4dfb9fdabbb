//! The squares that an attribute is about, for diagrams.

use lucena_chess::Bitboard;

/// What an attribute looks at on a board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Focus {
    /// The squares of the men it speaks of.
    pub men: Bitboard,
    /// A part of the board, if it speaks of one.
    pub area: Option<(Area, Bitboard)>,
}

/// A part of the board that an attribute speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    /// The box in which a rook or queen holds the weak king.
    Box,
    /// What the weak king could ever reach.
    Room,
    /// Where the weak king can go.
    Moves,
    /// The file or rank of a rook or queen that cuts the kings off.
    Line,
    /// Where a man other than a king can go.
    Goals,
    /// The corners that a king is near to, or not.
    Corners,
    /// The squares from a pawn to its promotion.
    Way,
    /// The squares from which a king catches a pawn.
    Catching,
    /// The key squares of a pawn.
    KeySquares,
}

impl Area {
    /// What it is, in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Box => "the box in which the king is held",
            Self::Room => "what the king could reach if the others stood still",
            Self::Moves => "where the king can go",
            Self::Line => "the line that is asked about",
            Self::Goals => "where the man can go",
            Self::Corners => "the corners that are asked about",
            Self::Way => "the pawn's way to promotion",
            Self::Catching => "where the king catches the pawn from",
            Self::KeySquares => "the key squares",
        }
    }
}
