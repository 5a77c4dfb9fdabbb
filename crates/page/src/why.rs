//! The reasons for a player's move, step by step, and the cost of other moves.

use super::position::parse;
use super::query::{OfParameter, list};
use super::{ApiError, PageState, Result};
use lucena_chess::{Material, Move};
use lucena_explain::{Alternative, Reasons, explain};
use lucena_play::SearchPlayer;
use lucena_report as report;
use lucena_roster::PlayerName;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

/// A position, a player, and the moves to compare with its move.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct WhyQuery {
    /// The position as a FEN.
    fen: String,
    /// The player.
    player: String,
    /// Other moves in UCI, separated by commas.
    instead: Option<String>,
}

pub(super) fn why(state: &PageState, query: WhyQuery) -> Result<Reasons> {
    let (position, game) = parse(&query.fen)?;
    let player = state.player(&query.player).of_parameter("player")?;
    let material = position.material();
    let instead = list(query.instead.as_deref()).map(|text| position.parse_move(text));
    let instead: Vec<Move> = instead.collect::<Result<_, _>>().of_parameter("instead")?;
    let tablebase = state.tablebase(material)?;
    let verdicts = state.verdicts(&tablebase, &game, &position)?;
    let name = query.player.clone();
    let policy = match (state.model(&player, material)?, player.name()) {
        (Some(model), _) => Some(model.policy(&tablebase)?),
        (None, PlayerName::Tablebase) => Some(player.policy(&tablebase)?),
        (None, _) => None,
    };
    if let Some(policy) = policy {
        let told = explain(&*policy, &name, &tablebase, &verdicts, &instead)?;
        return Ok(told.reasons(&tablebase)?);
    }
    let of_its_own = |trained: Material| match trained == material {
        true => state.tablebase(material),
        false => Err(ApiError::BadRequest(format!(
            "the player was trained for {trained}, not for {material}: choose another player"
        ))),
    };
    if let Some(predictions) = player.predictions(&game, of_its_own)? {
        let told = report::explain_trained(name, &predictions, &game).reasons(&game);
        let told = told.ok_or_else(|| {
            ApiError::bad_request(
                "the player has no move here: it plays the strong side of its endgame, or the game is over",
            )
        })?;
        let instead = Alternative::by_table(&tablebase, &verdicts, &instead)?;
        return Ok(Reasons { instead, ..told });
    }
    match player.name() {
        PlayerName::Search(search) => {
            let evaluation = search.evaluation.load().map_err(ApiError::bad_request)?;
            let mut player =
                SearchPlayer::new(super::bounded(search.params), Arc::clone(&evaluation));
            let told = report::explain_search(&mut player, &*evaluation, &game).reasons(&game);
            let told =
                told.ok_or_else(|| ApiError::bad_request("there is no move: the game is over"))?;
            let instead = Alternative::by_table(&tablebase, &verdicts, &instead)?;
            Ok(Reasons { player: name, instead, ..told })
        }
        other => Err(ApiError::BadRequest(format!(
            "{other} gives no reasons: choose theory, exact, learned, strategy, measure, tablebase, a search or a trained player"
        ))),
    }
}
