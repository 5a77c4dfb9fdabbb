//! Positions in which a strategy has a single move, and would play another without one of its
//! parts.

use super::survey::Survey;
use lucena_chess::{Move, Position, Side};
use lucena_proof::policy::{Policy, StrategyMismatch, StrategyPolicy};
use lucena_strategy::{StrategyPart, without_each_part};

/// The number of exercises of a lesson.
const EXERCISES: usize = 6;

/// A position with a single right move.
pub(super) struct Exercise {
    pub(super) position: Position,
    /// The only move that the strategy leaves.
    pub(super) right: Move,
    /// The move it would play without the part.
    pub(super) wrong: Move,
    pub(super) part: StrategyPart,
}

impl Exercise {
    /// The exercises in which forgetting a part costs most, each part in turn, without the
    /// positions in `shown`.
    pub(super) fn all(
        survey: &Survey<'_>,
        shown: &[Position],
    ) -> Result<Vec<Self>, StrategyMismatch> {
        let mut by_part = Vec::new();
        for (part, left) in without_each_part(survey.policy.strategy()) {
            let without = StrategyPolicy::new(left)?;
            let found = survey.best(
                |asked| {
                    let [right] = asked.selected.tied[..] else { return None };
                    let (right, after) = asked.moves[right];
                    let choices = without.choices(&asked.position);
                    let wrong = choices.into_iter().find(|&mv| mv != right)?;
                    let cost = survey.cost(&after, &asked.position.play(wrong).ok()?);
                    let exercise = Self { position: asked.position, right, wrong, part };
                    (cost > 0).then_some((cost, exercise))
                },
                // Many are alike, so more are collected than are needed.
                20 * EXERCISES,
            );
            by_part.push(found.into_iter());
        }
        let mut exercises: Vec<Self> = Vec::new();
        // A round has at most one exercise of each part; a position is left out if an earlier one
        // has the weak king on the same square.
        for _ in 0..EXERCISES {
            for found in &mut by_part {
                let is_new = |one: &Exercise| {
                    let king = |one: &Exercise| one.position.king(Side::Weak);
                    !shown.contains(&one.position)
                        && exercises.iter().all(|known| king(known) != king(one))
                };
                let next = found.find(is_new);
                if exercises.len() < EXERCISES {
                    exercises.extend(next);
                }
            }
        }
        Ok(exercises)
    }
}
