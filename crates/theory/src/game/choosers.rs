//! For each position after, a linked list of the positions before that choose the move to it.

use crate::positions::{After, Before};
use lucena_base::index_vec::IndexVec;

/// An intrusive doubly linked list of positions before for each position after. A position joins and leaves a
/// list in constant time.
pub(super) struct ChooserLists {
    first: IndexVec<After, Option<Before>>,
    next: IndexVec<Before, Option<Before>>,
    previous: IndexVec<Before, Option<Before>>,
}

impl ChooserLists {
    pub(super) fn new(befores: usize, afters: usize) -> Self {
        Self {
            first: IndexVec::filled(None, afters),
            next: IndexVec::filled(None, befores),
            previous: IndexVec::filled(None, befores),
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

    /// Adds a position before, which is in no list, to the list of a position after.
    pub(super) fn link(&mut self, before: Before, after: After) {
        let next = self.first[after].replace(before);
        self.next[before] = next;
        self.previous[before] = None;
        if let Some(next) = next {
            self.previous[next] = Some(before);
        }
    }

    /// Removes a position before from the list of a position after.
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
