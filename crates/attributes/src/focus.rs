//! The squares that an attribute is about, for diagrams.

use lucena_chess::Bitboard;

/// The squares that an attribute or a quantity is about in one position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Focus {
    /// The squares of the men it is about.
    pub men: Bitboard,
    /// The parts of the board it is about.
    pub areas: Vec<(Area, Bitboard)>,
}

/// A part of the board that an attribute is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    /// The box in which a rook or queen confines the weak king.
    Box,
    /// The squares that the weak king could reach in any number of moves.
    Room,
    /// The squares to which the weak king can move.
    Moves,
    /// The file or rank of a rook or queen that cuts the kings off from each other.
    Line,
    /// The squares to which a man other than a king can move.
    Goals,
    /// The corners that a king is measured against.
    Corners,
    /// The squares from a pawn to its promotion square.
    Way,
    /// The squares from which a king catches a pawn.
    Catching,
    /// The key squares of a pawn.
    KeySquares,
}

impl Area {
    /// A description for people.
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
