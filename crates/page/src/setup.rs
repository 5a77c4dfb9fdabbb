//! Positions that are being set up.

use super::{Refusal, Shelf};
use lucena_chess::{FenError, Game, IllegalPosition, Setup};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct SetupQuery {
    /// A FEN, of whatever position.
    fen: String,
}

/// What is to be said of a position that is being set up.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SetupTold {
    /// Whether it is legal.
    legal: bool,
    /// What is wrong with it, in sentences.
    problems: Vec<String>,
    /// It as a whole FEN; null where it is not legal.
    fen: Option<String>,
    /// Its endgame, as KRvK; null where it is none that can be solved.
    endgame: Option<String>,
    /// Whether it can be looked up.
    solvable: bool,
}

pub(super) fn setup(_: &Shelf, query: SetupQuery) -> Result<SetupTold, Refusal> {
    let setup: Setup = query.fen.parse().map_err(FenError::from)?;
    Ok(match setup.game() {
        Ok(game) => {
            let endgame = endgame(&game);
            let solvable = endgame.is_some();
            SetupTold {
                legal: true,
                problems: Vec::new(),
                fen: Some(game.to_string()),
                endgame,
                solvable,
            }
        }
        Err(illegal) => SetupTold {
            legal: false,
            problems: problems(&illegal),
            fen: None,
            endgame: None,
            solvable: false,
        },
    })
}

/// The endgame that a game has come to, if it is one that can be solved.
pub(super) fn endgame(game: &Game) -> Option<String> {
    game.position().ok().map(|position| position.material().to_string())
}

fn problems(illegal: &IllegalPosition) -> Vec<String> {
    let sentence = |reason: &lucena_chess::Refusal| {
        format!("{}.", lucena_base::words::capital(&reason.to_string()))
    };
    illegal.reasons().iter().map(sentence).collect()
}
