//! The reasons of a player that looks up its moves: distances.

use super::error::ExplainError;
use super::reasons::{Alternative, ReasonedMove, Reasons};
use crate::diagram::Mark;
use lucena_base::plural::number;
use lucena_chess::Move;
use lucena_tablebase::{MoveVerdicts, Outcome, Tablebase};

impl Reasons {
    /// The reasons of a table's move, which is the first of its moves by the distance to mate alone.
    ///
    /// # Errors
    /// If the game is over, a move is not legal, or the table is of another endgame.
    pub fn from_table(
        tablebase: &Tablebase,
        verdicts: &MoveVerdicts,
        instead: &[Move],
    ) -> Result<Self, ExplainError> {
        let moves = verdicts.moves();
        let Some((&(mv, after, quickest), &(best, _, after_best))) =
            moves.first().zip(verdicts.best())
        else {
            return Err(ExplainError::Over(Box::new(*verdicts.position())));
        };
        let is_best = quickest.category == after_best.category;
        let as_good: Vec<Move> =
            moves.iter().filter(|(.., after)| *after == quickest).map(|&(mv, ..)| mv).collect();
        let best = verdicts.position().san(best)?;
        let played = ReasonedMove::by_table(verdicts, mv)?;
        let san = &played.san;
        Ok(Self {
            kind: "table",
            player: "tablebase".into(),
            source: "tablebase".into(),
            reason: match as_good.len() {
                _ if !is_best => {
                    let what = match quickest.outcome {
                        Outcome::Loss(_) => "leads to the quickest mate",
                        _ => "puts off the mate for longest",
                    };
                    format!("{san} {what}, but {best} is better under the fifty-move rule.")
                }
                _ if moves.len() == 1 => format!("{san} is the only move."),
                1 => format!("No other move is as good as {san}."),
                _ => format!("No move is better than {san}."),
            },
            heading: "The table knows the outcome of every move.".into(),
            hint: format!("The move: {}.", played.says),
            fen_after: after.to_string(),
            verdict: format!("{san}: {}.", played.says),
            marks: vec![Mark::arrow(mv, san)],
            others: match (as_good.len() - 1, moves.len() - 1) {
                (_, 0) => String::new(),
                (0, _) => "No other move is as good.".into(),
                (1, others) => format!("One of {others} other moves is as good."),
                (good, others) => format!("{} of {others} other moves are as good.", number(good)),
            },
            tied: as_good.iter().map(ToString::to_string).collect(),
            instead: Alternative::by_table(tablebase, verdicts, instead)?,
            played,
            ..Self::default()
        })
    }
}
