//! Positions on the board editor.

use super::{ApiError, PageState};
use lucena_chess::{FenError, Game, IllegalPosition, Setup};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct SetupQuery {
    /// A FEN, of any position, legal or not.
    fen: String,
}

/// A check of a position that is being set up.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SetupResponse {
    /// True if it is legal.
    legal: bool,
    /// The problems, in sentences.
    problems: Vec<String>,
    /// The position as a complete FEN; null if it is illegal.
    fen: Option<String>,
    /// The endgame, such as KRvK; null if it is none that can be solved.
    endgame: Option<String>,
    /// True if it can be looked up.
    solvable: bool,
}

pub(super) fn setup(_: &PageState, query: SetupQuery) -> Result<SetupResponse, ApiError> {
    let setup: Setup = query.fen.parse().map_err(FenError::from)?;
    let game = setup.game();
    let endgame = game.as_ref().ok().and_then(endgame);
    Ok(SetupResponse {
        legal: game.is_ok(),
        problems: game.as_ref().err().map_or_else(Vec::new, problems),
        fen: game.ok().map(|game| game.to_string()),
        solvable: endgame.is_some(),
        endgame,
    })
}

/// The endgame that a game has reached, if it is one that can be solved.
pub(super) fn endgame(game: &Game) -> Option<String> {
    game.position().ok().map(|position| position.material().to_string())
}

fn problems(illegal: &IllegalPosition) -> Vec<String> {
    let sentence = |reason: &lucena_chess::SetupError| {
        format!("{}.", lucena_base::plural::capital(&reason.to_string()))
    };
    illegal.reasons().iter().map(sentence).collect()
}
