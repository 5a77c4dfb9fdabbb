//! The replacement of several pairs of symbols by new symbols in one pass.

use super::alphabet::Symbol;
use super::tally::{Changes, ROOM};

/// The symbols that pairs become.
///
/// The table has a row for each symbol that begins a pair, and a column for each that ends one. It is small, so that it stays
/// in the cache while a long sequence is read.
#[derive(Debug)]
pub(crate) struct Substitution {
    rows: Places,
    columns: Places,
    table: Vec<Symbol>,
    /// The number of columns that the table has room for.
    width: usize,
}

/// The places of symbols in a table, in the order in which they were added.
#[derive(Debug)]
struct Places {
    of: Vec<u16>,
    len: usize,
}

const NO_PLACE: u16 = u16::MAX;
const NO_SYMBOL: Symbol = Symbol::MAX;

impl Places {
    fn new() -> Self {
        Self { of: vec![NO_PLACE; ROOM], len: 0 }
    }

    fn get(&self, symbol: Symbol) -> Option<usize> {
        let place = self.of[usize::from(symbol)];
        (place != NO_PLACE).then_some(usize::from(place))
    }

    fn get_or_add(&mut self, symbol: Symbol) -> usize {
        self.get(symbol).unwrap_or_else(|| {
            let place = self.len;
            self.of[usize::from(symbol)] = place as u16;
            self.len += 1;
            place
        })
    }
}

impl Substitution {
    /// A substitution that changes nothing.
    pub(crate) fn new() -> Self {
        Self { rows: Places::new(), columns: Places::new(), table: Vec::new(), width: 64 }
    }

    /// Adds that the pair becomes `symbol`, unless it becomes another already. Returns whether it does.
    pub(crate) fn add(&mut self, left: Symbol, right: Symbol, symbol: Symbol) -> bool {
        let (row, column) = (self.rows.get_or_add(left), self.columns.get_or_add(right));
        if self.columns.len > self.width {
            let mut wider = Vec::with_capacity(2 * self.table.len());
            for row in self.table.chunks(self.width) {
                wider.extend_from_slice(row);
                wider.resize(wider.len() + self.width, NO_SYMBOL);
            }
            (self.table, self.width) = (wider, 2 * self.width);
        }
        self.table.resize(self.rows.len * self.width, NO_SYMBOL);
        let entry = &mut self.table[row * self.width + column];
        let adds = *entry == NO_SYMBOL;
        if adds {
            *entry = symbol;
        }
        adds
    }

    /// The symbol that the pair becomes, if it becomes one.
    pub(crate) fn find(&self, left: Symbol, right: Symbol) -> Option<Symbol> {
        let (row, column) = (self.rows.get(left)?, self.columns.get(right)?);
        let symbol = self.table[row * self.width + column];
        (symbol != NO_SYMBOL).then_some(symbol)
    }

    /// Replaces the pairs in `sequence` from left to right, and notes what that changes in the tally.
    pub(crate) fn replace(&self, sequence: &mut Vec<Symbol>) -> Changes {
        let mut changes = Changes::new();
        let (mut read, mut written) = (0, 0);
        // The last symbol read, and whether it has been replaced.
        let (mut before, mut replaced_before) = (0, false);
        while read < sequence.len() {
            let left = sequence[read];
            let right = sequence.get(read + 1).copied();
            let replaced = right.and_then(|right| Some((right, self.find(left, right)?)));
            let (last, symbol) = match replaced {
                Some((right, symbol)) => {
                    changes.note(left, right, -1);
                    (right, symbol)
                }
                None => (left, left),
            };
            if written > 0 && (replaced.is_some() || replaced_before) {
                changes.note(before, left, -1);
                changes.note(sequence[written - 1], symbol, 1);
            }
            sequence[written] = symbol;
            written += 1;
            read += 1 + usize::from(replaced.is_some());
            (before, replaced_before) = (last, replaced.is_some());
        }
        sequence.truncate(written);
        changes
    }
}

/// Notes each pair of neighbours of `sequence`.
pub(crate) fn count_pairs(sequence: &[Symbol]) -> Changes {
    let mut changes = Changes::new();
    for pair in sequence.windows(2) {
        changes.note(pair[0], pair[1], 1);
    }
    changes
}
