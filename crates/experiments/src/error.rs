use lucena_base::progress::Stopped;
use lucena_chess::Material;
use lucena_dataset::DatasetError;
use lucena_learn::LearnError;
use lucena_play::validation::ValidationError;
use lucena_proof::ProveError;
use lucena_proof::policy::Unplayable;
use lucena_roster::PolicyError;
use lucena_theory::{TheoryError, VerifyError};

/// An error in an experiment.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The data set cannot be built.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// Learning failed.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The endgame has no theories, or a search cannot start.
    #[error(transparent)]
    Theory(#[from] TheoryError),
    /// A theory does not keep its guarantee.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// A player is not a policy for the endgame.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A tree cannot be used as a player.
    #[error(transparent)]
    Tree(#[from] Unplayable),
    /// A given model cannot be used as a player.
    #[error("{name}: {error}")]
    Player {
        /// The name of the model.
        name: String,
        /// The reason.
        error: Box<PolicyError>,
    },
    /// A given model is for another endgame.
    #[error("{name} is for {played}, not {wanted}: leave it out, or ask for {played}")]
    OtherMaterial {
        /// The name of the model.
        name: String,
        /// The endgame it is for.
        played: Material,
        /// The endgame requested.
        wanted: Material,
    },
    /// A player cannot be proved.
    #[error(transparent)]
    Prove(ProveError),
    /// The games cannot be played.
    #[error(transparent)]
    Validation(#[from] ValidationError),
    /// The observer asked to stop, or a table file can no longer be read.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<ProveError> for ExperimentError {
    fn from(error: ProveError) -> Self {
        match error {
            ProveError::Stopped(stopped) => stopped.into(),
            error => Self::Prove(error),
        }
    }
}
