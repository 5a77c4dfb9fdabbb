//! What is still to be done, and why, while numbers change: memory that is used again.

use super::mate_in::MateIn;
use super::stamps::Stamps;
use crate::positions::Before;
use lucena_base::ids::IdVec;

/// What is needed while numbers change.
pub(super) struct Pending {
    /// The positions whose number is greater than before.
    pub(super) raised: Stamps<Before>,
    /// Positions that have lost their number, and what it was.
    pub(super) dropped: Vec<Before>,
    pub(super) old: Vec<MateIn>,
    /// Positions that may get a number, by that number.
    pub(super) buckets: Vec<Vec<Before>>,
    /// By position: the one whose number changed so that its own had to.
    pub(super) causes: IdVec<Before, Option<Before>>,
}

impl Pending {
    pub(super) fn new(befores: usize, bound: u16) -> Self {
        Self {
            raised: Stamps::new(befores),
            dropped: Vec::new(),
            old: Vec::new(),
            buckets: vec![Vec::new(); usize::from(bound) + 1],
            causes: IdVec::filled(None, befores),
        }
    }

    /// Whether the number of one position had to change because that of another did, by way of
    /// others.
    pub(super) fn is_cause(&self, cause: Before, of: Before) -> bool {
        let mut at = of;
        // Causes that have been overwritten may lead around for ever: some steps must do.
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
