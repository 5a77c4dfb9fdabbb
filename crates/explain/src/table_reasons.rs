//! The reasons for a move by the table in the form that all players share.

use super::error::ExplainError;
use super::move_value::ValuedMove;
use super::reasons::{Alternative, ReasonStep, Reasons};
use super::table::{TableExplanation, TableMove, allowance};
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

    /// What the moves allow that are not among the best, the best first.
    fn steps(&self) -> Vec<ReasonStep> {
        let worse = self.moves.iter().filter(|one| one.allows.is_some());
        let worse: Vec<&ValuedMove> = worse.map(|TableMove { worth, .. }| worth).collect();
        let alike = worse.chunk_by(|one, next| {
            (one.verdict(), one.gives_away) == (next.verdict(), next.gives_away)
        });
        let step = |alike: &[&ValuedMove]| ReasonStep {
            marks: alike.iter().map(|worth| Mark::arrow(worth.mv, &worth.san)).collect(),
            ..ReasonStep::sentence(allowance(
                alike,
                self.chosen.best.1,
                self.chosen.position.color_to_move(),
            ))
        };
        alike.map(step).collect()
    }
}

/// The heading of what the other moves allow.
const HEADING: &str = "The table knows the outcome of every move.";
