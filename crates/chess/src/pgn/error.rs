use super::super::{FenError, IllegalMove};
use lucena_base::text::EncodingError;
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

impl PgnError {
    /// Returns true if no game after this error can be read.
    pub fn is_fatal(&self) -> bool {
        use PgnProblem::{Encoding, EndlessLine, Read};
        matches!(self.problem, Read(_) | Encoding(_) | EndlessLine)
    }
}

/// The kinds of errors in a PGN file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PgnProblem {
    /// Reading failed.
    #[error("the file cannot be read further: {0}")]
    Read(#[from] io::Error),
    /// The file is in UTF-16.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// A line is too long for PGN.
    #[error("the line is longer than a million characters: divide it")]
    LongLine,
    /// A line does not end.
    #[error("the line does not end: this is probably not a PGN file; name another")]
    EndlessLine,
    /// The tag with the FEN is not closed, or is malformed.
    #[error(
        "the tag FEN is broken: write it in one line, as [FEN \"8/8/8/8/8/1k6/8/K1R5 w - - 0 1\"]"
    )]
    BrokenTag,
    /// The FEN of the game is invalid.
    #[error("the game cannot start with its FEN: {0}")]
    Fen(#[from] FenError),
    /// The game is not one of chess, but of a variant.
    #[error(
        "the tag Variant is {0:?}, and only chess is read: for a game of chess, write [Variant \"Standard\"]"
    )]
    Variant(String),
    /// A move is not legal.
    #[error(transparent)]
    Move(#[from] IllegalMove),
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
}
