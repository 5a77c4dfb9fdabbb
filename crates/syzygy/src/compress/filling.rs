//! The settling of free cells by their neighbours.

use super::alphabet::{Alphabet, Symbol};

/// The filling of gaps of free cells: by the more frequent value beside them, for runs are what
/// compresses best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filling<'a> {
    pub(crate) alphabet: &'a Alphabet,
    /// The count of each value.
    pub(crate) popularity: &'a [u64],
}

/// The length from which a gap is filled with the most frequent value, whatever is beside it.
const APART: usize = 128;

/// The length from which a gap is filled though no value beside it may fill it. Shorter ones are left for the pairs to
/// settle.
const LONG: usize = 4;

impl Filling<'_> {
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
        let allowed = self.find_allowed(gap);
        let popular =
            || allowed.iter().copied().max_by_key(|&value| self.popularity[usize::from(value)]);
        if gap.len() >= APART {
            return popular();
        }
        let left = start.checked_sub(1).map(|i| cells[i]);
        let right = cells.get(end).copied();
        let beside = [right, left].into_iter().flatten().filter(|value| allowed.contains(value));
        let best = beside.max_by_key(|&value| self.popularity[usize::from(value)]);
        best.or_else(|| if gap.len() >= LONG { popular() } else { None })
    }

    /// The values that may be stored for all cells of `gap`, and that occur.
    fn find_allowed(&self, gap: &[Symbol]) -> Vec<Symbol> {
        let mut allowed: Vec<Symbol> = (0..self.alphabet.values())
            .filter(|&value| self.popularity[usize::from(value)] > 0)
            .collect();
        let mut last = None;
        for &cell in gap {
            if last != Some(cell) {
                allowed.retain(|&value| self.alphabet.allows(cell, value));
                last = Some(cell);
            }
        }
        allowed
    }
}
