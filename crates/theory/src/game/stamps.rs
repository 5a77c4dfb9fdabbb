//! Sets that are emptied in one step, however large they are.

use lucena_base::ids::{Id, IdVec};

/// A set of ids. Each member has the number of the round in which it came in: it counts only while
/// that round lasts.
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

    /// Puts an id in, and says whether it is new.
    #[inline(always)]
    pub(super) fn insert(&mut self, id: I) -> bool {
        std::mem::replace(&mut self.stamps[id], self.round) != self.round
    }
}
