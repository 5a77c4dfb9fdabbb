use lucena_base::progress::Stopped;
use lucena_chess::{IllegalMove, Material, Position};
use lucena_proof::ProveError;
use lucena_proof::policy::Unplayable;
use lucena_tablebase::{ProbeError, UnknownMaterial};

/// The reasons why an explanation fails.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The player knows another endgame.
    #[error(
        "the player knows {player}, the position is one of {position}: take a player for {position}"
    )]
    OtherMaterial {
        /// The endgame of the player.
        player: Material,
        /// The endgame of the position.
        position: Material,
    },
    /// The player goes by no model that can be read.
    #[error(
        "{0} gives no reasons for its moves: choose a player that goes by a tree, a strategy or a measure"
    )]
    NoModel(String),
    /// The game is over.
    #[error("there is no move to explain: \"{0}\" is {end}", end = if .0.is_check() { "checkmate" } else { "stalemate" })]
    Over(Box<Position>),
    /// The side that the player does not play is to move.
    #[error("the player does not play the side to move in \"{0}\": explain it by the table")]
    OtherSide(Box<Position>),
    /// The table is of another endgame.
    #[error(transparent)]
    Table(#[from] UnknownMaterial),
    /// The strategy of a lesson cannot be proved.
    #[error(transparent)]
    Prove(ProveError),
    /// The strategy of a lesson makes no policy without one of its parts.
    #[error(transparent)]
    Foreign(#[from] Unplayable),
    /// A requested move is not legal.
    #[error(transparent)]
    IllegalMove(#[from] IllegalMove),
    /// The observer asked to stop, or a table file can no longer be read.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<ProveError> for ExplainError {
    fn from(error: ProveError) -> Self {
        match error {
            ProveError::Stopped(stopped) => Self::Stopped(stopped),
            error => Self::Prove(error),
        }
    }
}

impl From<ProbeError> for ExplainError {
    fn from(error: ProbeError) -> Self {
        match error {
            ProbeError::Unknown(unknown) => unknown.into(),
            error => Stopped::from(error).into(),
        }
    }
}
