//! The positions that a lesson about a strategy is made from.

use lucena_chess::{Move, Position, Side};
use lucena_model::{Aim, StrategyPart, without_each_part};
use lucena_proof::ProvedGame;
use lucena_proof::policy::{Policy, RulesDecision, StrategyPolicy, Unplayable};
use lucena_tablebase::{Outcome, Tablebase};
use rayon::prelude::*;
use std::cmp::Reverse;

/// The most positions examined for examples.
const MAX_LOOKED_AT: usize = 50_000;

/// A player, and the positions of its endgame up to symmetry that can be won, or for the weak side held. Of a player that is
/// made for a part of its endgame, those that it gets to.
pub(super) struct Survey<'a, P> {
    pub(super) policy: &'a P,
    pub(super) tablebase: &'a Tablebase,
    /// The positions in the order of the index, the player to move.
    pub(super) positions: Vec<Position>,
}

impl<'a, P: Policy> Survey<'a, P> {
    /// The survey of a proved player.
    pub(super) fn new(policy: &'a P, tablebase: &'a Tablebase, game: &ProvedGame<'_>) -> Self {
        let side = policy.side();
        let is_wanted = |outcome: Outcome| match side {
            Side::Strong => matches!(outcome, Outcome::Win(_)),
            Side::Weak => outcome == Outcome::Draw,
        };
        let positions = if policy.is_made_for_part() {
            game.reached().filter(|on| is_wanted(tablebase.outcome(on))).collect()
        } else {
            let all = tablebase.canonical_positions(side);
            all.filter(|(_, outcome)| is_wanted(*outcome)).map(|(position, _)| position).collect()
        };
        Self { policy, tablebase, positions }
    }

    /// The `most` best results of `find` by score, best first, equal ones in the order of the
    /// index. At most [`MAX_LOOKED_AT`] positions, spread over the endgame, are examined.
    pub(super) fn best<T: Send, S: Ord + Send>(
        &self,
        find: impl Fn(&Position) -> Option<(S, T)> + Sync,
        most: usize,
    ) -> Vec<T> {
        let step = self.positions.len().div_ceil(MAX_LOOKED_AT).max(1);
        let found = self.positions.par_iter().enumerate().filter(|(at, _)| at % step == 0);
        let found = found.filter_map(|(at, position)| {
            let (score, thing) = find(position)?;
            Some(((Reverse(score), at), thing))
        });
        let mut found: Vec<_> = found.collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        found.into_iter().take(most).map(|(_, thing)| thing).collect()
    }

    /// Plies until the weak side is mated after a move, with best play; `None` if it is not mated.
    pub(super) fn mated_in(&self, after: &Position) -> Option<u16> {
        match self.tablebase.probe(after) {
            Ok(Outcome::Loss(plies)) => Some(plies),
            _ => None,
        }
    }

    /// Plies lost in one position after a move against another; a win or a draw given away is the maximum.
    pub(super) fn cost(&self, best: &Position, other: &Position) -> u32 {
        let loses = |after: &Position| matches!(self.tablebase.probe(after), Ok(Outcome::Win(_)));
        match (self.policy.side(), self.mated_in(best), self.mated_in(other)) {
            (Side::Weak, ..) if loses(other) && !loses(best) => u32::MAX,
            (Side::Weak, ..) => 0,
            (Side::Strong, Some(best), Some(other)) => u32::from(other.saturating_sub(best)),
            (Side::Strong, Some(_), None) => u32::MAX,
            (Side::Strong, None, _) => 0,
        }
    }
}

/// A part of a rule that rules moves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RulePart {
    /// The guard.
    Guard,
    /// A key, by its number from 0.
    Key(usize),
}

/// A position in which a part of a rule decides.
pub(super) struct DecisivePosition {
    pub(super) position: Position,
    /// The moves before the part was applied.
    pub(super) among: Vec<Move>,
    /// The moves that it left.
    pub(super) left: Vec<Move>,
    /// The best of the moves that it ruled out.
    pub(super) rejected: Move,
}

impl DecisivePosition {
    /// The position in which playing a ruled-out move costs most; `None` if the part never rules a
    /// move out.
    pub(super) fn clearest(
        survey: &Survey<'_, StrategyPolicy>,
        rule: usize,
        place: RulePart,
    ) -> Option<Self> {
        let in_position = |on: &Position| {
            Self::in_position(survey, rule, place, on, survey.policy.decide(on).compared()?)
        };
        let found = survey.best(in_position, 1);
        found.into_iter().next()
    }

    /// The effect of a part in one position, with a score of its clarity.
    fn in_position(
        survey: &Survey<'_, StrategyPolicy>,
        rule: usize,
        place: RulePart,
        position: &Position,
        RulesDecision { moves, asked, selected }: &RulesDecision,
    ) -> Option<((bool, u32), Self)> {
        if selected.rule != Some(rule) {
            return None;
        }
        let all: Vec<usize> = (0..moves.len()).collect();
        let (among, left) = match place {
            RulePart::Guard => (&all, &selected.left[0]),
            RulePart::Key(key) => (&selected.left[key], &selected.left[key + 1]),
        };
        let chosen = &moves[selected.tied[0]].1;
        let taken = among.iter().copied().filter(|at| !left.contains(at));
        let rejected = match place {
            RulePart::Guard => match survey.policy.side() {
                Side::Strong => taken.min_by_key(|&at| survey.mated_in(&moves[at].1))?,
                Side::Weak => taken.max_by_key(|&at| survey.cost(chosen, &moves[at].1))?,
            },
            RulePart::Key(key) => {
                let key = survey.policy.strategy().rules()[rule].keys[key];
                let value = |at: usize| i16::from(asked.after[at][key.attribute]);
                taken.min_by_key(|&at| match key.aim {
                    Aim::Least => value(at),
                    Aim::Greatest => -value(at),
                })?
            }
        };
        let cost = survey.cost(chosen, &moves[rejected].1);
        let played = |numbers: &[usize]| numbers.iter().map(|&at| moves[at].0).collect();
        let deciding = Self {
            position: *position,
            among: played(among),
            left: played(left),
            rejected: moves[rejected].0,
        };
        Some(((left.len() == 1, cost), deciding))
    }
}

/// The number of exercises of a lesson.
const EXERCISES: usize = 6;

/// The number of positions to choose them from. Many are alike, so more are collected than are needed.
pub(super) const MANY_EXERCISES: usize = 20 * EXERCISES;

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
        survey: &Survey<'_, StrategyPolicy>,
        shown: &[Position],
    ) -> Result<Vec<Self>, Unplayable> {
        let mut by_part = Vec::new();
        for (part, left) in without_each_part(survey.policy.strategy()) {
            let without = StrategyPolicy::new(left)?;
            let found = survey.best(
                |&position| {
                    let decision = survey.policy.decide(&position);
                    let rules = decision.compared()?;
                    let [right] = rules.selected.tied[..] else { return None };
                    let (right, after) = rules.moves[right];
                    let choices = without.choices(&position);
                    let wrong = choices.into_iter().find(|&mv| mv != right)?;
                    let cost = survey.cost(&after, &position.play(wrong).ok()?);
                    let exercise = Self { position, right, wrong, part };
                    (cost > 0).then_some((cost, exercise))
                },
                MANY_EXERCISES,
            );
            by_part.push(found.into_iter());
        }
        Ok(taken_in_turns(by_part, |one| &one.position, shown))
    }
}

/// Positions for exercises: one of each list in turn, without those in `shown`. A position is left out if an earlier
/// one has the weak king on the same square.
pub(super) fn taken_in_turns<T>(
    mut lists: Vec<impl Iterator<Item = T>>,
    position: impl Fn(&T) -> &Position,
    shown: &[Position],
) -> Vec<T> {
    let mut taken: Vec<T> = Vec::new();
    for _ in 0..EXERCISES {
        for found in &mut lists {
            let is_new = |one: &T| {
                let king = |one: &T| position(one).king(!position(one).turn());
                !shown.contains(position(one)) && taken.iter().all(|known| king(known) != king(one))
            };
            let next = found.find(is_new);
            if taken.len() < EXERCISES {
                taken.extend(next);
            }
        }
    }
    taken
}
