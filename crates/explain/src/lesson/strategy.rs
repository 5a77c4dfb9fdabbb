//! A strategy as a page that a trainer would hand out.

use super::page::{LessonExercise, LessonGame, LessonSection};
use super::progress_measure::ProgressMeasure;
use super::survey::{DecisivePosition, Exercise, RulePart, Survey};
use super::words::{sans, shows};
use crate::rule_sentence::player;
use crate::{ExplainError, explain_strategy};
use lucena_base::plural::moves;
use lucena_base::progress::Observer;
use lucena_chess::{HalfmoveClock, Move, Position, Side};
use lucena_model::StrategyPart;
use lucena_proof::policy::{Policy, StrategyPolicy};
use lucena_proof::{Mate, Proof, ProvedGame};
use lucena_tablebase::{Tablebase, moves_in};

/// A strategy as a page: its rules, a board for each of their parts, a game and exercises.
pub struct StrategyLesson<'a> {
    pub(super) survey: Survey<'a, StrategyPolicy>,
    pub(super) proof: Proof,
    /// The parts that decide somewhere, each with its rule's number from 0.
    pub(super) deciding: Vec<(usize, RulePart, DecisivePosition)>,
    /// `None` if not every position is won, or the strategy is for the weak side.
    pub(super) measure: Option<ProgressMeasure>,
    pub(super) exercises: Vec<Exercise>,
}

/// The task of every exercise.
const QUESTION: &str = "The rules allow one move. Which?";

impl<'a> StrategyLesson<'a> {
    /// Proves a strategy and finds the positions that illustrate it.
    ///
    /// # Errors
    /// If the table is of another endgame than the strategy, or the work was stopped.
    pub fn new(
        policy: &'a StrategyPolicy,
        tablebase: &'a Tablebase,
        observer: &dyn Observer,
    ) -> Result<Self, ExplainError> {
        let game = ProvedGame::with_observer(policy, tablebase, observer)?;
        let (proof, survey) = (game.proof(observer)?, Survey::new(policy, tablebase, &game));
        let mut deciding = Vec::new();
        for (number, rule) in policy.strategy().rules().iter().enumerate() {
            let guard = (!rule.guard.is_empty()).then_some(RulePart::Guard);
            for place in guard.into_iter().chain((0..rule.keys.len()).map(RulePart::Key)) {
                observer.check()?;
                let found = DecisivePosition::clearest(&survey, number, place);
                deciding.extend(found.map(|found| (number, place, found)));
            }
        }
        observer.check()?;
        let wins_all = policy.side() == Side::Strong && proof.wins_all();
        let measure = if wins_all { ProgressMeasure::of(&survey) } else { None };
        observer.check()?;
        let shown: Vec<Position> = deciding.iter().map(|(_, _, found)| found.position).collect();
        let exercises = Exercise::all(&survey, &shown)?;
        tablebase.check_readable()?;
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

    /// The longest game that is won, with the reason for each move of White; `None` for the weak side, which holds.
    pub(super) fn game(&self) -> Option<LessonSection> {
        if self.survey.policy.side() == Side::Weak {
            return None;
        }
        let Mate { start, line } = self.proof.longest_line.as_ref()?;
        let game = LessonGame::new(*start, line, |position, mv| self.why(position, mv))?;
        Some(LessonSection { game: Some(game), ..LessonSection::headed("The longest game", 2) })
    }

    /// The reason for a move.
    fn why(&self, position: &Position, mv: Move) -> String {
        let Survey { policy, tablebase, .. } = self.survey;
        let verdicts =
            tablebase.verdicts(position, HalfmoveClock::ZERO).map_err(ExplainError::from);
        let explain = |verdicts| explain_strategy(policy, "strategy", tablebase, &verdicts, &[]);
        let Ok(told) = verdicts.and_then(explain) else {
            return "the table knows the way".into();
        };
        let Some(rule) = told.rule else {
            return told.by.without_comparison().unwrap_or_default().into();
        };
        match told.deciding() {
            Some(compared) => {
                let point = self.place(rule - 1, RulePart::Key(compared.key - 1));
                let sentence = shows(&compared.attribute, position, mv);
                format!("{point}: {}", sentence.unwrap_or_default())
            }
            None if told.safe == Some(1) => "the only safe move".into(),
            None if told.tied.len() == 1 => format!("the only move that rule {rule} is about"),
            None => "any of these moves will do".into(),
        }
    }

    /// The exercises with their solutions.
    pub(super) fn exercises(&self) -> Vec<LessonExercise> {
        let told = self
            .exercises
            .iter()
            .map(|one| LessonExercise::new(one.position, QUESTION, one.right, self.solution(one)));
        told.collect()
    }

    fn solution(&self, exercise: &Exercise) -> String {
        let Exercise { position, right, wrong, part } = exercise;
        let part = match *part {
            StrategyPart::Key(rule, key) => self.place(rule, RulePart::Key(key)),
            StrategyPart::Condition(rule, _) => format!("a condition of rule {}", rule + 1),
            StrategyPart::Rule(rule) => format!("rule {}", rule + 1),
        };
        let [best, other] = [right, wrong].map(|mv| sans(position, &[*mv]));
        let mate = |mv: &Move| {
            let after = position.play(*mv).ok()?;
            Some(moves_in(self.survey.mated_in(&after)? + 1))
        };
        let than = match (mate(right), mate(wrong)) {
            (Some(quick), Some(slow)) => {
                format!("Mate then takes {} at best, not {quick}.", moves(slow.into()))
            }
            _ if self.survey.policy.side() == Side::Weak => "That loses.".into(),
            _ => "That does not win.".into(),
        };
        let player = player(self.survey.policy.side());
        format!("{best}. Without {part}, {player} may play {other}. {than}")
    }
}
