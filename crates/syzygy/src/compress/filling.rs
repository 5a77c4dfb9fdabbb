//! The settling of free cells by their neighbours.

use super::alphabet::{Alphabet, Symbol};
use std::cmp::Reverse;

/// The filling of gaps of free cells: by the more frequent value beside them, for runs are what
/// compresses best.
#[derive(Clone, Debug)]
pub(crate) struct Filling<'a> {
    alphabet: &'a Alphabet,
    /// The count of each value.
    popularity: &'a [u64],
    /// The values, the most frequent first.
    by_popularity: Vec<Symbol>,
}

/// The length from which a gap is filled with the most frequent value, without regard to its
/// neighbours.
const APART: usize = 128;

/// The length from which a gap is filled though no value beside it may fill it. Shorter ones are left for the pairs to
/// settle.
const LONG: usize = 4;

impl<'a> Filling<'a> {
    /// A filling for an alphabet whose values have these frequencies (`popularity`).
    pub(crate) fn new(alphabet: &'a Alphabet, popularity: &'a [u64]) -> Self {
        let mut by_popularity: Vec<Symbol> = (0..alphabet.values()).collect();
        by_popularity.sort_by_key(|&value| Reverse((popularity[usize::from(value)], value)));
        Self { alphabet, popularity, by_popularity }
    }

    /// Fills the gaps of `cells` where that is clearly good, and leaves others free.
    pub(crate) fn fill(&self, cells: &mut [Symbol]) {
        let mut start = 0;
        while start < cells.len() {
            let gap =
                cells[start..].iter().take_while(|&&cell| self.alphabet.is_free(cell)).count();
            if gap > 0 {
                let filler = self.choose(cells, start, start + gap);
                filler.into_iter().for_each(|value| cells[start..start + gap].fill(value));
            }
            start += gap.max(1);
        }
    }

    /// The value to fill the gap of `cells` from `start` to `end` with, if it is to be filled.
    fn choose(&self, cells: &[Symbol], start: usize, end: usize) -> Option<Symbol> {
        let gap = &cells[start..end];
        let is_allowed = |value: &Symbol| {
            let mut last = None;
            self.popularity[usize::from(*value)] > 0
                && gap.iter().all(|&cell| {
                    last.replace(cell) == Some(cell) || self.alphabet.allows(cell, *value)
                })
        };
        let popularity = |value: &Symbol| self.popularity[usize::from(*value)];
        let popular = || self.by_popularity.iter().copied().find(is_allowed);
        if gap.len() >= APART {
            return popular();
        }
        let left = start.checked_sub(1).map(|i| cells[i]);
        let right = cells.get(end).copied();
        let beside = [right, left].into_iter().flatten().filter(is_allowed);
        let best = beside.max_by_key(popularity);
        best.or_else(|| if gap.len() >= LONG { popular() } else { None })
    }
}
