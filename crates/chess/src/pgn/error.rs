use super::super::{FenError, IllegalMove};
use super::{GameResult, TagError};
use std::io;

/// Something in a PGN file that cannot be read: where, and what.
#[derive(Debug, thiserror::Error)]
#[error("line {line}, game {game}: {problem}")]
pub struct PgnError {
    /// The line, the first being 1.
    pub line: u64,
    /// The number of the game in the file, the first being 1.
    pub game: u64,
    /// What is wrong.
    pub problem: PgnProblem,
}

/// What can be wrong in a PGN file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PgnProblem {
    /// It cannot be read on.
    #[error("the file cannot be read on: {0}")]
    Read(#[from] io::Error),
    /// No PGN has lines like this.
    #[error("the line is longer than a million characters: this is hardly a PGN file; name one")]
    LongLine,
    /// A tag that is not closed, or no tag.
    #[error("the tag is broken: write it in one line, as [White \"Name\"]")]
    BrokenTag,
    /// A tag that cannot be.
    #[error(transparent)]
    Tag(#[from] TagError),
    /// The position that the game starts with is none.
    #[error("the game cannot start with its FEN: {0}")]
    Fen(#[from] FenError),
    /// A move that is none here.
    #[error("{0}: correct the move, or take the game out")]
    Move(#[from] IllegalMove),
    /// A character that means nothing.
    #[error("{0:?} means nothing among moves: take it out, or put a remark into braces")]
    Unexpected(char),
    /// A comment without an end.
    #[error("the comment that begins in line {0} has no end: close it with a brace")]
    OpenComment(u64),
    /// A variation without an end.
    #[error("the variation that begins in line {0} has no end: close it with a parenthesis")]
    OpenVariation(u64),
    /// A comment or a variation that no person has written.
    #[error("what begins in line {0} is longer than a million characters: is it ever closed?")]
    LongRemark(u64),
    /// An end of a variation without a beginning.
    #[error("a parenthesis closes here that none has opened: take it out")]
    ClosedVariation,
    /// The game breaks off.
    #[error("the game breaks off: put 1-0, 0-1, 1/2-1/2 or * behind its last move")]
    NoResult,
    /// The tag and the end of the moves do not agree.
    #[error("the tag Result says {tag:?} and the end of the moves {end}: make them the same")]
    TwoResults {
        /// What the tag says.
        tag: String,
        /// What stands behind the moves.
        end: GameResult,
    },
}
