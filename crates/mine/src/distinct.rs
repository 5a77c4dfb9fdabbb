use rayon::prelude::*;
use std::collections::BTreeSet;

/// Returns those of some items, in order, whose hash no earlier one has. Items without a hash are left out.
pub fn distinct<T: Copy + Sync>(
    items: &[T],
    hash: impl Fn(T) -> Option<u64> + Sync + Send,
) -> Vec<T> {
    first_of_each(items, items.par_iter().map(|&item| hash(item)).collect())
}

/// Returns those of some items, in order, whose hash no earlier one has, given all hashes. Items without a hash are left
/// out.
pub fn first_of_each<T: Copy>(items: &[T], hashes: Vec<Option<u64>>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    let mut is_new = |hash: Option<u64>| hash.is_some_and(|hash| seen.insert(hash));
    let items = items.iter().zip(hashes).filter(|(_, hash)| is_new(*hash));
    items.map(|(&item, _)| item).collect()
}

/// The hash of Fowler, Noll and Vo of some numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fnv(pub u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds a number.
    #[must_use]
    #[inline]
    pub fn with(self, number: u64) -> Self {
        Self((self.0 ^ number).wrapping_mul(0x0000_0100_0000_01b3))
    }
}
