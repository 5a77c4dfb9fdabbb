//! Bytes that are worked out once and asked for often, by many threads at the same time.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

/// A row of bytes for each number, in pieces: who asks for few numbers takes few pieces.
pub(super) struct Memo {
    /// How many bytes a row has, with the one that says what is known.
    width: usize,
    pieces: Vec<OnceLock<Box<[AtomicU8]>>>,
}

/// How many rows a piece has.
const PIECE: usize = 1 << 10;

/// One row. What is known of it is a set of bits that mean what the owner wants.
#[derive(Clone, Copy)]
pub(super) struct Row<'m> {
    values: &'m [AtomicU8],
    known: &'m AtomicU8,
}

impl Memo {
    /// So many rows of so many values, of which nothing is known.
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
    /// Sees to it that some values are there, and that a bit says so.
    pub(super) fn fill(self, bit: u8, places: Range<usize>, found: impl FnOnce() -> Vec<u8>) {
        if self.known.load(Ordering::Acquire) & bit == 0 {
            // Whoever else works them out at the same time writes the same.
            for (value, found) in self.values[places].iter().zip(found()) {
                value.store(found, Ordering::Relaxed);
            }
            self.known.fetch_or(bit, Ordering::Release);
        }
    }

    /// A value that is there.
    pub(super) fn value(self, place: usize) -> u8 {
        self.values[place].load(Ordering::Relaxed)
    }

    /// The answer to a question: one bit says that it has been asked, another what the answer is.
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
