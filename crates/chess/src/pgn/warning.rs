use super::{GameResult, TagError};

/// A peculiarity of a PGN file that does not keep a game from being read, with its location.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, game {game}: {what}")]
pub struct PgnWarning {
    /// The line, counted from 1.
    pub line: u64,
    /// The number of the game in the file, counted from 1.
    pub game: u64,
    /// The peculiarity.
    pub what: PgnPeculiarity,
}

/// The kinds of peculiarities.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PgnPeculiarity {
    /// A move is not written according to the standard, and means only one legal move.
    #[error("{found:?} is read as {san}")]
    Move {
        /// The text found.
        found: String,
        /// The move, in standard algebraic notation.
        san: String,
    },
    /// A word or sign among the moves is neither a move nor known.
    #[error("{0:?} is not a move and is left out")]
    Unknown(String),
    /// A tag is not written according to the standard, and is left out.
    #[error("the tag {0:?} is broken and is left out: write it as [White \"Name\"]")]
    BrokenTag(String),
    /// A tag is invalid, and is left out.
    #[error("{0}; it is left out here")]
    Tag(#[from] TagError),
    /// The quotes within a tag are not escaped.
    #[error("quotes within the tag {name} have no backslash: it is read as {text:?}")]
    Quotes {
        /// The name of the tag.
        name: String,
        /// The text that is read.
        text: String,
    },
    /// A tag is given twice, with different texts.
    #[error("the tag {0} is given twice: the second counts")]
    TwoTags(String),
    /// The game ends without a result.
    #[error("the game has no result after its last move: {0} is used")]
    NoResult(GameResult),
    /// The tag `Result` is not a result.
    #[error("the tag Result is {tag:?}, which is not a result: {taken} is used")]
    ResultTag {
        /// The text of the tag.
        tag: String,
        /// The result that is used.
        taken: GameResult,
    },
    /// The tag `Result` and the result after the moves differ.
    #[error("the tag Result is {tag}, but the moves end with {end}: {taken} is used")]
    TwoResults {
        /// The result in the tag.
        tag: GameResult,
        /// The result after the moves.
        end: GameResult,
        /// The result that is used.
        taken: GameResult,
    },
}

impl PgnPeculiarity {
    /// The kind of the peculiarity, in the plural.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Move { .. } => "moves not written as in the standard",
            Self::Unknown(_) => "unknown words and signs",
            Self::BrokenTag(_) | Self::Tag(_) => "tags that are left out",
            Self::Quotes { .. } => "quotes in tags without a backslash",
            Self::TwoTags(_) => "tags given twice",
            Self::NoResult(_) => "games without a result",
            Self::ResultTag { .. } => "tags Result that are not a result",
            Self::TwoResults { .. } => "results that contradict their tag",
        }
    }
}
