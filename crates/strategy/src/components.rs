//! Cycle detection: R. Tarjan's algorithm for strongly connected components (1972).

use super::move_rows::PositionId;

/// A depth-first search that finds the positions on cycles.
#[derive(Default)]
pub(super) struct Components {
    /// By position: the order in which it was discovered, from 1; 0 if it was not.
    met: Vec<u32>,
    /// By position: the earliest discovered position that it can reach, among those not yet in a component.
    low: Vec<u32>,
    is_open: Vec<bool>,
    open: Vec<PositionId>,
    /// The current path; each position with the number of its successors already visited.
    way: Vec<(PositionId, u32)>,
    count: u32,
    /// The last component found.
    component: Vec<PositionId>,
}

impl Components {
    /// Begins a search over a graph of this many positions.
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
    pub(super) fn has_met(&self, at: PositionId) -> bool {
        self.met[at as usize] != 0
    }

    /// Moves on to a newly discovered position.
    pub(super) fn enter(&mut self, at: PositionId) {
        self.count += 1;
        self.met[at as usize] = self.count;
        self.low[at as usize] = self.count;
        self.is_open[at as usize] = true;
        self.open.push(at);
        self.way.push((at, 0));
    }

    /// Returns the end of the path and the index of its next successor, which counts as visited from now on.
    #[inline(always)]
    pub(super) fn last(&mut self) -> Option<(PositionId, usize)> {
        let (at, done) = self.way.last_mut()?;
        *done += 1;
        Some((*at, *done as usize - 1))
    }

    /// Handles an edge to a position discovered before.
    #[inline(always)]
    pub(super) fn meet_again(&mut self, at: PositionId, next: PositionId) {
        if self.is_open[next as usize] {
            self.low[at as usize] = self.low[at as usize].min(self.met[next as usize]);
        }
    }

    /// Backtracks from a position whose successors have all been visited. Returns the component that this
    /// completes, if its positions are on a cycle; otherwise nothing.
    pub(super) fn leave(&mut self, at: PositionId, leads_to_itself: bool) -> &[PositionId] {
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
