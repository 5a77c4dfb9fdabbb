//! The work queues of an update of numbers, in memory that is reused.

use super::mate_in::MateIn;
use crate::positions::Before;
use lucena_base::index_vec::{IndexVec, Stamps};

/// The state of an update of numbers.
pub(super) struct WorkQueues {
    /// The positions whose number has risen.
    pub(super) raised: Stamps<Before>,
    /// The positions that have lost their number, and those numbers.
    pub(super) dropped: Vec<Before>,
    pub(super) old: Vec<MateIn>,
    /// The positions that may get a number, by that number.
    pub(super) buckets: Vec<Vec<Before>>,
    /// By position: the position whose changed number caused its own to change.
    pub(super) causes: IndexVec<Before, Option<Before>>,
}

impl WorkQueues {
    pub(super) fn new(befores: usize, bound: u16) -> Self {
        Self {
            raised: Stamps::new(befores),
            dropped: Vec::new(),
            old: Vec::new(),
            buckets: vec![Vec::new(); usize::from(bound) + 1],
            causes: IndexVec::filled(None, befores),
        }
    }

    /// Returns true if the number of `of` changed because that of `cause` did, directly or through others.
    pub(super) fn is_cause(&self, cause: Before, of: Before) -> bool {
        let mut at = of;
        // Causes that have been overwritten may form a cycle, so the number of steps is bounded.
        for _ in 0..1000 {
            if at == cause {
                return true;
            }
            match self.causes[at] {
                Some(earlier) => at = earlier,
                None => return false,
            }
        }
        false
    }
}
