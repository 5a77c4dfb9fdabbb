//! A concurrent cache of bytes that are computed once and read often.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

/// A row of bytes for each number, in chunks that are allocated on demand.
pub(super) struct Memo {
    /// The number of bytes of a row, including the one with its flags.
    width: usize,
    pieces: Vec<OnceLock<Box<[AtomicU8]>>>,
}

/// The number of rows in a chunk.
const PIECE: usize = 1 << 10;

/// One row. The meaning of its flag bits is up to the owner.
#[derive(Clone, Copy)]
pub(super) struct Row<'m> {
    values: &'m [AtomicU8],
    known: &'m AtomicU8,
}

impl Memo {
    /// Creates a cache of this many rows and values, all unknown.
    pub(super) fn new(rows: usize, values: usize) -> Self {
        let pieces = (0..rows.div_ceil(PIECE)).map(|_| OnceLock::new()).collect();
        Self { width: values + 1, pieces }
    }

    pub(super) fn row(&self, number: usize) -> Row<'_> {
        let empty = || (0..PIECE * self.width).map(|_| AtomicU8::new(0)).collect();
        let piece = self.pieces[number / PIECE].get_or_init(empty);
        let row = &piece[number % PIECE * self.width..][..self.width];
        let (known, values) = row.split_last().expect("a row has one byte at least");
        Row { values, known }
    }
}

impl Row<'_> {
    /// Makes sure that some values are computed, and sets a flag for them.
    pub(super) fn fill(self, bit: u8, places: Range<usize>, found: impl FnOnce() -> Vec<u8>) {
        if self.known.load(Ordering::Acquire) & bit == 0 {
            // Other threads that compute them at the same time write the same.
            for (value, found) in self.values[places].iter().zip(found()) {
                value.store(found, Ordering::Relaxed);
            }
            self.known.fetch_or(bit, Ordering::Release);
        }
    }

    /// Returns a value that has been computed.
    pub(super) fn value(self, place: usize) -> u8 {
        self.values[place].load(Ordering::Relaxed)
    }

    /// Returns the answer to a question. The flag `bit` says that it is known, the flag `answer` what it is.
    pub(super) fn asked(self, bit: u8, answer: u8, found: impl FnOnce() -> bool) -> bool {
        let known = self.known.load(Ordering::Relaxed);
        if known & bit != 0 {
            return known & answer != 0;
        }
        let found = found();
        self.known.fetch_or(bit | if found { answer } else { 0 }, Ordering::Relaxed);
        found
    }
}
