//! Trials of many measures on one endgame.

use super::trial::{Candidate, TrialResult};
use lucena_attributes::Quantity;
use std::sync::OnceLock;

/// The tables of an endgame, in a form that suits it.
pub(super) trait Trials: Send + Sync {
    /// Returns the number of positions that can be won, up to symmetry.
    fn positions(&self) -> usize;

    /// Makes sure that the values of a quantity are known.
    fn fill(&self, number: usize, quantity: &Quantity);

    /// Returns the values of a known quantity in all positions that a safe move can lead to.
    fn values(&self, number: usize) -> Box<dyn Iterator<Item = u16> + '_>;

    /// Tries a candidate whose quantities are known.
    fn trial(&self, candidate: &Candidate) -> TrialResult;
}

/// The values of each quantity, computed when they are first needed.
pub(super) struct Columns<C>(Vec<OnceLock<C>>);

impl<C> Columns<C> {
    pub(super) fn new(count: usize) -> Self {
        Self((0..count).map(|_| OnceLock::new()).collect())
    }

    /// Computes values that are not yet known. Two threads may compute the same; neither waits while it holds a lock.
    pub(super) fn fill(&self, number: usize, values: impl FnOnce() -> C) {
        if self.0[number].get().is_none() {
            let values = values();
            self.0[number].get_or_init(|| values);
        }
    }

    pub(super) fn get(&self, number: usize) -> &C {
        self.0[number].get().expect("the values are computed before they are used")
    }
}
