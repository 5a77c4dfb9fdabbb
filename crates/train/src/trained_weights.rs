use super::endgame::{EndgameWeights, LearnedPolicy};
use super::error::{ParseWeightsFileError, TrainingMismatch, is_safetensors};
use super::full_game::{ChessWeights, LearnedLookAhead, LearnedPlayer};
use lucena_base::text::decode;
use lucena_chess::Material;
use lucena_play::Player;
use lucena_proof::policy::Policy;
use lucena_search::evaluation::Evaluation;
use lucena_tablebase::Tablebase;
use serde::Deserialize;

/// Trained weights of either kind, as read from a file.
#[derive(Debug, Clone)]
pub enum TrainedWeights {
    /// Weights for an endgame.
    Endgame(Box<EndgameWeights>),
    /// Weights for full games.
    Chess(Box<ChessWeights>),
}

/// The part of a file that says what the weights are for.
#[derive(Deserialize)]
struct WeightsOutline {
    head: Purpose,
}

#[derive(Deserialize)]
struct Purpose {
    material: Option<String>,
}

impl TrainedWeights {
    /// Reads a file that `lucena train` has written.
    ///
    /// # Errors
    /// If the file is damaged or not a file of weights.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ParseWeightsFileError> {
        let is_endgame = is_safetensors(bytes) || {
            let outline: WeightsOutline = serde_json::from_str(decode(bytes)?)?;
            outline.head.material.is_some()
        };
        Ok(if is_endgame {
            Self::Endgame(Box::new(EndgameWeights::from_bytes(bytes)?))
        } else {
            Self::Chess(Box::new(ChessWeights::from_bytes(bytes)?))
        })
    }

    /// The endgame the weights are for; `None` for weights for full games.
    pub fn endgame(&self) -> Option<Material> {
        match self {
            Self::Endgame(weights) => Some(weights.material()),
            Self::Chess(_) => None,
        }
    }

    /// The policy that plays the table's endgame by these weights, looking one ply ahead.
    ///
    /// # Errors
    /// If the weights were trained for something else.
    pub fn policy<'t>(
        &self,
        tablebase: &'t Tablebase,
    ) -> Result<Box<dyn Policy + 't>, TrainingMismatch> {
        match self {
            Self::Endgame(weights) => Ok(Box::new(LearnedPolicy::new(weights, tablebase)?)),
            Self::Chess(_) => Err(TrainingMismatch::WholeGames),
        }
    }

    /// A player of full games that looks 1 or 2 plies ahead; `None` for any other number, or if the
    /// weights are for an endgame.
    pub fn player(&self, plies: u8) -> Option<Box<dyn Player>> {
        let plies = match plies {
            1 => LearnedLookAhead::One,
            2 => LearnedLookAhead::Two,
            _ => return None,
        };
        match self {
            Self::Endgame(_) => None,
            Self::Chess(weights) => {
                Some(Box::new(LearnedPlayer { weights: ChessWeights::clone(weights), plies }))
            }
        }
    }

    /// The learned evaluation of boards; `None` if the weights are for an endgame.
    pub fn evaluation(&self) -> Option<Box<dyn Evaluation>> {
        match self {
            Self::Endgame(_) => None,
            Self::Chess(weights) => Some(Box::new(ChessWeights::clone(weights))),
        }
    }
}
