//! A player's move in a game.

use super::game::played;
use super::query::Optional;
use super::{ApiError, PageState};
use lucena_base::plural::capital;
use lucena_base::progress::Observer;
use lucena_chess::Game;
use lucena_experiments::roster::{PlayerName, RosterEntrant};
use lucena_play::arena::Entrant;
use lucena_play::{Forfeit, Grounds, MoveRequest, TimeMode};
use lucena_proof::policy::{PolicyGrounds, StrategyPolicy};
use lucena_strategy::Sentences;
use lucena_tablebase::Tablebase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// A game, and the player that is to move.
#[derive(Deserialize, JsonSchema)]
pub(super) struct PlayerMoveQuery {
    /// The position that the game begins with, as a FEN; default the initial position.
    fen: Optional<Game, String>,
    /// The moves played so far, in UCI, separated by commas.
    moves: Option<String>,
    /// The player that is to move.
    player: String,
    /// The seed of a player that moves at random; default 1.
    seed: Option<u64>,
}

/// A move.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PlayerMoveResponse {
    /// The move in UCI.
    uci: String,
    /// The move in standard algebraic notation.
    san: String,
    /// The reason for the move, in a sentence; null if the player gives none.
    because: Option<String>,
    /// The time it took, in seconds.
    seconds: f64,
}

/// The longest time that a player may think.
pub(super) const LONGEST: Duration = Duration::from_secs(10);

/// Stops a search when its time is up.
struct Deadline(Instant);

impl Observer for Deadline {
    fn is_stopped(&self) -> bool {
        self.0.elapsed() >= LONGEST
    }
}

pub(super) fn chosen(
    shelf: &PageState,
    query: PlayerMoveQuery,
) -> Result<PlayerMoveResponse, ApiError> {
    let game = played(query.fen.0, query.moves.as_deref())?;
    let status = game.status();
    if game.moves().is_empty() {
        return Err(ApiError::BadRequest(status.to_string()));
    }
    let player = shelf.player(&query.player)?;
    let mut tablebases: Vec<Tablebase> = Vec::new();
    let knows_endgames = !player.name().plays_full_games() || player.endgame()?.is_some();
    let known = game.position().ok().map(|position| position.material());
    if let (true, Some(material)) = (knows_endgames, known.filter(|&it| shelf.has_quickly(it))) {
        tablebases.push(shelf.tablebase(material)?);
    }
    let entry = RosterEntrant::new(&player, &tablebases)?;
    // Each move has its own seed, which stays the same if the move is requested again.
    let seed =
        query.seed.unwrap_or(1).wrapping_mul(1 << 10).wrapping_add(game.history().len() as u64);
    let mut seat = entry.seat(seed)?;
    let begun = Instant::now();
    let patience = Deadline(begun);
    let choice = seat.choose_for(&game, &MoveRequest::at(TimeMode::Free, &patience));
    tablebases.iter().try_for_each(Tablebase::intact)?;
    let choice = choice.map_err(|forfeit| match forfeit {
        Forfeit::NoMove => ApiError::BadRequest(format!(
            "{} has no move here: it only knows its own endgames, and only moves for the strong side",
            query.player
        )),
        forfeit => ApiError::nonsense(forfeit),
    })?;
    let policy = match (&choice.grounds, game.position()) {
        (Grounds::Policy(PolicyGrounds::Strategy { .. }), Ok(position)) => {
            player.strategy(position.material())?
        }
        _ => None,
    };
    Ok(PlayerMoveResponse {
        uci: game.uci(choice.mv)?,
        san: game.san(choice.mv)?,
        because: because(player.name(), &choice.grounds, policy.as_ref()),
        seconds: begun.elapsed().as_secs_f64(),
    })
}

/// The reason for a move, in a sentence.
fn because(
    player: &PlayerName,
    grounds: &Grounds,
    policy: Option<&StrategyPolicy>,
) -> Option<String> {
    Some(match grounds {
        Grounds::Unstated => return None,
        Grounds::Book => "It is in the book.".into(),
        Grounds::Policy(PolicyGrounds::Table) => "The table says so.".into(),
        Grounds::Policy(PolicyGrounds::Tree { .. } | PolicyGrounds::Other { .. }) => {
            format!("{} says so.", capital(&player.to_string()))
        }
        Grounds::Policy(PolicyGrounds::Strategy { used, .. }) => match (used.rule, policy) {
            (Some(rule), Some(policy)) => {
                format!(
                    "Rule {}: {}.",
                    rule + 1,
                    Sentences::new(policy).rule(rule).trim_end_matches('.')
                )
            }
            _ => "No rule is needed.".into(),
        },
        Grounds::Search(found) => format!("It looked {} plies deep.", found.depth),
    })
}
