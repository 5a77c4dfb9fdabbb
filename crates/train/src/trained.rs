use super::endgame::{EndgameWeights, LearnedPolicy};
use super::error::ForeignTraining;
use super::file::{ParseTrainedError, is_safetensors};
use super::whole::{ChessWeights, LearnedPlayer, Plies};
use lucena_chess::Material;
use lucena_play::Player;
use lucena_proof::policy::Policy;
use lucena_search::evaluation::Evaluation;
use lucena_tablebase::Tablebase;
use serde::Deserialize;

/// What a file of weights holds, whatever it was trained for.
///
/// ```
/// use lucena::train::{ChessParams, ChessWeights, Trained};
///
/// let bytes = ChessWeights::new(ChessParams::default())?.to_bytes();
/// let trained = Trained::from_bytes(&bytes)?;
/// assert!(trained.endgame().is_none() && trained.player(1).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub enum Trained {
    /// An endgame.
    Endgame(Box<EndgameWeights>),
    /// Whole games.
    Chess(Box<ChessWeights>),
}

/// As much of a file as tells what it is for.
#[derive(Deserialize)]
struct Outline {
    head: Use,
}

#[derive(Deserialize)]
struct Use {
    material: Option<String>,
}

impl Trained {
    /// Reads a file that `lucena train` has written.
    ///
    /// # Errors
    /// When it is damaged, or none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ParseTrainedError> {
        let is_endgame = is_safetensors(bytes) || {
            let outline: Outline = serde_json::from_slice(bytes)?;
            outline.head.material.is_some()
        };
        Ok(if is_endgame {
            Self::Endgame(Box::new(EndgameWeights::from_bytes(bytes)?))
        } else {
            Self::Chess(Box::new(ChessWeights::from_bytes(bytes)?))
        })
    }

    /// The only endgame that it plays; nothing for one that plays whole games.
    pub fn endgame(&self) -> Option<Material> {
        match self {
            Self::Endgame(weights) => Some(weights.material()),
            Self::Chess(_) => None,
        }
    }

    /// The policy that plays the endgame of a table by it, one ply ahead.
    ///
    /// # Errors
    /// When it was trained for something else.
    pub fn policy<'t>(
        &self,
        tablebase: &'t Tablebase,
    ) -> Result<Box<dyn Policy + 't>, ForeignTraining> {
        match self {
            Self::Endgame(weights) => Ok(Box::new(LearnedPolicy::new(weights, tablebase)?)),
            Self::Chess(_) => Err(ForeignTraining::WholeGames),
        }
    }

    /// A player of whole games that looks 1 or 2 plies ahead; nothing for another number, or if it
    /// knows only an endgame.
    pub fn player(&self, plies: u8) -> Option<Box<dyn Player>> {
        let plies = match plies {
            1 => Plies::One,
            2 => Plies::Two,
            _ => return None,
        };
        match self {
            Self::Endgame(_) => None,
            Self::Chess(weights) => {
                Some(Box::new(LearnedPlayer { weights: ChessWeights::clone(weights), plies }))
            }
        }
    }

    /// The evaluation of boards that it has learned; nothing if it knows only an endgame.
    pub fn evaluation(&self) -> Option<Box<dyn Evaluation>> {
        match self {
            Self::Endgame(_) => None,
            Self::Chess(weights) => Some(Box::new(ChessWeights::clone(weights))),
        }
    }
}
