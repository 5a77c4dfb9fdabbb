use lucena_base::work::Stopped;
use lucena_chess::Material;
use lucena_dataset::DatasetError;
use lucena_learn::LearnError;
use lucena_play::TimedSearch;
use lucena_proof::ProveError;
use lucena_proof::policy::{ForeignStrategy, ForeignTree};
use lucena_theory::{ArenaError, BrokenGuarantee, StartError};

/// Why there is no frontier.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FrontierError {
    /// The positions make no data set.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// Nothing was learned.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The endgame has no theories.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// A search cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A tree does not make a player.
    #[error("{name}: {error}")]
    Tree {
        /// The name of the tree.
        name: String,
        /// Why it does not.
        error: ForeignTree,
    },
    /// A strategy does not make a player.
    #[error("{name}: {error}")]
    Strategy {
        /// The name of the strategy.
        name: String,
        /// Why it does not.
        error: ForeignStrategy,
    },
    /// A tree or a strategy is for another endgame.
    #[error("{name} is for {played}, not {asked}: leave it out, or ask for {played}")]
    OtherMaterial {
        /// The name of the tree or strategy.
        name: String,
        /// The endgame it is for.
        played: Material,
        /// The endgame that was asked about.
        asked: Material,
    },
    /// A search goes by time.
    #[error(transparent)]
    Search(#[from] TimedSearch),
    /// A player cannot be proved.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// A theory does not keep what it was searched for.
    #[error(transparent)]
    Verify(#[from] BrokenGuarantee),
    /// Whoever watched did not want to wait.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
