//! The decision of a policy in one position.

use super::{Reason, probe};
use crate::graph::places::{Places, StrongPlace, WeakPlace};
use crate::policy::Policy;
use lucena_chess::Position;
use lucena_tablebase::{Outcome, Tablebase};

/// The decision of a policy in one position.
pub(super) struct Decision {
    /// The places that its moves within the material lead to, each once.
    pub(super) to: Vec<WeakPlace>,
    /// The most moves to mate after a move that leads to another endgame and wins it.
    pub(super) departing: Option<u16>,
    /// True if it has no move, or one that leads to another endgame and does not win it.
    pub(super) fails: bool,
    pub(super) is_optimal: bool,
    /// True if a move lets the weak side win.
    pub(super) is_losing: bool,
}

impl Decision {
    pub(super) fn new(
        policy: &dyn Policy,
        tablebase: &Tablebase,
        places: &Places,
        place: StrongPlace,
        position: &Position,
    ) -> Self {
        let best = places.outcome(tablebase, place, position);
        let Some(choices) = policy.plays(position).filter(|choices| !choices.is_empty()) else {
            return Self::without_move(position, best);
        };
        let mut decision = Self {
            to: Vec::with_capacity(choices.len()),
            departing: None,
            fails: false,
            is_optimal: true,
            is_losing: false,
        };
        for (_, after) in choices {
            let outcome = if after.material() == places.material() {
                let place = places.weak(&after);
                decision.to.push(place);
                places.outcome(tablebase, place, &after).before_move()
            } else {
                let outcome = probe(tablebase, &after).before_move();
                match outcome.moves_to_win() {
                    Some(moves) => decision.departing = decision.departing.max(Some(moves - 1)),
                    None => decision.fails = true,
                }
                outcome
            };
            decision.is_optimal &= outcome == best;
            decision.is_losing |= matches!(outcome, Outcome::Loss(_));
        }
        if decision.to.len() > 1 {
            decision.to.sort_unstable();
            decision.to.dedup();
        }
        decision
    }

    /// Returns the decision if the policy has no move, or an illegal one.
    fn without_move(position: &Position, best: Outcome) -> Self {
        Self {
            to: Vec::new(),
            departing: None,
            fails: true,
            // If there is no move, there is no better one.
            is_optimal: !position.has_moves(),
            is_losing: matches!(best, Outcome::Loss(_)),
        }
    }
}

/// Returns the reason why the policy has no legal move.
pub(super) fn without_move(position: &Position) -> Reason {
    match (position.has_moves(), position.is_check()) {
        (true, _) => Reason::NoMove,
        (false, true) => Reason::Lost,
        (false, false) => Reason::Stalemate,
    }
}
