//! Positions in which one part of a strategy decides.

use super::survey::{RulesDecision, Survey};
use lucena_chess::{Move, Position};
use lucena_tree::Aim;

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
    pub(super) fn clearest(survey: &Survey<'_>, rule: usize, place: RulePart) -> Option<Self> {
        let found = survey.best(|asked| Self::in_position(survey, rule, place, &asked), 1);
        found.into_iter().next()
    }

    /// The effect of a part in one position, with a score of its clarity.
    fn in_position(
        survey: &Survey<'_>,
        rule: usize,
        place: RulePart,
        asked: &RulesDecision,
    ) -> Option<((bool, u32), Self)> {
        let selected = &asked.selected;
        if selected.rule != Some(rule) {
            return None;
        }
        let all: Vec<usize> = (0..asked.moves.len()).collect();
        let (among, left) = match place {
            RulePart::Guard => (&all, &selected.left[0]),
            RulePart::Key(key) => (&selected.left[key], &selected.left[key + 1]),
        };
        let taken = among.iter().copied().filter(|at| !left.contains(at));
        let rejected = match place {
            RulePart::Guard => taken.min_by_key(|&at| survey.mated_in(&asked.moves[at].1))?,
            RulePart::Key(key) => {
                let key = survey.policy.strategy().rules()[rule].keys[key];
                let value = |at: usize| i16::from(asked.asked.after[at][key.attribute]);
                taken.min_by_key(|&at| match key.aim {
                    Aim::Least => value(at),
                    Aim::Greatest => -value(at),
                })?
            }
        };
        let cost = survey.cost(&asked.moves[selected.tied[0]].1, &asked.moves[rejected].1);
        let moves = |numbers: &[usize]| numbers.iter().map(|&at| asked.moves[at].0).collect();
        let deciding = Self {
            position: asked.position,
            among: moves(among),
            left: moves(left),
            rejected: asked.moves[rejected].0,
        };
        Some(((left.len() == 1, cost), deciding))
    }
}
