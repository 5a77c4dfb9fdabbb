//! Why there is no answer.

use super::solving::Told;
use schemars::JsonSchema;
use serde::Serialize;

/// Why there is no answer, or not yet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// What is asked makes no sense; a sentence says why.
    #[error("{0}")]
    Nonsense(String),
    /// There is no such thing; a sentence says which.
    #[error("{0}")]
    Missing(String),
    /// A table is being solved first: whoever asks again a little later is answered.
    #[error("{} is being solved: ask again", .0.solving)]
    Solving(Told),
}

impl Refusal {
    /// What is asked makes no sense, for a reason.
    pub(super) fn nonsense(reason: impl ToString) -> Self {
        Self::Nonsense(reason.to_string())
    }

    /// There is no such thing.
    pub(super) fn missing(what: impl ToString) -> Self {
        Self::Missing(what.to_string())
    }

    /// The status of HTTP that says the same.
    pub fn status(&self) -> u16 {
        match self {
            Self::Nonsense(_) => 400,
            Self::Missing(_) => 404,
            Self::Solving(_) => 202,
        }
    }
}

/// What is told in place of an answer.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct Refused {
    /// What is wrong and how to mend it, in a sentence.
    pub(super) error: String,
}

macro_rules! nonsense {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for Refusal {
            fn from(error: $error) -> Self {
                Self::nonsense(error)
            }
        })*
    };
}

nonsense!(
    lucena_play::arena::SeatError,
    lucena_attributes::UnknownAttribute,
    lucena_chess::FenError,
    lucena_chess::IllegalMove,
    lucena_chess::IllegalPosition,
    lucena_chess::ParseMaterialError,
    lucena_dataset::DatasetError,
    lucena_explain::ExplainError,
    lucena_learn::LearnError,
    lucena_proof::policy::ForeignStrategy,
    lucena_proof::policy::ForeignTree,
    lucena_experiments::roster::ParsePlayerError,
    lucena_experiments::roster::PolicyError,
    lucena_tablebase::UnknownMaterial,
);
