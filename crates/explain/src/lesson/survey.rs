//! The positions that a lesson about a strategy is made from.

use lucena_chess::{Move, Position, Side};
use lucena_proof::policy::{Decision, StrategyPolicy};
use lucena_tablebase::{Outcome, Tablebase};
use lucena_tree::{MoveValues, RuleSelection};
use rayon::prelude::*;
use std::cmp::Reverse;

/// The most positions examined for examples.
const MOST_LOOKED_AT: usize = 50_000;

/// A strategy, and the won positions of its endgame up to symmetry.
pub(super) struct Survey<'a> {
    pub(super) policy: &'a StrategyPolicy,
    pub(super) tablebase: &'a Tablebase,
    /// The won positions in the order of the index, the strong side to move.
    pub(super) won: Vec<Position>,
}

/// A position in which the rules decide, with their decision.
pub(super) struct RulesDecision {
    pub(super) position: Position,
    pub(super) moves: Vec<(Move, Position)>,
    pub(super) asked: MoveValues,
    pub(super) selected: RuleSelection,
}

impl<'a> Survey<'a> {
    /// The survey of a strategy and the table of its endgame.
    pub(super) fn new(policy: &'a StrategyPolicy, tablebase: &'a Tablebase) -> Self {
        let won = tablebase.canonical_positions(Side::Strong);
        let won = won.filter(|(_, outcome)| matches!(outcome, Outcome::Win(_)));
        Self { policy, tablebase, won: won.map(|(position, _)| position).collect() }
    }

    /// The decision of the rules in a position; `None` if the move is decided without them.
    pub(super) fn decision_in(&self, position: &Position) -> Option<RulesDecision> {
        match self.policy.decide(position) {
            Decision::ByRules { moves, asked, selected } => {
                Some(RulesDecision { position: *position, moves, asked, selected })
            }
            Decision::AtOnce(_) | Decision::Unsafe(_) => None,
        }
    }

    /// The `most` best results of `find` by score, best first, equal ones in the order of the
    /// index. At most [`MOST_LOOKED_AT`] positions, spread over the endgame, are examined.
    pub(super) fn best<T: Send, S: Ord + Send>(
        &self,
        find: impl Fn(RulesDecision) -> Option<(S, T)> + Sync,
        most: usize,
    ) -> Vec<T> {
        let step = self.won.len().div_ceil(MOST_LOOKED_AT).max(1);
        let found = self.won.par_iter().enumerate().filter(|(at, _)| at % step == 0);
        let found = found.filter_map(|(at, position)| {
            let (score, thing) = find(self.decision_in(position)?)?;
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

    /// Plies lost in one position after a move against another; a win given away is the maximum.
    pub(super) fn cost(&self, best: &Position, other: &Position) -> u32 {
        match (self.mated_in(best), self.mated_in(other)) {
            (Some(best), Some(other)) => u32::from(other.saturating_sub(best)),
            (Some(_), None) => u32::MAX,
            (None, _) => 0,
        }
    }
}
