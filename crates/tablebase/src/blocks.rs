//! Entries in packed blocks in memory.

use super::entries::{Entries, Entry};
use super::packing::{BLOCK, unpack};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Entries in packed blocks, with a cache of unpacked blocks.
pub(super) struct Blocks {
    len: usize,
    packed: Vec<Vec<u8>>,
    /// A direct-mapped cache: at the block's number modulo its length, the block last read with that
    /// remainder.
    unpacked: Vec<Mutex<Option<(usize, Entries)>>>,
}

/// The number of blocks in the cache: more than a few neighbouring positions and their moves need, and
/// at most 2 MiB for entries of one byte.
const UNPACKED: usize = 256;

/// The number of blocks unpacked together when all are.
const BATCH: usize = 64;

impl Blocks {
    /// Blocks that [`pack_all`](super::packing::pack_all) made of `len` entries.
    pub(super) fn new(len: usize, packed: Vec<Vec<u8>>) -> Self {
        let unpacked = (0..UNPACKED.min(packed.len())).map(|_| Mutex::new(None)).collect();
        Self { len, packed, unpacked }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The entry with a number.
    pub(super) fn get(&self, at: usize) -> Entry {
        let number = at / BLOCK;
        let place = &self.unpacked[number % self.unpacked.len()];
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        match &*place {
            Some((found, entries)) if *found == number => entries.get(at % BLOCK),
            _ => {
                let entries = self.block(number);
                let entry = entries.get(at % BLOCK);
                *place = Some((number, entries));
                entry
            }
        }
    }

    /// The entries of a block.
    pub(super) fn block(&self, number: usize) -> Entries {
        let len = BLOCK.min(self.len - number * BLOCK);
        unpack(&self.packed[number], len).expect("what was packed here unpacks")
    }

    /// All entries, unpacked.
    pub(super) fn all(&self) -> Entries {
        let mut all = Entries::with_room(self.len);
        let numbers: Vec<usize> = (0..self.packed.len()).collect();
        // In batches, so that few entries are held twice.
        for some in numbers.chunks(BATCH) {
            let some = some.par_iter().map(|&number| self.block(number));
            some.collect::<Vec<_>>().into_iter().for_each(|more| all.append(more));
        }
        all
    }
}
