//! Errors in files of weights.

use super::error::SettingError;
use lucena_attributes::UnknownAttribute;
use lucena_base::named::UnknownName;
use lucena_chess::ParseMaterialError;

/// An error in reading weights.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseTrainedError {
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
    /// The file does not say what its weights are for.
    #[error("it does not say what its weights are for: use a file written by \"lucena train\"")]
    Foreign,
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
    /// The material is invalid.
    #[error(transparent)]
    Material(#[from] ParseMaterialError),
    /// A name is unknown.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// An attribute is unknown for the material.
    #[error(transparent)]
    Attribute(#[from] UnknownAttribute),
    /// The training parameters are invalid.
    #[error("its training parameters are invalid: {0}")]
    Setting(#[from] SettingError),
    /// The weights are for a different purpose.
    #[error("its weights are for {found}, not for {asked}")]
    OtherUse {
        /// The purpose of the weights.
        found: String,
        /// The requested purpose.
        asked: String,
    },
}

/// Returns true if bytes are a safetensors file. Such a file begins with a length whose last byte
/// is zero; JSON has a character there.
pub(super) fn is_safetensors(bytes: &[u8]) -> bool {
    bytes.get(7).is_none_or(|&byte| byte == 0)
}
