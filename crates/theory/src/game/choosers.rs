//! Who chooses what: for each position after, the positions before whose move leads to it.

use crate::positions::{After, Before};
use lucena_base::ids::IdVec;

/// A chain of positions before for each position after. A position joins and leaves a chain in a
/// few steps, whatever the chain's length, because each knows both its neighbours.
pub(super) struct Choosers {
    first: IdVec<After, Option<Before>>,
    next: IdVec<Before, Option<Before>>,
    previous: IdVec<Before, Option<Before>>,
}

impl Choosers {
    pub(super) fn new(befores: usize, afters: usize) -> Self {
        Self {
            first: IdVec::filled(None, afters),
            next: IdVec::filled(None, befores),
            previous: IdVec::filled(None, befores),
        }
    }

    #[inline(always)]
    pub(super) fn first(&self, after: After) -> Option<Before> {
        self.first[after]
    }

    #[inline(always)]
    pub(super) fn next(&self, before: Before) -> Option<Before> {
        self.next[before]
    }

    /// A position before, which is in no chain, now chooses a position after.
    pub(super) fn link(&mut self, before: Before, after: After) {
        let next = self.first[after].replace(before);
        self.next[before] = next;
        self.previous[before] = None;
        if let Some(next) = next {
            self.previous[next] = Some(before);
        }
    }

    /// A position before no longer chooses a position after.
    pub(super) fn unlink(&mut self, before: Before, after: After) {
        let (previous, next) = (self.previous[before], self.next[before]);
        match previous {
            Some(previous) => self.next[previous] = next,
            None => self.first[after] = next,
        }
        if let Some(next) = next {
            self.previous[next] = previous;
        }
    }
}
