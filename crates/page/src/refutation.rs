//! Why a move is wrong: the line that punishes it.

use super::position::parse;
use super::query::{OfParameter, Optional};
use super::{PageState, Result};
use lucena_chess::{Move, Position, Side};
use lucena_explain::{Forced, PlayedMove, Refutation};
use lucena_proof::measure::LookedAhead;
use lucena_proof::policy::Decision;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
pub(super) struct RefutationQuery {
    /// The position before the move, as a FEN.
    fen: String,
    /// The move in UCI.
    #[serde(rename = "move")]
    mv: String,
    /// measure: the answer also has the number that the move forces by the endgame's smallest measure. Default the
    /// table alone.
    player: Optional<String>,
}

/// The line that punishes a move.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RefutationResponse {
    /// The fault of the move, in sentences that do not name the better move.
    says: String,
    /// The better move, in a sentence; empty if there is none.
    better: String,
    /// The move and the line after it; only the move if nothing is wrong with it.
    line: Vec<PlayedMove>,
}

pub(super) fn refutation(state: &PageState, query: RefutationQuery) -> Result<RefutationResponse> {
    let (position, mut game) = parse(&query.fen)?;
    let tablebase = state.tablebase(position.material())?;
    let mv = position.parse_move(&query.mv).of_parameter("move")?;
    let found = Refutation::of(&tablebase, &position, mv)?;
    tablebase.check_readable()?;
    let mut says = found.says;
    if query.player.0.as_deref() == Some("measure")
        && let Some(forces) = forced(state, &position, mv)?
    {
        says = format!("{says} {forces}");
    }
    let line = found.line.iter().map(|&mv| Ok(PlayedMove::play(&mut game, mv)?));
    Ok(RefutationResponse { says, better: found.better, line: line.collect::<Result<_>>()? })
}

/// The number that a move forces that is not among the best, by the smallest measure, in a sentence; `None` if the measure does not
/// compare it.
fn forced(state: &PageState, position: &Position, mv: Move) -> Result<Option<String>> {
    let Some(policy) = state.smallest_measure(position.material()) else { return Ok(None) };
    if position.turn() == Side::Weak {
        return Ok(None);
    }
    let Decision::Compared(LookedAhead { moves, tied, .. }) = policy.decide(position) else {
        return Ok(None);
    };
    let Some(at) = moves.iter().position(|(other, _)| *other == mv) else {
        return Ok(None);
    };
    if tied.contains(&at) {
        return Ok(None);
    }
    let forces = Forced::by_move(policy.forced_after(&moves[at].1)).as_less(position.material());
    Ok(Some(format!("By the measure, it forces {forces}.")))
}
