use super::super::file::ParseTrainedError;
use super::super::rate::FallingRate;
use super::params::ChessParams;
use serde::{Deserialize, Serialize};

/// The description of the weights in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    format: u32,
    evaluation: String,
    rate: FallingRate,
    lambda: f64,
    explore: f64,
    random: f64,
    games: u64,
    seed: u64,
    /// The number of games played so far.
    done: u64,
}

const FORMAT: u32 = 1;

/// The purpose of the weights, as named in the file.
const EVALUATION: &str = "learned";

impl Head {
    pub(super) fn new(params: &ChessParams, done: u64) -> Self {
        let &ChessParams { rate, lambda, explore, random, games, seed } = params;
        let evaluation = EVALUATION.into();
        Self { format: FORMAT, evaluation, rate, lambda, explore, random, games, seed, done }
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a head is JSON")
    }

    /// The training parameters and the number of games played.
    pub(super) fn read(self) -> Result<(ChessParams, u64), ParseTrainedError> {
        let Self { format, evaluation, rate, lambda, explore, random, games, seed, done } = self;
        if format != FORMAT {
            return Err(ParseTrainedError::Format(format));
        }
        if evaluation != EVALUATION {
            return Err(ParseTrainedError::OtherUse {
                found: evaluation,
                asked: EVALUATION.into(),
            });
        }
        let params = ChessParams { rate, lambda, explore, random, games, seed };
        params.check()?;
        Ok((params, done.min(games)))
    }
}
