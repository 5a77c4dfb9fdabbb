//! Candidates for a measure, and the result of a trial.

use lucena_model::Horizon;

/// Terms with weights, and the way to look ahead.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate {
    /// The number of a quantity of the table, and its weight.
    pub terms: Vec<(usize, i32)>,
    /// The way in which it looks ahead.
    pub view: Horizon,
}

/// The result of a trial. Positions are counted up to symmetry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialResult {
    /// The positions that can be won and are not.
    pub lost: usize,
    /// The positions in which a tied move does not surely make the score lower: circles begin there.
    pub stuck: usize,
    /// The moves to mate in the longest game from a position that is won.
    pub longest: u16,
}

impl TrialResult {
    /// Returns true if all positions that can be won are won.
    pub fn wins(&self) -> bool {
        self.lost == 0
    }

    /// Returns true if the score falls with every move, which proves by itself that all positions are won.
    pub fn is_ranking(&self) -> bool {
        self.stuck == 0
    }
}

impl Candidate {
    /// The sum of the binary logarithms of the weights, each plus one.
    pub fn bits(&self) -> f64 {
        self.terms
            .iter()
            .map(|&(_, weight)| libm::log2(1.0 + f64::from(weight.unsigned_abs())))
            .sum()
    }
}
