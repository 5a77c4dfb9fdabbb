//! The search for circles: R. Tarjan's algorithm for strongly connected components (1972).

use super::ground::At;

/// A walk, depth first, that tells which positions it can come back to.
#[derive(Default)]
pub(super) struct Circles {
    /// By position: when it was met, counted from 1; 0 before.
    met: Vec<u32>,
    /// By position: the earliest that it can come back to, among those not yet in a component.
    low: Vec<u32>,
    is_open: Vec<bool>,
    open: Vec<At>,
    /// The way to where the walk is, each position with how many of its followers are done.
    way: Vec<(At, u32)>,
    count: u32,
    /// The component that was found last.
    component: Vec<At>,
}

impl Circles {
    /// Begins a walk over so many positions.
    pub(super) fn begin(&mut self, positions: usize) {
        self.met.clear();
        self.met.resize(positions, 0);
        self.low.resize(positions, 0);
        self.is_open.clear();
        self.is_open.resize(positions, false);
        self.open.clear();
        self.way.clear();
        self.count = 0;
    }

    #[inline(always)]
    pub(super) fn has_met(&self, at: At) -> bool {
        self.met[at as usize] != 0
    }

    /// Goes on to a position that was not met before.
    pub(super) fn enter(&mut self, at: At) {
        self.count += 1;
        self.met[at as usize] = self.count;
        self.low[at as usize] = self.count;
        self.is_open[at as usize] = true;
        self.open.push(at);
        self.way.push((at, 0));
    }

    /// Where the walk is, and which of its followers comes next: it counts as done from now on.
    #[inline(always)]
    pub(super) fn last(&mut self) -> Option<(At, usize)> {
        let (at, done) = self.way.last_mut()?;
        *done += 1;
        Some((*at, *done as usize - 1))
    }

    /// Sees a follower that was met before.
    #[inline(always)]
    pub(super) fn meet_again(&mut self, at: At, next: At) {
        if self.is_open[next as usize] {
            self.low[at as usize] = self.low[at as usize].min(self.met[next as usize]);
        }
    }

    /// Goes back from a position whose followers are all done. The positions in circles that are settled
    /// by that.
    pub(super) fn leave(&mut self, at: At, leads_to_itself: bool) -> &[At] {
        let low = self.low[at as usize];
        self.way.pop();
        if let Some(&(before, _)) = self.way.last() {
            let before = before as usize;
            self.low[before] = self.low[before].min(low);
        }
        self.component.clear();
        if low == self.met[at as usize] {
            while let Some(member) = self.open.pop() {
                self.is_open[member as usize] = false;
                self.component.push(member);
                if member == at {
                    break;
                }
            }
            if self.component.len() == 1 && !leads_to_itself {
                self.component.clear();
            }
        }
        &self.component
    }
}
