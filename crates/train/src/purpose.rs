use super::error::{ParseWeightsFileError, is_safetensors};
use super::safetensors;
use lucena_base::text::decode;
use serde::Deserialize;
use std::fmt;

/// The purpose of trained weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// An endgame.
    Endgame,
    /// Whole games, by a weighted sum of features.
    Improved,
    /// Whole games, by the published network.
    Published,
}

/// The part of a description that distinguishes one purpose from another.
#[derive(Deserialize)]
struct Outline {
    material: Option<String>,
    network: Option<String>,
}

/// The part of a JSON file that states what the weights are for.
#[derive(Deserialize)]
struct WeightsOutline {
    head: Outline,
}

impl Purpose {
    /// The purpose of the weights in a file.
    ///
    /// # Errors
    /// If the file is not one of weights.
    pub(super) fn new(bytes: &[u8]) -> Result<Self, ParseWeightsFileError> {
        let Outline { material, network } = if is_safetensors(bytes) {
            serde_json::from_str(&safetensors::head(bytes)?)?
        } else {
            serde_json::from_str::<WeightsOutline>(decode(bytes)?)?.head
        };
        Ok(match (material, network) {
            (Some(_), _) => Self::Endgame,
            (None, Some(_)) => Self::Published,
            (None, None) => Self::Improved,
        })
    }

    /// Checks that the weights in a file are for this purpose.
    ///
    /// # Errors
    /// If they are for another, or the file is not one of weights.
    pub(super) fn check(self, bytes: &[u8]) -> Result<(), ParseWeightsFileError> {
        let found = Self::new(bytes)?;
        if found == self {
            return Ok(());
        }
        let [found, wanted] = [found, self].map(|purpose| purpose.to_string());
        Err(ParseWeightsFileError::OtherUse { found, wanted })
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Endgame => "an endgame",
            Self::Improved => "the improved learner",
            Self::Published => "the published network",
        })
    }
}
