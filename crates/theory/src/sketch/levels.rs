//! The positions that reach a node, level by level, in memory that is reused for every traversal.

use lucena_base::bits::BitSet;

/// A set of positions for every level of a traversal down a tree.
#[derive(Default)]
pub(crate) struct Levels(Vec<BitSet>);

impl Levels {
    /// Returns the set of a level that has been written.
    pub(crate) fn at(&self, level: usize) -> &BitSet {
        &self.0[level]
    }

    /// Returns the set of the first level, for writing.
    pub(super) fn first(&mut self) -> &mut BitSet {
        if self.0.is_empty() {
            self.0.push(BitSet::default());
        }
        &mut self.0[0]
    }

    /// Writes the positions of a level that are below a test to the next level.
    pub(crate) fn go_below(&mut self, level: usize, below: &BitSet) {
        let [upper, lower] = self.pair(level);
        lower.assign_intersection(upper, below);
    }

    /// Writes the positions of a level that are above a test to the next level.
    pub(crate) fn go_above(&mut self, level: usize, below: &BitSet) {
        let [upper, lower] = self.pair(level);
        lower.assign_difference(upper, below);
    }

    /// Returns a level and the next one.
    fn pair(&mut self, level: usize) -> [&mut BitSet; 2] {
        if self.0.len() <= level + 1 {
            self.0.push(BitSet::default());
        }
        let (upper, lower) = self.0.split_at_mut(level + 1);
        [&mut upper[level], &mut lower[0]]
    }
}
