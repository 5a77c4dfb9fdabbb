//! The replacement of several pairs of symbols by new symbols in one pass.

use super::alphabet::Symbol;
use super::tally::{Changes, ROOM};

/// The symbols that pairs become.
#[derive(Debug)]
pub(crate) struct Substitution {
    rows: Vec<u16>,
    table: Vec<Symbol>,
}

const NO_ROW: u16 = u16::MAX;
const NO_SYMBOL: Symbol = Symbol::MAX;

impl Substitution {
    /// A substitution that changes nothing.
    pub(crate) fn new() -> Self {
        Self { rows: vec![NO_ROW; ROOM], table: Vec::new() }
    }

    /// Adds that the pair becomes `symbol`, unless it becomes another already. Returns whether it does.
    pub(crate) fn add(&mut self, left: Symbol, right: Symbol, symbol: Symbol) -> bool {
        let row = &mut self.rows[usize::from(left)];
        if *row == NO_ROW {
            *row = u16::try_from(self.table.len() / ROOM).expect("few rows");
            self.table.resize(self.table.len() + ROOM, NO_SYMBOL);
        }
        let entry = &mut self.table[usize::from(*row) * ROOM + usize::from(right)];
        let adds = *entry == NO_SYMBOL;
        if adds {
            *entry = symbol;
        }
        adds
    }

    /// The symbol that the pair becomes, if it becomes one.
    pub(crate) fn find(&self, left: Symbol, right: Symbol) -> Option<Symbol> {
        let row = self.rows[usize::from(left)];
        if row == NO_ROW {
            return None;
        }
        let symbol = self.table[usize::from(row) * ROOM + usize::from(right)];
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
