//! What weights are in files.

use super::error::SettingError;
use lucena_attributes::UnknownAttribute;
use lucena_base::named::UnknownName;
use lucena_chess::ParseMaterialError;

/// Bytes that hold no weights.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseTrainedError {
    /// It begins as a safetensors file does, and is none.
    #[error(
        "it is no whole safetensors file: part of it is missing or changed; train again, or take a copy"
    )]
    NoTensors,
    /// It has no tensor of a name.
    #[error("it has no tensor {0:?}: take a file that \"lucena train\" has written")]
    MissingTensor(&'static str),
    /// A tensor has another shape than the network that is meant.
    #[error(
        "its tensor {name:?} has the shape {found:?} and not {expected:?}: the weights are for another network"
    )]
    Shape {
        /// The tensor.
        name: &'static str,
        /// The shape that it has.
        found: Vec<usize>,
        /// The shape that it should have.
        expected: Vec<usize>,
    },
    /// A weight is infinite or no number.
    #[error("one of its weights is no number: train again with a lower rate")]
    NotFinite,
    /// It says nothing of what it is for.
    #[error(
        "it does not say what its weights are for: take a file that \"lucena train\" has written"
    )]
    Foreign,
    /// It is no JSON, or not that of weights.
    #[error("it is not the JSON of weights: {0}")]
    Json(#[from] serde_json::Error),
    /// It is of a later version.
    #[error("its format is {0}, and this program reads 1: take a newer program")]
    Format(u32),
    /// It has other inputs than it should have.
    #[error(
        "it has {found} weights for {name} and not {expected}: the weights are for another evaluation"
    )]
    Count {
        /// What they are for.
        name: String,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Its material is none.
    #[error(transparent)]
    Material(#[from] ParseMaterialError),
    /// A name in it is none.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// Its attributes are not those of the material.
    #[error(transparent)]
    Attribute(#[from] UnknownAttribute),
    /// What it says of its training makes no sense.
    #[error("what it says of its training makes no sense: {0}")]
    Setting(#[from] SettingError),
    /// It is for something else.
    #[error("its weights are for {found}, not for {asked}")]
    OtherUse {
        /// What they are for.
        found: String,
        /// What was asked for.
        asked: String,
    },
}

/// Whether bytes are a safetensors file: it begins with a length, whose last bytes are zero, where
/// a JSON file has a sign.
pub(super) fn is_safetensors(bytes: &[u8]) -> bool {
    bytes.get(7).is_none_or(|&byte| byte == 0)
}
