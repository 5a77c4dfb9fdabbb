use super::super::{FenError, IllegalMove};
use super::{GameResult, TagError};
use std::io;

/// An error in a PGN file, with its location.
#[derive(Debug, thiserror::Error)]
#[error("line {line}, game {game}: {problem}")]
pub struct PgnError {
    /// The line, counted from 1.
    pub line: u64,
    /// The number of the game in the file, counted from 1.
    pub game: u64,
    /// The error.
    pub problem: PgnProblem,
}

/// The kinds of errors in a PGN file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PgnProblem {
    /// Reading failed.
    #[error("the file cannot be read further: {0}")]
    Read(#[from] io::Error),
    /// A line is too long for PGN.
    #[error(
        "the line is longer than a million characters: this is probably not a PGN file; name another"
    )]
    LongLine,
    /// A tag is not closed, or is malformed.
    #[error("the tag is broken: write it in one line, as [White \"Name\"]")]
    BrokenTag,
    /// A tag is invalid.
    #[error(transparent)]
    Tag(#[from] TagError),
    /// The FEN of the game is invalid.
    #[error("the game cannot start with its FEN: {0}")]
    Fen(#[from] FenError),
    /// A move is not legal.
    #[error("{0}: correct the move, or remove the game")]
    Move(#[from] IllegalMove),
    /// A character is not allowed in the movetext.
    #[error("{0:?} is not allowed among the moves: remove it, or put comments in braces")]
    Unexpected(char),
    /// A comment is not closed.
    #[error("the comment that begins in line {0} is not closed: add a brace")]
    OpenComment(u64),
    /// A variation is not closed.
    #[error("the variation that begins in line {0} is not closed: add a parenthesis")]
    OpenVariation(u64),
    /// A comment or variation is too long.
    #[error(
        "the comment or variation that begins in line {0} is longer than a million characters: close it"
    )]
    LongRemark(u64),
    /// A parenthesis closes that was not opened.
    #[error("a parenthesis closes here that was not opened: remove it")]
    ClosedVariation,
    /// The game ends without a result.
    #[error("the game breaks off: write 1-0, 0-1, 1/2-1/2 or * after its last move")]
    NoResult,
    /// The tag `Result` and the result after the moves differ.
    #[error("the tag Result says {tag:?} and the end of the moves {end}: make them the same")]
    TwoResults {
        /// The result in the tag.
        tag: String,
        /// The result after the moves.
        end: GameResult,
    },
}
