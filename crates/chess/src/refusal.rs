//! Why something that is written down is no legal position.

use super::{Color, ParseMaterialError, Square};
use std::fmt;

/// Why a text is no FEN at all, whatever it may say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{fen}\" is not a FEN: {what}; a FEN looks like \"8/8/8/8/8/1k6/8/K1R5 w - - 0 1\"")]
pub struct ParseFenError {
    pub(super) fen: String,
    pub(super) what: String,
}

/// One reason why a [`Setup`](super::Setup) is not a legal position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A colour has no king, or several.
    #[error("{} has {count} kings, it must have one", name(*.color))]
    NotOneKing {
        /// Whose kings were counted.
        color: Color,
        /// How many there are.
        count: usize,
    },
    /// Two men are on one square.
    #[error("two men stand on {0}, a square holds one")]
    Overlap(Square),
    /// The kings touch.
    #[error("the kings on {0} and {1} stand next to each other")]
    AdjacentKings(Square, Square),
    /// The side that has just moved left its king in check.
    #[error("{} is in check although {} is to move", name(!*.0), name(*.0))]
    SideNotToMoveInCheck(Color),
    /// A pawn where no pawn can be.
    #[error("a pawn stands on {0}, on the first or last rank")]
    PawnOnLastRank(Square),
    /// A side has more men than it begins with.
    #[error("{} has {men} men, it can have 16 at most", name(*.color))]
    TooManyMen {
        /// Whose men were counted.
        color: Color,
        /// How many there are.
        men: usize,
    },
    /// A side has more pawns than it begins with.
    #[error("{} has {pawns} pawns, it can have 8 at most", name(*.color))]
    TooManyPawns {
        /// Whose pawns were counted.
        color: Color,
        /// How many there are.
        pawns: usize,
    },
    /// The men are too many, or otherwise no material.
    #[error(transparent)]
    Material(#[from] ParseMaterialError),
    /// Castling is not known to endgame tables.
    #[error("castling rights are given, endgame tables know none: write - in their place")]
    Castling,
    /// A right to castle with a king or a rook that is not at home.
    #[error(
        "{} has the right to castle with a rook on {rook}, but can only castle with its king on \
         {king} and a rook at home: leave that right out", name(*.color)
    )]
    ImpossibleCastling {
        /// Whose right it is.
        color: Color,
        /// Where the rook would have to be.
        rook: Square,
        /// Where the king has to be.
        king: Square,
    },
    /// An en passant square that no pawn can just have passed.
    #[error(
        "the en passant square {0} is given, and no pawn has just passed it: write - in its place"
    )]
    EnPassant(Square),
    /// The number of squares is not the number of men.
    #[error("{squares} squares are given for {men} men")]
    WrongNumberOfSquares {
        /// How many squares were given.
        squares: usize,
        /// How many men there are to place.
        men: usize,
    },
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Every reason why a setup is not a legal position: never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalPosition {
    pub(super) reasons: Vec<Refusal>,
}

impl IllegalPosition {
    /// The reasons, in a fixed order.
    pub fn reasons(&self) -> &[Refusal] {
        &self.reasons
    }
}

impl fmt::Display for IllegalPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a legal position: ")?;
        for (i, reason) in self.reasons.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{reason}")?;
        }
        Ok(())
    }
}

impl std::error::Error for IllegalPosition {}

/// Why a text does not give a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// It is no FEN.
    #[error(transparent)]
    Parse(#[from] ParseFenError),
    /// It is a FEN of something that is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
}
