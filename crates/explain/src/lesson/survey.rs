//! The positions that a lesson about a strategy looks at.

use lucena_chess::{Move, Position, Side};
use lucena_proof::policy::{Decision, StrategyPolicy};
use lucena_tablebase::{Outcome, Tablebase};
use lucena_tree::{MovesAsked, Selected};
use rayon::prelude::*;
use std::cmp::Reverse;

/// No more positions than this are looked at for examples.
const MOST_LOOKED_AT: usize = 50_000;

/// A strategy, and the won positions of its endgame up to symmetry.
pub(super) struct Survey<'a> {
    pub(super) policy: &'a StrategyPolicy,
    pub(super) tablebase: &'a Tablebase,
    /// In the order of the index, the strong side to move.
    pub(super) won: Vec<Position>,
}

/// A position in which rules have been asked.
pub(super) struct AskedIn {
    pub(super) position: Position,
    pub(super) moves: Vec<(Move, Position)>,
    pub(super) asked: MovesAsked,
    pub(super) selected: Selected,
}

impl<'a> Survey<'a> {
    /// Of a strategy and the table of its endgame.
    pub(super) fn new(policy: &'a StrategyPolicy, tablebase: &'a Tablebase) -> Self {
        let won = tablebase.canonical_positions(Side::Strong);
        let won = won.filter(|(_, outcome)| matches!(outcome, Outcome::Win(_)));
        Self { policy, tablebase, won: won.map(|(position, _)| position).collect() }
    }

    /// What the rules are asked in a position; nothing where they are not.
    pub(super) fn asked_in(&self, position: &Position) -> Option<AskedIn> {
        match self.policy.decide(position) {
            Decision::Asked { moves, asked, selected } => {
                Some(AskedIn { position: *position, moves, asked, selected })
            }
            Decision::AtOnce(_) | Decision::Unsafe(_) => None,
        }
    }

    /// What is best by a score, the best first and those of equal score in the order of the index, among
    /// what is found in positions spread over the endgame.
    pub(super) fn best<T: Send, S: Ord + Send>(
        &self,
        find: impl Fn(AskedIn) -> Option<(S, T)> + Sync,
        most: usize,
    ) -> Vec<T> {
        let step = self.won.len().div_ceil(MOST_LOOKED_AT).max(1);
        let found = self.won.par_iter().enumerate().filter(|(at, _)| at % step == 0);
        let found = found.filter_map(|(at, position)| {
            let (score, thing) = find(self.asked_in(position)?)?;
            Some(((Reverse(score), at), thing))
        });
        let mut found: Vec<_> = found.collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        found.into_iter().take(most).map(|(_, thing)| thing).collect()
    }

    /// In how many plies the weak side is mated after a move, with best play; nothing where it is not.
    pub(super) fn mated_in(&self, after: &Position) -> Option<u16> {
        match self.tablebase.probe(after) {
            Ok(Outcome::Loss(plies)) => Some(plies),
            _ => None,
        }
    }

    /// How many plies one position after a move is worse than another, a win given away being the worst.
    pub(super) fn cost(&self, best: &Position, other: &Position) -> u32 {
        match (self.mated_in(best), self.mated_in(other)) {
            (Some(best), Some(other)) => u32::from(other.saturating_sub(best)),
            (Some(_), None) => u32::MAX,
            (None, _) => 0,
        }
    }
}
