use lucena_chess::Material;
use lucena_files::LoadError;
use lucena_play::TimedSearch;
use lucena_proof::policy::{ForeignStrategy, ForeignTree, NoGeneratedTree};
use lucena_search::evaluation::ParseWeightsError;
use lucena_tree::{ParseStrategyError, ParseTreeError};

/// An error in loading a player.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadPlayerError {
    /// The tree cannot be loaded.
    #[error(transparent)]
    Tree(#[from] LoadError<ParseTreeError>),
    /// The strategy cannot be loaded.
    #[error(transparent)]
    Strategy(#[from] LoadError<ParseStrategyError>),
    /// The weights cannot be loaded.
    #[error(transparent)]
    Weights(#[from] LoadError<ParseWeightsError>),
    /// The trained weights cannot be loaded.
    #[error(transparent)]
    Trained(#[from] LoadError<lucena_train::ParseTrainedError>),
}

/// An error for a player that cannot be used as a policy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The tree does not fit.
    #[error(transparent)]
    Tree(#[from] ForeignTree),
    /// The strategy does not fit.
    #[error(transparent)]
    Strategy(#[from] ForeignStrategy),
    /// The strategy is for another endgame.
    #[error(
        "the strategy is for {played}, not for {asked}: leave {asked} out, or take another strategy"
    )]
    OtherEndgame {
        /// The endgame of the strategy.
        played: Material,
        /// The endgame requested.
        asked: Material,
    },
    /// This build has no strategy for the endgame.
    #[error(
        "this build carries no strategy for {0}: find one by \"lucena strategy {0} --out strategy.json\" and choose --player strategy:strategy.json"
    )]
    NoStrategy(Material),
    /// This build has no code for the endgame.
    #[error(transparent)]
    Generated(#[from] NoGeneratedTree),
    /// The player depends on time.
    #[error(transparent)]
    Timed(#[from] TimedSearch),
    /// The player's moves are random.
    #[error("{0} plays random moves, so nothing can be proved of it: let it play in an arena")]
    DrawsLots(&'static str),
    /// The weights were trained for something else.
    #[error(transparent)]
    Trained(#[from] lucena_train::ForeignTraining),
}
