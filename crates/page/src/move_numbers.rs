//! The number of a measure in a position and after each move, without a search.

use super::position::parse;
use super::query::{OfParameter, Optional, WholeNumber};
use super::stages::stage_of;
use super::{ApiError, PageState, Result};
use lucena_base::plural::capital;
use lucena_chess::{Material, Side};
use lucena_explain::TermFinding;
use lucena_explain::diagram::Mark;
use lucena_proof::policy::with_weak_to_move;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
pub(super) struct MoveNumbersQuery {
    /// The position as a FEN.
    fen: String,
    /// The endgame of the lesson in stages; default that of the position.
    material: Optional<Material, String>,
    /// The number of a stage of that lesson, from 1, whose end is checked; default none.
    stage: Optional<WholeNumber, u64>,
}

/// The number of the endgame's smallest measure in a position.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct MoveNumbersResponse {
    /// The number, read as if the weak side were to move; null if this build has no measure for the endgame.
    number: Option<i32>,
    /// The number as a sum of its terms, such as 14 + 90 = 104; empty without a measure.
    sum: String,
    /// The terms, each in a sentence.
    terms: Vec<String>,
    /// The squares that the terms are about.
    marks: Vec<Mark>,
    /// The legal moves.
    moves: Vec<MoveNumber>,
    /// The end of the stage; null if the query names no stage.
    goal: Option<GoalView>,
}

/// A move and the number after it.
#[derive(Debug, Serialize, JsonSchema)]
struct MoveNumber {
    /// The move in UCI.
    uci: String,
    /// The move in standard algebraic notation.
    san: String,
    /// The number right after it; null in another endgame and without a measure.
    number: Option<i32>,
}

/// The end of a stage.
#[derive(Debug, Serialize, JsonSchema)]
struct GoalView {
    /// True if the position reaches it.
    reached: bool,
    /// The end in words, without a full stop.
    says: &'static str,
}

pub(super) fn move_numbers(
    state: &PageState,
    query: MoveNumbersQuery,
) -> Result<MoveNumbersResponse> {
    let (position, _) = parse(&query.fen)?;
    let material = position.material();
    let of = query.material.0.unwrap_or(material);
    let stage = query.stage.0.map(|number| stage_of(of, number)).transpose();
    let stage = stage.of_parameter("stage")?;
    let goal = stage.map(|stage| GoalView {
        reached: position.turn() == Side::Weak && stage.game.goal.is_reached(of, &position),
        says: &stage.game.done,
    });
    let policy = state.smallest_measure(material);
    let moves = position.moves().into_iter().map(|mv| {
        let after = position.play(mv)?;
        let is_measured = after.material() == material;
        let number = policy.as_ref().filter(|_| is_measured);
        let number = number.map(|policy| policy.value(&with_weak_to_move(&after)));
        Ok::<_, ApiError>(MoveNumber { uci: mv.to_string(), san: position.san(mv)?, number })
    });
    let moves = moves.collect::<Result<_>>()?;
    let Some(policy) = policy else {
        let (sum, terms, marks) = (String::new(), Vec::new(), Vec::new());
        return Ok(MoveNumbersResponse { number: None, sum, terms, marks, moves, goal });
    };
    let read = with_weak_to_move(&position);
    let terms = TermFinding::all(&policy, &read);
    let number = policy.value(&read);
    Ok(MoveNumbersResponse {
        number: Some(number),
        sum: TermFinding::sum(&terms, number),
        marks: TermFinding::marks(&terms),
        terms: terms.iter().map(|term| capital(&format!("{}.", term.sentence))).collect(),
        moves,
        goal,
    })
}
