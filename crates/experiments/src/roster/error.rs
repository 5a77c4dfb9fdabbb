use lucena_chess::Material;
use lucena_files::LoadError;
use lucena_play::TimedSearch;
use lucena_proof::policy::{ForeignStrategy, ForeignTree, NoGeneratedTree};
use lucena_search::evaluation::ParseWeightsError;
use lucena_tree::{ParseStrategyError, ParseTreeError};

/// Why what a player is made from cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadPlayerError {
    /// Its tree.
    #[error(transparent)]
    Tree(#[from] LoadError<ParseTreeError>),
    /// Its strategy.
    #[error(transparent)]
    Strategy(#[from] LoadError<ParseStrategyError>),
    /// Its weights.
    #[error(transparent)]
    Weights(#[from] LoadError<ParseWeightsError>),
    /// What it was trained to.
    #[error(transparent)]
    Trained(#[from] LoadError<lucena_train::ParseTrainedError>),
}

/// Why a player makes no policy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// Its tree does not fit.
    #[error(transparent)]
    Tree(#[from] ForeignTree),
    /// Its strategy does not fit.
    #[error(transparent)]
    Strategy(#[from] ForeignStrategy),
    /// It goes by a strategy for another endgame.
    #[error(
        "the strategy is for {played}, not for {asked}: leave {asked} out, or take another strategy"
    )]
    OtherEndgame {
        /// What it is for.
        played: Material,
        /// What it was asked to play.
        asked: Material,
    },
    /// This build carries no strategy for the endgame.
    #[error(
        "this build carries no strategy for {0}: find one by \"lucena strategy {0} --out strategy.json\" and choose --player strategy:strategy.json"
    )]
    NoStrategy(Material),
    /// This build has no code for the endgame.
    #[error(transparent)]
    Generated(#[from] NoGeneratedTree),
    /// It goes by time.
    #[error(transparent)]
    Timed(#[from] TimedSearch),
    /// It draws lots.
    #[error(
        "{0} draws lots, so it is no function of the position and nothing can be proved of it: let it play in an arena"
    )]
    DrawsLots(&'static str),
    /// It was trained for something else.
    #[error(transparent)]
    Trained(#[from] lucena_train::ForeignTraining),
}
