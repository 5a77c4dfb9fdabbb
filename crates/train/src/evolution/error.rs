use lucena_base::work::Stopped;
use lucena_files::{ReadError, WriteError};
use std::path::PathBuf;

/// Why nothing evolves, or does not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvolutionError {
    /// Nobody to be selected from.
    #[error("a population of {0} has nobody to be better than: give it at least 2")]
    Population(usize),
    /// Nothing to be done.
    #[error("in 0 generations nothing evolves: ask for at least 1")]
    Generations,
    /// It is no probability.
    #[error("a mutation of {0} is no probability: give a number from 0 to 1")]
    Mutation(f64),
    /// All genes are fixed.
    #[error("none of the genes can change: leave one free at least")]
    NothingFree,
    /// The state cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The state is none.
    #[error(
        "{path}: this is no state of an evolution, or a damaged one: {reason}; take the file away to begin anew"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The state is that of another evolution.
    #[error(
        "{path}: this is the state of another evolution, its {what} differs: ask for the same, or name another file"
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// The state cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
