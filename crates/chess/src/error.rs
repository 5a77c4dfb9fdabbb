//! Errors for texts and setups that are not legal positions, or not positions of an endgame.

use super::{Color, SOLVED_MEN, Square};

/// A text that is not a FEN.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{fen}\" is not a FEN: {what}; a FEN looks like \"8/8/8/8/8/1k6/8/K1R5 w - - 0 1\"")]
pub struct ParseFenError {
    pub(super) fen: String,
    pub(super) what: String,
}

/// One reason why a [`Setup`](super::Setup) is not a legal position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// A colour has no king, or several.
    #[error("{} has {count} kings: it must have exactly one", name(*.color))]
    NotOneKing {
        /// The colour.
        color: Color,
        /// The number of its kings.
        count: usize,
    },
    /// Two men are on the same square.
    #[error("two men stand on {0}: a square holds only one")]
    Overlap(Square),
    /// The kings stand on adjacent squares.
    #[error("the kings on {0} and {1} stand next to each other")]
    AdjacentKings(Square, Square),
    /// The side that has just moved left its king in check.
    #[error("{} is in check although {} is to move", name(!*.0), name(*.0))]
    SideNotToMoveInCheck(Color),
    /// A pawn is on the first or last rank.
    #[error("a pawn stands on {0}, on the first or last rank")]
    PawnOnLastRank(Square),
    /// A side has more men than at the start of a game.
    #[error("{} has {men} men: it can have at most 16", name(*.color))]
    TooManyMen {
        /// The colour.
        color: Color,
        /// The number of its men.
        men: usize,
    },
    /// A side has more pawns than at the start of a game.
    #[error("{} has {pawns} pawns: it can have at most 8", name(*.color))]
    TooManyPawns {
        /// The colour.
        color: Color,
        /// The number of its pawns.
        pawns: usize,
    },
    /// A castling right whose king or rook is not on its home square.
    #[error(
        "{} has the right to castle with a rook on {rook}, but can only castle with its king on \
         {king} and a rook at home: leave that right out", name(*.color)
    )]
    ImpossibleCastling {
        /// The colour with the right.
        color: Color,
        /// The square that the rook would have to be on.
        rook: Square,
        /// The square that the king has to be on.
        king: Square,
    },
    /// An en passant square that no pawn can just have passed.
    #[error("the en passant square {0} is given, but no pawn has just passed it: write - instead")]
    EnPassant(Square),
    /// The number of squares differs from the number of men.
    #[error("{squares} squares are given for {men} men")]
    WrongNumberOfSquares {
        /// The number of squares given.
        squares: usize,
        /// The number of men to place.
        men: usize,
    },
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// All reasons why a setup is not a legal position; never empty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a legal position: {}", reasons.iter().map(SetupError::to_string).collect::<Vec<_>>().join("; "))]
pub struct IllegalPosition {
    pub(super) reasons: Vec<SetupError>,
}

impl IllegalPosition {
    /// The reasons, in a fixed order.
    pub fn reasons(&self) -> &[SetupError] {
        &self.reasons
    }
}

/// The reason why a legal position is not one of an endgame, so that no table covers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoEndgame {
    /// The number of men, which is more than [`SOLVED_MEN`].
    #[error(
        "the position is legal, but no endgame table covers it: it has {0} men, and a table has at most {SOLVED_MEN}, kings included"
    )]
    TooManyMen(usize),
    /// Castling rights.
    #[error(
        "the position is legal, but no endgame table covers it: it has castling rights, and a table has none; write - in their place to look up the position without them"
    )]
    CastlingRights,
}

/// The reason why a setup is not a position of an endgame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndgameError {
    /// An illegal position.
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
    /// A legal position that is not one of an endgame.
    #[error(transparent)]
    NoEndgame(#[from] NoEndgame),
}

/// An error in parsing a legal position from a FEN.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The text is not a FEN.
    #[error(transparent)]
    Parse(#[from] ParseFenError),
    /// The FEN is of an illegal position.
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
    /// The FEN is of a legal position, but a position of an endgame was requested.
    #[error(transparent)]
    NoEndgame(#[from] NoEndgame),
}

impl From<EndgameError> for FenError {
    fn from(error: EndgameError) -> Self {
        match error {
            EndgameError::Illegal(illegal) => Self::Illegal(illegal),
            EndgameError::NoEndgame(reason) => Self::NoEndgame(reason),
        }
    }
}
