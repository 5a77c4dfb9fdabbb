//! Concurrent caches of values that are computed once and read often.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

/// A row of cells for each number, in chunks that are allocated on demand.
pub(super) struct Chunks<C> {
    /// The number of cells of a row.
    width: usize,
    chunks: Vec<OnceLock<Box<[C]>>>,
}

/// The number of rows in a chunk.
pub(super) const CHUNK: usize = 1 << 10;

impl<C: Default> Chunks<C> {
    /// Creates this many rows of default cells.
    pub(super) fn new(rows: usize, width: usize) -> Self {
        Self { width, chunks: (0..rows.div_ceil(CHUNK)).map(|_| OnceLock::new()).collect() }
    }

    #[inline]
    pub(super) fn row(&self, number: usize) -> &[C] {
        let empty = || (0..CHUNK * self.width).map(|_| C::default()).collect();
        let chunk = self.chunks[number / CHUNK].get_or_init(empty);
        &chunk[number % CHUNK * self.width..][..self.width]
    }
}

/// A row of bytes for each number.
pub(super) struct ByteCache(Chunks<AtomicU8>);

/// One row. The meaning of its flag bits is up to the owner.
#[derive(Clone, Copy)]
pub(super) struct CacheRow<'m> {
    values: &'m [AtomicU8],
    known: &'m AtomicU8,
}

impl ByteCache {
    /// Creates a cache of this many rows and values, all unknown.
    pub(super) fn new(rows: usize, values: usize) -> Self {
        // One more byte has the flags.
        Self(Chunks::new(rows, values + 1))
    }

    pub(super) fn row(&self, number: usize) -> CacheRow<'_> {
        CacheRow::new(self.0.row(number))
    }

    /// Returns a row outside the cache, all unknown.
    pub(super) fn empty(&self) -> Vec<AtomicU8> {
        (0..self.0.width).map(|_| AtomicU8::new(0)).collect()
    }
}

impl<'m> CacheRow<'m> {
    pub(super) fn new(cells: &'m [AtomicU8]) -> Self {
        let (known, values) = cells.split_last().expect("a row has one byte at least");
        Self { values, known }
    }

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

    /// Returns the answer to a question. The flag `bit` is set if the answer is known, and the flag `answer`
    /// is the answer.
    pub(super) fn get_or_compute(self, bit: u8, answer: u8, found: impl FnOnce() -> bool) -> bool {
        let known = self.known.load(Ordering::Relaxed);
        if known & bit != 0 {
            return known & answer != 0;
        }
        let found = found();
        self.known.fetch_or(bit | if found { answer } else { 0 }, Ordering::Relaxed);
        found
    }
}
