//! A strategy as a page that a trainer would hand out.

use super::decisive_position::{DecisivePosition, RulePart};
use super::exercise::Exercise;
use super::progress_measure::ProgressMeasure;
use super::survey::Survey;
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::Position;
use lucena_proof::policy::{StrategyMismatch, StrategyPolicy};
use lucena_proof::{Proof, ProveError, ProvedGame};
use lucena_tablebase::Tablebase;

/// A strategy as a page: its rules, a board for each of their parts, a game and exercises.
pub struct StrategyLesson<'a> {
    pub(super) survey: Survey<'a>,
    pub(super) proof: Proof,
    /// The parts that decide somewhere, each with its rule's number from 0.
    pub(super) deciding: Vec<(usize, RulePart, DecisivePosition)>,
    /// `None` if not every position is won.
    pub(super) measure: Option<ProgressMeasure>,
    pub(super) exercises: Vec<Exercise>,
}

/// The reasons why a lesson cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LessonError {
    /// The strategy cannot be proved.
    #[error(transparent)]
    Prove(ProveError),
    /// The strategy without one of its parts makes no policy.
    #[error(transparent)]
    Foreign(#[from] StrategyMismatch),
    /// The observer asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<ProveError> for LessonError {
    fn from(error: ProveError) -> Self {
        match error {
            ProveError::Stopped(stopped) => Self::Stopped(stopped),
            error => Self::Prove(error),
        }
    }
}

impl<'a> StrategyLesson<'a> {
    /// Proves a strategy and finds the positions that illustrate it.
    ///
    /// # Errors
    /// If the table is of another endgame than the strategy, or the work was stopped.
    pub fn new(
        policy: &'a StrategyPolicy,
        tablebase: &'a Tablebase,
        watch: &dyn Observer,
    ) -> Result<Self, LessonError> {
        let proof = ProvedGame::with_observer(policy, tablebase, watch)?.proof()?;
        let survey = Survey::new(policy, tablebase);
        let mut deciding = Vec::new();
        for (number, rule) in policy.strategy().rules().iter().enumerate() {
            let guard = (!rule.guard.is_empty()).then_some(RulePart::Guard);
            for place in guard.into_iter().chain((0..rule.keys.len()).map(RulePart::Key)) {
                watch.check()?;
                let found = DecisivePosition::clearest(&survey, number, place);
                deciding.extend(found.map(|found| (number, place, found)));
            }
        }
        watch.check()?;
        let measure = if proof.wins_all() { ProgressMeasure::of(&survey) } else { None };
        watch.check()?;
        let shown: Vec<Position> = deciding.iter().map(|(_, _, found)| found.position).collect();
        let exercises = Exercise::all(&survey, &shown)?;
        tablebase.intact()?;
        Ok(Self { survey, proof, deciding, measure, exercises })
    }

    /// The name of a part: "point 2", or "point 2 of rule 1" if there are several rules.
    pub(super) fn place(&self, rule: usize, place: RulePart) -> String {
        let alone = self.survey.policy.strategy().rules().len() == 1;
        match (place, alone) {
            (RulePart::Guard, _) => format!("what rule {} is about", rule + 1),
            (RulePart::Key(key), true) => format!("point {}", key + 1),
            (RulePart::Key(key), false) => format!("point {} of rule {}", key + 1, rule + 1),
        }
    }
}
