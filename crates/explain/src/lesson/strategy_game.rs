//! The longest game and the exercises of a page.

use super::decisive_position::RulePart;
use super::exercise::Exercise;
use super::page::{LessonExercise, LessonGame, LessonMove, LessonPart, LessonSection};
use super::strategy::StrategyLesson;
use super::words::{sans, shows};
use crate::{ChoiceReason, StrategyExplanation, explain_strategy};
use lucena_base::plural::moves;
use lucena_chess::{Move, Position, Side};
use lucena_proof::Mate;
use lucena_strategy::StrategyPart;
use lucena_tablebase::moves_in;

impl StrategyLesson<'_> {
    /// The longest game, with the reason for each move of White.
    pub(super) fn game(&self) -> Option<LessonSection> {
        let Mate { start, line } = self.proof.longest_line.as_ref()?;
        let (mut position, mut moves) = (*start, Vec::new());
        for &mv in line {
            let is_white = position.turn() == Side::Strong;
            let why = is_white.then(|| self.why(&position, mv));
            moves.push(LessonMove { mv, san: sans(&position, &[mv]), why });
            let Ok(after) = position.play(mv) else { break };
            position = after;
        }
        let game = LessonGame { start: *start, moves };
        let heading = "The longest game".into();
        Some(LessonSection { heading, parts: vec![LessonPart::Game(game)] })
    }

    /// The reason for a move.
    fn why(&self, position: &Position, mv: Move) -> String {
        let told = explain_strategy(self.survey.policy, self.survey.tablebase, position, &[]);
        let Ok(told) = told else { return "the table knows the way".into() };
        let StrategyExplanation { ruling, tied, .. } = &told;
        match (ruling, told.deciding()) {
            (ChoiceReason::AtOnce, _) => "it wins at once".into(),
            (ChoiceReason::NoneSafe, _) => "no move is safe".into(),
            (ChoiceReason::NoRule { .. }, _) => "any safe move will do".into(),
            (ChoiceReason::Rule { rule, .. }, Some((key, compared))) => {
                let point = self.place(*rule, RulePart::Key(key));
                let sentence = shows(&compared.finding.attribute, position, mv);
                format!("{point}: {}", sentence.unwrap_or_default())
            }
            (ChoiceReason::Rule { safe: 1, .. }, None) => "the only safe move".into(),
            (ChoiceReason::Rule { rule, .. }, None) if tied.len() == 1 => {
                format!("the only move that rule {} is about", rule + 1)
            }
            (ChoiceReason::Rule { .. }, None) => "any of these moves will do".into(),
        }
    }

    /// The exercises with their solutions.
    pub(super) fn exercises(&self) -> Vec<LessonExercise> {
        let told = self.exercises.iter().map(|one| LessonExercise {
            position: one.position,
            solution: one.right,
            explanation: self.solution(one),
        });
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
            _ => "That does not win.".into(),
        };
        format!("{best}. Without {part}, White may play {other}. {than}")
    }
}
