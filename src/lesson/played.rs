//! The longest game and the exercises of a page.

use super::deciding::Place;
use super::exercise::Exercise;
use super::shown::{board, sans, shows};
use super::strategy::StrategyLesson;
use crate::chess::{Move, Position};
use crate::explain::{Ruling, StrategyExplanation, explain_strategy};
use crate::proof::Mate;
use crate::strategy::StrategyPart;
use crate::tablebase::moves_in;
use crate::words::moves;
use std::fmt::Write;

impl StrategyLesson<'_> {
    /// The longest game, with what decided each move of White.
    pub(super) fn game(&self) -> String {
        let Some(Mate { start, line }) = &self.proof.longest_line else { return String::new() };
        let mut text = format!(
            "\n## The longest game\n\n{}\n| | White | Black | why |\n|---|---|---|---|\n",
            board(start)
        );
        let mut position = *start;
        for (number, pair) in (1..).zip(line.chunks(2)) {
            let why = self.why(&position, pair[0]);
            let mut played = Vec::new();
            for &mv in pair {
                played.push(sans(&position, &[mv]));
                let Ok(after) = position.play(mv) else { return text };
                position = after;
            }
            let black = played.get(1).map_or("", String::as_str);
            let _ = writeln!(text, "| {number} | {} | {black} | {why} |", played[0]);
        }
        text
    }

    /// What decided a move.
    fn why(&self, position: &Position, mv: Move) -> String {
        let told = explain_strategy(self.survey.policy, self.survey.tablebase, position, &[]);
        let Ok(told) = told else { return "the table knows the way".into() };
        let StrategyExplanation { ruling, tied, .. } = &told;
        match (ruling, told.deciding()) {
            (Ruling::AtOnce, _) => "it wins at once".into(),
            (Ruling::NoneSafe, _) => "no move is safe".into(),
            (Ruling::NoRule { .. }, _) => "any safe move will do".into(),
            (Ruling::Rule { rule, .. }, Some((key, compared))) => {
                let point = self.place(*rule, Place::Key(key));
                let sentence = shows(&compared.finding.attribute, position, mv);
                format!("{point}: {}", sentence.unwrap_or_default())
            }
            (Ruling::Rule { safe: 1, .. }, None) => "the only safe move".into(),
            (Ruling::Rule { rule, .. }, None) if tied.len() == 1 => {
                format!("the only move that rule {} is about", rule + 1)
            }
            (Ruling::Rule { .. }, None) => "any of these moves will do".into(),
        }
    }

    /// Positions to be solved, and at the end how.
    pub(super) fn exercises(&self) -> String {
        if self.exercises.is_empty() {
            return String::new();
        }
        let mut text =
            String::from("\n## Exercises\n\nFind the only move that the rules leave White.\n");
        for (number, one) in (1..).zip(&self.exercises) {
            let _ = write!(text, "\n**Exercise {number}**\n\n{}", board(&one.position));
        }
        text += "\n## Solutions\n\n";
        for (number, one) in (1..).zip(&self.exercises) {
            let _ = writeln!(text, "{number}. {}", self.solution(one));
        }
        text
    }

    fn solution(&self, exercise: &Exercise) -> String {
        let Exercise { position, right, wrong, part } = exercise;
        let part = match *part {
            StrategyPart::Key(rule, key) => self.place(rule, Place::Key(key)),
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
