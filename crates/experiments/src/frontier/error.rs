use lucena_base::work::Stopped;
use lucena_chess::Material;
use lucena_dataset::DatasetError;
use lucena_learn::LearnError;
use lucena_play::TimedSearch;
use lucena_proof::ProveError;
use lucena_proof::policy::{ForeignStrategy, ForeignTree};
use lucena_theory::{BrokenGuarantee, TheoryError};

/// An error in computing a frontier.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FrontierError {
    /// The data set cannot be built.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// Learning failed.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The endgame has no theories, or a search cannot start.
    #[error(transparent)]
    Theory(#[from] TheoryError),
    /// A tree cannot be used as a player.
    #[error("{name}: {error}")]
    Tree {
        /// The name of the tree.
        name: String,
        /// The reason.
        error: ForeignTree,
    },
    /// A strategy cannot be used as a player.
    #[error("{name}: {error}")]
    Strategy {
        /// The name of the strategy.
        name: String,
        /// The reason.
        error: ForeignStrategy,
    },
    /// A tree or a strategy is for another endgame.
    #[error("{name} is for {played}, not {asked}: leave it out, or ask for {played}")]
    OtherMaterial {
        /// The name of the tree or strategy.
        name: String,
        /// The endgame it is for.
        played: Material,
        /// The endgame requested.
        asked: Material,
    },
    /// A search depends on time.
    #[error(transparent)]
    Search(#[from] TimedSearch),
    /// A player cannot be proved.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// A theory does not keep its guarantee.
    #[error(transparent)]
    Verify(#[from] BrokenGuarantee),
    /// The observer stopped the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
