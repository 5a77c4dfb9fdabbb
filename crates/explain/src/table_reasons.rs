//! The reasons for a move by the table in the form that all players share.

use super::error::ExplainError;
use super::move_value::ValuedMove;
use super::reasons::{Alternative, ReasonStep, Reasons};
use super::table::{Consequence, TableExplanation, TableMove, consequence, sentence};
use crate::diagram::Mark;
use lucena_tablebase::Tablebase;

impl TableExplanation {
    /// The reasons in the form that all players share.
    ///
    /// # Errors
    /// If the table can no longer be read.
    pub fn reasons(&self, tablebase: &Tablebase) -> Result<Reasons, ExplainError> {
        let chosen = &self.chosen;
        let instead = self.instead.iter().map(|other| {
            Ok(Alternative {
                because: other.allows.clone(),
                parts: other.allows.iter().map(ReasonStep::sentence).collect(),
                marks: vec![Mark::arrow(other.worth.mv, &other.worth.san)],
                ..Alternative::new(chosen, &other.worth, tablebase)?
            })
        });
        let equal = self.moves.iter().map(|one| &one.worth);
        let equal = equal.filter(|worth| worth.verdict() == chosen.worth.verdict());
        Ok(Reasons {
            reason: self.reason.clone(),
            source: chosen.player.clone(),
            hint: format!("The move: {}.", chosen.worth.in_words()),
            steps: self.steps(),
            tied: equal.map(|worth| worth.mv.to_string()).collect(),
            instead: instead.collect::<Result<_, ExplainError>>()?,
            ..Reasons::new(
                "table",
                chosen,
                HEADING.into(),
                String::new(),
                chosen.diagram(Vec::new()),
            )
        })
    }

    /// The consequences of the moves that are worse than the best ones, the best first.
    fn steps(&self) -> Vec<ReasonStep> {
        let (best, side) = (self.chosen.best.1, self.chosen.position.color_to_move());
        let worse = self.moves.iter().filter(|one| one.allows.is_some());
        let worse: Vec<_> =
            worse.map(|TableMove { worth, .. }| (worth, consequence(worth, best, side))).collect();
        let step = |alike: &[(&ValuedMove, Consequence)]| {
            let moves: Vec<&ValuedMove> = alike.iter().map(|(worth, _)| *worth).collect();
            ReasonStep {
                marks: moves.iter().map(|worth| Mark::arrow(worth.mv, &worth.san)).collect(),
                ..ReasonStep::sentence(sentence(&moves, &alike[0].1))
            }
        };
        worse.chunk_by(|(_, one), (_, next)| one == next).map(step).collect()
    }
}

/// The heading of what the other moves allow.
const HEADING: &str = "The table knows the outcome of every move.";
