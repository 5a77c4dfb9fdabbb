//! The move of either side by the table: what keeps the result, and what every other move allows.

use super::error::ExplainError;
use super::move_value::{ChosenMove, MoveValuation, ValuedMove, as_texts};
use lucena_base::plural::{moves, number, word_list};
use lucena_chess::{Color, Move};
use lucena_tablebase::{MoveVerdicts, Outcome, Tablebase, Verdict, Wdl};
use schemars::JsonSchema;
use serde::Serialize;

/// A move of either side, explained by the table. Distances to mate are in plies from the side to move's point of view:
/// negative if it is mated, null for a draw.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "TableMoveReport")]
pub struct TableExplanation {
    /// The move that is played, among all others.
    #[serde(flatten)]
    pub chosen: ChosenMove,
    /// The reason in one sentence: the moves that keep the result.
    pub reason: String,
    /// The best moves in UCI: those that mate soonest, hold the draw, or put off the mate for longest.
    #[serde(serialize_with = "as_texts")]
    #[schemars(with = "Vec<String>")]
    pub best: Vec<Move>,
    /// All moves, the best first.
    pub moves: Vec<TableMove>,
    /// The requested other moves, compared with it.
    pub instead: Vec<TableMove>,
}

/// A move, and what it allows.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TableMove {
    /// The move and its value.
    #[serde(flatten)]
    pub worth: ValuedMove,
    /// Extra plies to mate compared with the move that is played; negative if fewer. Null if either move does not win.
    pub cost_plies: Option<i32>,
    /// The opponent's gain compared with the best moves, in a sentence; null for the best moves.
    pub allows: Option<String>,
}

/// Explains a move of either side by the table, and compares other moves with it. `played` is the first of the best moves
/// under the fifty-move rule if it is not given.
///
/// ```
/// use lucena_chess::HalfmoveClock;
/// use lucena_explain::explain_table;
/// use lucena_tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let position = "8/8/8/8/8/2k5/2R5/K7 b".parse()?;
/// let verdicts = tablebase.verdicts(&position, HalfmoveClock::ZERO)?;
/// let explanation = explain_table(&tablebase, &verdicts, None, &[])?;
/// assert_eq!(explanation.reason, "Kxc2 is the only move that holds the draw.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the game is over, a move is not legal, or the table is of another endgame.
pub fn explain_table(
    tablebase: &Tablebase,
    verdicts: &MoveVerdicts,
    played: Option<Move>,
    instead: &[Move],
) -> Result<TableExplanation, ExplainError> {
    let valuation = MoveValuation::by_table(tablebase, verdicts)?;
    let position = verdicts.position();
    let over = || ExplainError::Over(Box::new(*position));
    let &(first, _, best) = verdicts.best().ok_or_else(over)?;
    let played = valuation.weigh(played.unwrap_or(first))?;
    let table_move = |mv: Move| -> Result<TableMove, ExplainError> {
        let worth = valuation.weigh(mv)?;
        let is_worse = worth.verdict() != best;
        let allows = is_worse
            .then(|| sentence(&[&worth], &consequence(&worth, best, position.color_to_move())));
        Ok(TableMove { cost_plies: worth.cost_over(&played), allows, worth })
    };
    let all = verdicts.moves().iter().map(|&(mv, ..)| table_move(mv));
    let mut all: Vec<TableMove> = all.collect::<Result<_, ExplainError>>()?;
    all.sort_by_key(|one| one.worth.verdict());
    let instead = instead.iter().map(|&mv| table_move(mv));
    Ok(TableExplanation {
        reason: reason(&played, &all),
        best: all.iter().filter(|one| one.allows.is_none()).map(|one| one.worth.mv).collect(),
        moves: all,
        instead: instead.collect::<Result<_, ExplainError>>()?,
        chosen: valuation.chosen("tablebase", played)?,
    })
}

/// The reason for a move in a sentence: the moves that keep the result. `all` are all moves, the best first.
fn reason(played: &ValuedMove, all: &[TableMove]) -> String {
    let ValuedMove { san, after, .. } = played;
    let best: Vec<&ValuedMove> =
        all.iter().filter(|one| one.allows.is_none()).map(|one| &one.worth).collect();
    let Some(&first) = best.first() else { return String::new() };
    let before = first.verdict().before_move();
    if played.verdict() != first.verdict() {
        let what = match played.outcome {
            Outcome::Loss(_) => "leads to the quickest mate",
            _ => "puts off the mate for longest",
        };
        return format!("{san} {what}, but {} is better under the fifty-move rule.", first.san);
    }
    let kept: Vec<&ValuedMove> =
        all.iter().map(|one| &one.worth).filter(|worth| result(worth) == result(first)).collect();
    match result(first) {
        _ if after.is_checkmate() => format!("{san} is mate."),
        _ if all.len() == 1 => format!("{san} is the only move."),
        Wdl::Win if kept.len() == 1 => format!("{san} is the only move that wins."),
        Wdl::Draw if kept.len() == 1 => format!("{san} is the only move that holds the draw."),
        Wdl::Win if best.len() == all.len() => format!("Every move leads to {before}."),
        Wdl::Draw if kept.len() == all.len() => "Every move holds the draw.".into(),
        Wdl::Loss if best.len() == all.len() => {
            let (far, remark) =
                (before.outcome.moves().unwrap_or_default(), before.category.remark());
            format!("Every move allows mate in {far}{remark}.")
        }
        Wdl::Win => format!("{} soonest.", subject(&best, "mates", "mate")),
        Wdl::Draw => format!("{} the draw.", subject(&kept, "holds", "hold")),
        Wdl::Loss => format!("{} off the mate for longest.", subject(&best, "puts", "put")),
    }
}

/// The result of a move for the side that plays it, under the fifty-move rule as far as it is known.
fn result(worth: &ValuedMove) -> Wdl {
    let before = worth.verdict().before_move();
    before.category.wdl().unwrap_or(before.outcome.wdl())
}

/// The most moves that a sentence names.
const MAX_NAMED: usize = 8;

/// Moves and what they do: "Kd7 holds", "Kd7 and Kf7 hold", "12 moves hold".
fn subject(worths: &[&ValuedMove], one: &str, many: &str) -> String {
    let sans: Vec<&str> = worths.iter().map(|worth| worth.san.as_str()).collect();
    match sans.len() {
        1 => format!("{} {one}", sans[0]),
        named if named <= MAX_NAMED => format!("{} {many}", word_list(&sans)),
        more => format!("{} moves {many}", number(more)),
    }
}

/// The consequence of a worse move: what one move does, what several do, and the rest of the sentence.
pub(super) type Consequence = (&'static str, &'static str, String);

/// Returns the consequence of a move of `side` that is worse than a move with the verdict `best`.
pub(super) fn consequence(worth: &ValuedMove, best: Verdict, side: Color) -> Consequence {
    let (before, after) = (best.before_move(), worth.verdict().before_move());
    let far = |one: Verdict| one.outcome.moves().unwrap_or_default();
    let instead = format!("{}{} instead of {}", far(after), after.category.remark(), far(before));
    match (before.category.wdl(), after.category.wdl()) {
        (Some(Wdl::Win), Some(Wdl::Win)) => ("mates", "mate", format!("in {instead}")),
        (Some(Wdl::Loss), Some(Wdl::Loss)) => ("allows", "allow", format!("mate in {instead}")),
        (Some(Wdl::Draw), Some(Wdl::Loss)) => {
            let (remark, far) = (after.category.remark(), moves(far(after).into()));
            ("gives", "give", format!("the draw away: {:?} mates in {far}{remark}", !side))
        }
        _ => match worth.gives_away {
            Some(how) => ("gives", "give", format!("the win away, {}", how.phrase())),
            None => ("leads", "lead", format!("to {}", after.category.noun())),
        },
    }
}

/// A sentence about moves that have the same consequence.
pub(super) fn sentence(alike: &[&ValuedMove], (one, many, rest): &Consequence) -> String {
    format!("{} {rest}.", subject(alike, one, many))
}
