//! Positions in which a strategy has one move, and another without one of its parts.

use super::survey::Survey;
use lucena_chess::{Move, Position, Side};
use lucena_proof::policy::{ForeignStrategy, Policy, StrategyPolicy};
use lucena_strategy::{StrategyPart, without_each_part};

/// How many exercises a lesson has.
const EXERCISES: usize = 6;

/// A position in which the second best is worse.
pub(super) struct Exercise {
    pub(super) position: Position,
    /// The only move that the strategy leaves.
    pub(super) right: Move,
    /// What it would play without the part.
    pub(super) wrong: Move,
    pub(super) part: StrategyPart,
}

impl Exercise {
    /// Those in which it costs most to forget a part, each part in turn; no position that has been shown.
    pub(super) fn all(
        survey: &Survey<'_>,
        shown: &[Position],
    ) -> Result<Vec<Self>, ForeignStrategy> {
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
                // Many are alike, and few are wanted.
                20 * EXERCISES,
            );
            by_part.push(found.into_iter());
        }
        let mut exercises: Vec<Self> = Vec::new();
        // A round has one exercise of each part at most; kings that stood there before are left out.
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
