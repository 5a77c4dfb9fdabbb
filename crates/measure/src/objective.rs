//! The objective of the search for measures.

use super::trial::{Candidate, TrialResult};
use lucena_proof::guarantee::FIFTY_MOVES;

/// The most terms of a measure, if no other number is asked for.
const MAX_TERMS: usize = 6;

/// The cost of each term, of each bit of its weights, and of each move of the longest game.
const TERM: f64 = 1.0;
const BIT: f64 = 0.05;
const MOVE: f64 = 0.02;

/// The cost of each move above the limit on the longest game.
const MOVE_ABOVE: f64 = 0.4;

/// The cost of each binary digit of the number of positions that are not won, and of those that are stuck.
const LOST: f64 = 2.0;
const STUCK: f64 = 0.4;

/// Limits for a measure that wins everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MeasureLimits {
    /// The most moves to mate.
    pub longest: Option<u16>,
    /// The most terms. A measure within this limit is made quicker instead of smaller.
    pub terms: Option<usize>,
}

impl MeasureLimits {
    /// The most terms of a candidate.
    pub(super) fn most_terms(self) -> usize {
        self.terms.unwrap_or(MAX_TERMS).max(1)
    }

    /// The cost of a candidate: the less, the better.
    pub(super) fn energy(self, candidate: &Candidate, result: TrialResult) -> f64 {
        let digits = |count: usize| libm::log2(1.0 + count as f64);
        let above = result.longest.saturating_sub(self.longest.unwrap_or(FIFTY_MOVES));
        let (term, each_move) = if self.terms.is_some() { (0.2, 0.2) } else { (TERM, MOVE) };
        LOST * digits(result.lost)
            + STUCK * digits(result.stuck)
            + term * candidate.terms.len() as f64
            + BIT * candidate.bits()
            + each_move * f64::from(result.longest)
            + MOVE_ABOVE * f64::from(above)
    }

    /// Returns true if a candidate that wins keeps within the limits.
    pub(super) fn allows(self, candidate: &Candidate, result: TrialResult) -> bool {
        self.allows_games(result) && self.terms.is_none_or(|most| candidate.terms.len() <= most)
    }

    /// Returns true if everything is won, and no game is too long.
    pub(super) fn allows_games(self, result: TrialResult) -> bool {
        result.wins() && result.longest <= self.longest.unwrap_or(FIFTY_MOVES)
    }
}
