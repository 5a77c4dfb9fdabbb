//! The division of a table into parts, which are compressed and read one by one.

use super::Index;
use std::ops::Range;

/// The least number of placements of a part, unless the table has fewer: the blocks of a part begin with the same chances.
const LEAST: usize = 1 << 21;

/// A part of a table: all placements with the strong king on some squares. No move of the weak side leaves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// The pairs of kings.
    pub(super) pairs: Range<usize>,
    /// The placements.
    pub(super) numbers: Range<usize>,
}

impl Part {
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }
}

/// Divides the placements of an index into parts, in order.
pub(super) fn parts(index: &Index) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let (mut pair, mut number) = (0, 0);
    for same in index.pairs.chunk_by(|one, other| one.strong == other.strong) {
        let end = pair + same.len();
        let numbers = number..index.pairs.get(end).map_or(index.len(), |next| next.first);
        (pair, number) = (end, numbers.end);
        match parts.last_mut() {
            // A part that is too small takes up the next square.
            Some(last) if last.len().min(index.len() - numbers.start) < LEAST => {
                last.pairs.end = end;
                last.numbers.end = numbers.end;
            }
            _ => parts.push(Part { pairs: end - same.len()..end, numbers }),
        }
    }
    parts
}
