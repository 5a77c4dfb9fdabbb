//! Errors of the API.

use lucena_base::progress::Stopped;
use lucena_tablebase::ProbeError;
use schemars::JsonSchema;
use serde::Serialize;

/// The reason why there is no answer, or not yet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApiError {
    /// The query is invalid, for this reason.
    #[error("{0}")]
    BadRequest(String),
    /// The requested thing does not exist, for this reason.
    #[error("{0}")]
    NotFound(String),
    /// An endgame must be solved first, which takes long.
    #[error("{} takes long to solve, and it or what it leads to is not among the tables: run lucena solve {}, and ask again", .0.material, .0.material)]
    Unsolved(Unsolved),
    /// A table file can no longer be read, for this reason.
    #[error("{0}")]
    Unreadable(String),
    /// A table must be solved first: the same query succeeds a little later.
    #[error("{} is being solved: ask again", .0.solving)]
    Solving(SolvingResponse),
}

/// The result of a query.
pub(super) type Result<T, E = ApiError> = std::result::Result<T, E>;

/// An endgame that is not solved yet, and what solving it takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unsolved {
    /// The endgame.
    pub material: String,
    /// The number of endgames to solve: itself, and those that it leads to and that are not solved either.
    pub endgames: usize,
    /// The approximate memory, in bytes.
    pub memory: u64,
    /// The approximate time on this machine, in seconds.
    pub seconds: u64,
}

/// The progress of solving a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SolvingResponse {
    /// The endgame.
    pub solving: String,
    /// The progress.
    pub progress: ProgressView,
}

/// The progress of work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProgressView {
    /// The current step, in words.
    pub what: String,
    /// The number of units done.
    pub done: u64,
    /// The total number of units; null if it is unknown.
    pub total: Option<u64>,
}

impl ApiError {
    /// Creates an error for an invalid query.
    pub(super) fn bad_request(reason: impl ToString) -> Self {
        Self::BadRequest(reason.to_string())
    }

    /// Creates an error for a thing that does not exist.
    pub(super) fn missing(what: impl ToString) -> Self {
        Self::NotFound(what.to_string())
    }

    /// The error with the name of the parameter that it is about.
    pub(super) fn of_parameter(self, name: &str) -> Self {
        match self {
            Self::BadRequest(reason) => Self::BadRequest(format!("{name}: {reason}")),
            Self::NotFound(reason) => Self::NotFound(format!("{name}: {reason}")),
            Self::Unsolved(_) | Self::Unreadable(_) | Self::Solving(_) => self,
        }
    }

    /// The HTTP status code.
    pub fn status(&self) -> u16 {
        match self {
            Self::BadRequest(_) | Self::Unsolved(_) => 400,
            Self::NotFound(_) => 404,
            Self::Solving(_) => 202,
            Self::Unreadable(_) => 500,
        }
    }
}

impl From<Stopped> for ApiError {
    /// Nobody stops a query, so a table cannot be read.
    fn from(error: Stopped) -> Self {
        Self::Unreadable(error.to_string())
    }
}

impl From<ProbeError> for ApiError {
    fn from(error: ProbeError) -> Self {
        match error {
            ProbeError::File(error) => Self::Unreadable(error.to_string()),
            error => Self::bad_request(error),
        }
    }
}

/// The answer to a query that fails.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct ErrorResponse {
    /// The error and how to correct it, in a sentence.
    pub(super) error: String,
    /// The endgame that must be solved first; left out of other errors. A job "solve" does it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unsolved: Option<Unsolved>,
}

impl From<&ApiError> for ErrorResponse {
    fn from(error: &ApiError) -> Self {
        let unsolved = match error {
            ApiError::Unsolved(unsolved) => Some(unsolved.clone()),
            _ => None,
        };
        Self { error: error.to_string(), unsolved }
    }
}

/// Converts errors of a query to bad requests, except a variant of work that stops at an unreadable table.
macro_rules! bad_request {
    ($($error:ty $(: $stopped:ident)?),* $(,)?) => {
        $(impl From<$error> for ApiError {
            fn from(error: $error) -> Self {
                $(type Error = $error;
                if let Error::$stopped(stopped) = error {
                    return stopped.into();
                })?
                Self::bad_request(error)
            }
        })*
    };
}

bad_request!(
    lucena_dataset::DatasetError: Stopped,
    lucena_explain::ExplainError: Stopped,
    lucena_play::arena::EntrantError,
    lucena_attributes::UnknownAttribute,
    lucena_chess::FenError,
    lucena_chess::IllegalMove,
    lucena_chess::IllegalPosition,
    lucena_chess::NoEndgame,
    lucena_chess::ParseMaterialError,
    lucena_learn::LearnError,
    lucena_proof::policy::Unplayable,
    lucena_roster::ParsePlayerError,
    lucena_roster::PolicyError,
);
