use lucena_base::work::Stopped;
use lucena_files::{ReadError, WriteError};
use std::path::PathBuf;

/// An error in an evolution.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvolutionError {
    /// The population is too small for selection.
    #[error("a population of {0} is too small for selection: give it at least 2")]
    Population(usize),
    /// No generations were requested.
    #[error("in 0 generations nothing evolves: ask for at least 1")]
    Generations,
    /// The mutation rate is not a probability.
    #[error("a mutation of {0} is not a probability: give a number from 0 to 1")]
    Mutation(f64),
    /// All genes are fixed.
    #[error("none of the genes can change: leave at least one free")]
    NothingFree,
    /// The state cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The state is invalid.
    #[error(
        "{path}: this is not the state of an evolution, or it is damaged: {reason}; remove the file to start over"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The state belongs to another evolution.
    #[error(
        "{path}: this is the state of another evolution, its {what} differs: use the same settings, or name another file"
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// The setting that differs.
        what: &'static str,
    },
    /// The state cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
