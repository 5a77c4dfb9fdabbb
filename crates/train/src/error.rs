use super::encoding::BoardEncoding;
use super::network::Shape;
use lucena_attributes::{UnknownAttribute, UnknownSelection};
use lucena_base::named::UnknownName;
use lucena_base::text::EncodingError;
use lucena_chess::{Material, ParseMaterialError};

/// An invalid setting for training.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// The learning rate is not a positive number.
    #[error("a learning rate of {0} learns nothing: give a number above 0, such as 0.3")]
    Rate(f64),
    /// A share is not between 0 and 1.
    #[error("{what} of {value} is out of range: give a number from 0 to 1")]
    Share {
        /// The setting, in words.
        what: &'static str,
        /// The value given.
        value: f64,
    },
    /// The steepness is not a positive number.
    #[error("a steepness of {0} is out of range: give a number above 0")]
    Steepness(f64),
    /// The steepness β is out of range.
    #[error("a β of {0} is out of range: give a number from 0 to {most}", most = MAX_BETA)]
    Beta(f64),
    /// The published network was trained with the other reading of its inputs.
    #[error(
        "the initial weights were trained with the reading {trained} of the inputs, not {wanted}: take --reading {trained}, or leave the initial weights out"
    )]
    OtherReading {
        /// The reading of the weights.
        trained: BoardEncoding,
        /// The reading requested.
        wanted: BoardEncoding,
    },
    /// There is no move in the position from which the games start.
    #[error("the game is already over in {0}: start from a position with a legal move")]
    OverAtStart(String),
    /// The number of hidden units is out of range.
    #[error("a network has from 1 to {most} hidden units, not {0}", most = Shape::MAX_HIDDEN)]
    Hidden(usize),
    /// The initial weights differ in kind or size from those to be trained.
    #[error(
        "the initial weights differ in kind, attributes or size: give the same --kind, --attributes and --hidden that they were trained with"
    )]
    OtherShape,
    /// No position of the endgame is won.
    #[error(
        "the strong side wins from no position of {0}, so nothing can be learned: train another endgame"
    )]
    NothingToWin(Material),
    /// No games were requested.
    #[error("nothing is learned from 0 games: ask for at least 1")]
    NoGames,
}

/// An error for trained weights that cannot play an endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingMismatch {
    /// The weights are for another endgame.
    #[error(
        "the weights are for {material}, and the table is for {table}: take the table of {material}"
    )]
    Endgame {
        /// The endgame of the weights.
        material: Material,
        /// The endgame of the table.
        table: Material,
    },
}

/// The largest steepness β of the published network.
pub(super) const MAX_BETA: f64 = 10.0;

/// Checks that a steepness is in the range of the published network.
pub(super) fn check_beta(beta: f64) -> Result<(), SettingError> {
    if (0.0..=MAX_BETA).contains(&beta) { Ok(()) } else { Err(SettingError::Beta(beta)) }
}

/// Checks that a rate is positive and finite.
pub(super) fn check_rate(rate: f64) -> Result<(), SettingError> {
    if rate.is_finite() && rate > 0.0 { Ok(()) } else { Err(SettingError::Rate(rate)) }
}

/// Checks that a share is between 0 and 1; `what` names it in the error.
pub(super) fn check_share(what: &'static str, value: f64) -> Result<(), SettingError> {
    if (0.0..=1.0).contains(&value) { Ok(()) } else { Err(SettingError::Share { what, value }) }
}

/// An error in reading weights.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseWeightsFileError {
    /// The data begin like a safetensors file, but are not a valid one.
    #[error(
        "it is not a valid safetensors file: part of it is missing or damaged; train again, or restore a copy"
    )]
    NoTensors,
    /// A tensor is missing.
    #[error("it has no tensor {0:?}: use a file written by \"lucena train\"")]
    MissingTensor(&'static str),
    /// A tensor does not have the shape that the network needs.
    #[error(
        "its tensor {name:?} has the shape {found:?} and not {expected:?}: the weights are for another network"
    )]
    Shape {
        /// The name of the tensor.
        name: &'static str,
        /// The shape found.
        found: Vec<usize>,
        /// The shape expected.
        expected: Vec<usize>,
    },
    /// A weight is infinite or not a number.
    #[error("one of its weights is not a number: train again with a lower rate")]
    NotFinite,
    /// The file does not state what its weights are for.
    #[error("it does not state what its weights are for: use a file written by \"lucena train\"")]
    Foreign,
    /// The file is neither safetensors nor text in UTF-8.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// The JSON is invalid, or not that of weights.
    #[error("it is not valid JSON of weights: {0}")]
    Json(#[from] serde_json::Error),
    /// The format version is not supported.
    #[error("its format is {0}, but this program reads format 1: use a newer program")]
    Format(u32),
    /// The number of weights for an input is wrong.
    #[error(
        "it has {found} weights for {name} and not {expected}: the weights are for another evaluation"
    )]
    Count {
        /// The input, or the pair of inputs.
        name: String,
        /// The number of weights found.
        found: usize,
        /// The number of weights expected.
        expected: usize,
    },
    /// The record of its games has a letter that is not a score.
    #[error(
        "the record of its games has {0:?}, and not only w, d and l: restore a copy, or train again"
    )]
    Score(char),
    /// The material is invalid.
    #[error(transparent)]
    Material(#[from] ParseMaterialError),
    /// A name is unknown.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// A selection of attributes is unknown.
    #[error(transparent)]
    Selection(#[from] UnknownSelection),
    /// An attribute is unknown for the material.
    #[error(transparent)]
    Attribute(#[from] UnknownAttribute),
    /// The training parameters are invalid.
    #[error("its training parameters are invalid: {0}")]
    Setting(#[from] SettingError),
    /// The weights are for a different purpose.
    #[error("its weights are for {found}, not for {wanted}")]
    OtherUse {
        /// The purpose of the weights.
        found: String,
        /// The requested purpose.
        wanted: String,
    },
}

/// The file does not contain runs of trials.
#[derive(Debug, thiserror::Error)]
#[error(
    "it is not a file of trial runs: line {line} is not trial,seed,scores; remove the file, or name another"
)]
pub struct ParseRunsError {
    pub(super) line: usize,
}

/// Returns true if bytes are a safetensors file. Such a file begins with a length of eight bytes, the last of which
/// is zero, and then JSON. A text has a character there, in UTF-16 too.
pub(super) fn is_safetensors(bytes: &[u8]) -> bool {
    bytes.get(7).is_none_or(|&byte| byte == 0) && bytes.get(8).is_none_or(|&byte| byte == b'{')
}
