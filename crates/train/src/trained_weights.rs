use super::endgame::{EndgameWeights, LearnedPolicy};
use super::error::{ParseWeightsFileError, TrainingMismatch};
use super::full_game::{ChessWeights, LearnedLookAhead, LearnedPlayer};
use super::published::PublishedWeights;
use super::purpose::Purpose;
use super::td_player::{LookAhead, TdPlayer};
use super::whole_game_policy::WholeGamePolicy;
use lucena_chess::{Game, Material, Move};
use lucena_play::Player;
use lucena_proof::policy::Policy;
use lucena_search::evaluation::Evaluation;
use lucena_tablebase::Tablebase;

/// Trained weights of any kind, as read from a file.
#[derive(Debug, Clone)]
pub enum TrainedWeights {
    /// Weights for an endgame.
    Endgame(Box<EndgameWeights>),
    /// Weights for full games.
    Chess(Box<ChessWeights>),
    /// Weights of the published network, for full games.
    Published(Box<PublishedWeights>),
}

impl TrainedWeights {
    /// Reads a file that `lucena train` has written.
    ///
    /// # Errors
    /// If the file is damaged or not a file of weights.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ParseWeightsFileError> {
        Ok(match Purpose::new(bytes)? {
            Purpose::Endgame => Self::Endgame(Box::new(EndgameWeights::of_purpose(bytes)?)),
            Purpose::Improved => Self::Chess(Box::new(ChessWeights::of_purpose(bytes)?)),
            Purpose::Published => Self::Published(Box::new(PublishedWeights::of_purpose(bytes)?)),
        })
    }

    /// The endgame the weights are for; `None` for weights for full games.
    pub fn endgame(&self) -> Option<Material> {
        match self {
            Self::Endgame(weights) => Some(weights.material()),
            Self::Chess(_) | Self::Published(_) => None,
        }
    }

    /// The policy that plays the table's endgame by these weights. Weights for an endgame look one ply
    /// ahead; those for full games look as far as [`Self::player`] does.
    ///
    /// # Errors
    /// If the weights were trained for another endgame.
    pub fn policy<'t>(
        &self,
        tablebase: &'t Tablebase,
        plies: Option<LearnedLookAhead>,
    ) -> Result<Box<dyn Policy + 't>, TrainingMismatch> {
        Ok(match self {
            Self::Endgame(weights) => Box::new(LearnedPolicy::new(weights, tablebase)?),
            Self::Chess(weights) => {
                Box::new(WholeGamePolicy::new(tablebase, learned_player(weights, plies)))
            }
            Self::Published(weights) => {
                Box::new(WholeGamePolicy::new(tablebase, published_player(weights, plies)))
            }
        })
    }

    /// A player of full games; `None` if the weights are for an endgame. If no look-ahead is given, it
    /// is that of the games against an opponent from which the weights were learned, or else one ply.
    pub fn player(&self, plies: Option<LearnedLookAhead>) -> Option<Box<dyn Player>> {
        match self {
            Self::Endgame(_) => None,
            Self::Chess(weights) => Some(Box::new(learned_player(weights, plies))),
            Self::Published(weights) => Some(Box::new(published_player(weights, plies))),
        }
    }

    /// The prediction for each move in a full game, as [`TdPlayer::predictions`] and
    /// [`LearnedPlayer::predictions`] give it; `None` if the weights are for an endgame.
    pub fn predictions(
        &self,
        game: &Game,
        plies: Option<LearnedLookAhead>,
    ) -> Option<Vec<(Move, f32)>> {
        match self {
            Self::Endgame(_) => None,
            Self::Chess(weights) => Some(learned_player(weights, plies).predictions(game)),
            Self::Published(weights) => {
                Some(published_player(weights, plies).predictions(game.board()))
            }
        }
    }

    /// The learned evaluation of boards; `None` for weights for an endgame, and for those of the
    /// published network.
    pub fn evaluation(&self) -> Option<Box<dyn Evaluation>> {
        match self {
            Self::Endgame(_) | Self::Published(_) => None,
            Self::Chess(weights) => Some(Box::new(ChessWeights::clone(weights))),
        }
    }
}

fn learned_player(weights: &ChessWeights, plies: Option<LearnedLookAhead>) -> LearnedPlayer {
    let plies = plies.or(weights.plies()).unwrap_or(LearnedLookAhead::One);
    LearnedPlayer { weights: weights.clone(), plies }
}

fn published_player(weights: &PublishedWeights, plies: Option<LearnedLookAhead>) -> TdPlayer {
    let player = weights.player();
    let look_ahead = plies.map_or(player.look_ahead, LookAhead::from);
    TdPlayer { look_ahead, ..player }
}
