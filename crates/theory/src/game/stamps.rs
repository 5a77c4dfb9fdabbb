//! Sets that are cleared in constant time.

use lucena_base::ids::{Id, IdVec};

/// A set of ids. Each member is stamped with the round in which it was inserted, and counts only in that
/// round.
pub(super) struct Stamps<I> {
    stamps: IdVec<I, u32>,
    round: u32,
}

impl<I: Id> Stamps<I> {
    pub(super) fn new(count: usize) -> Self {
        Self { stamps: IdVec::filled(0, count), round: 1 }
    }

    pub(super) fn clear(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.stamps.as_mut_slice().fill(0);
            self.round = 1;
        }
    }

    #[inline(always)]
    pub(super) fn has(&self, id: I) -> bool {
        self.stamps[id] == self.round
    }

    /// Inserts an id. Returns true if it is new.
    #[inline(always)]
    pub(super) fn insert(&mut self, id: I) -> bool {
        std::mem::replace(&mut self.stamps[id], self.round) != self.round
    }
}
