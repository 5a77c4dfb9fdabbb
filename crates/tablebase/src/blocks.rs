//! Entries in packed blocks, held in memory or read from a file as they are needed.

use super::entries::{Entries, Entry};
use super::opened::{OpenFile, TableFileError, give_up};
use super::packing::{BLOCK, checksum, unpack};
use lucena_chess::Position;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// Entries in packed blocks, of which some are unpacked at a time.
pub(super) struct Blocks {
    len: usize,
    source: Source,
    /// By the block's number, what is left when it is divided by the number of places: the block that
    /// was last asked for there.
    unpacked: Vec<Mutex<Option<(usize, Entries)>>>,
}

/// Where the packed blocks are.
enum Source {
    Memory(Vec<Vec<u8>>),
    File(SideInFile),
}

/// The blocks of a side to move in a table file.
pub(super) struct SideInFile {
    pub(super) file: Arc<OpenFile>,
    /// Which table and side these are, for whoever reads that a block is damaged.
    pub(super) name: String,
    pub(super) places: Vec<Place>,
}

/// Where a packed block stands in a file.
pub(super) struct Place {
    pub(super) at: u64,
    pub(super) size: u32,
    pub(super) checksum: u32,
}

/// How many blocks are unpacked at a time: more than a few neighbouring positions and their moves ask
/// for, and 2 MiB at most for entries of a byte.
const UNPACKED: usize = 256;

/// So many blocks are unpacked together where all are.
const TOGETHER: usize = 64;

impl Blocks {
    /// Packed blocks that unpack to so many entries.
    pub(super) fn in_memory(len: usize, blocks: Vec<Vec<u8>>) -> Self {
        Self::new(len, Source::Memory(blocks))
    }

    /// Blocks of a file that unpack to so many entries.
    pub(super) fn in_file(len: usize, side: SideInFile) -> Self {
        Self::new(len, Source::File(side))
    }

    fn new(len: usize, source: Source) -> Self {
        let unpacked = (0..UNPACKED.min(len.div_ceil(BLOCK))).map(|_| Mutex::new(None)).collect();
        Self { len, source, unpacked }
    }

    /// The most bytes of memory that are taken for a side to move with so many entries, if its blocks are in
    /// a file.
    pub(super) fn memory_in_file(len: usize) -> u64 {
        let blocks = len.div_ceil(BLOCK);
        // Most tables have entries of a byte; of the others few blocks have not.
        (blocks * size_of::<Place>() + UNPACKED.min(blocks) * BLOCK) as u64
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn count(&self) -> usize {
        self.len.div_ceil(BLOCK)
    }

    /// The entry with a number.
    ///
    /// # Errors
    /// When its block cannot be read or is damaged.
    pub(super) fn try_get(&self, at: usize) -> Result<Entry, TableFileError> {
        let number = at / BLOCK;
        let place = &self.unpacked[number % self.unpacked.len()];
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        match &*place {
            Some((found, entries)) if *found == number => Ok(entries.get(at % BLOCK)),
            _ => {
                let entries = self.try_block(number)?;
                let entry = entries.get(at % BLOCK);
                *place = Some((number, entries));
                Ok(entry)
            }
        }
    }

    /// The same; ends the work where the block cannot be read any more.
    pub(super) fn get(&self, at: usize) -> Entry {
        self.try_get(at).unwrap_or_else(|error| give_up(error))
    }

    /// The entries of a block.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    pub(super) fn try_block(&self, number: usize) -> Result<Entries, TableFileError> {
        let len = BLOCK.min(self.len - number * BLOCK);
        let packed = self.packed(number)?;
        match &self.source {
            Source::Memory(_) => Ok(unpack(&packed, len).expect("what was packed here unpacks")),
            Source::File(side) => {
                unpack(&packed, len).ok_or_else(|| side.damaged(number, "it does not unpack"))
            }
        }
    }

    /// The same; ends the work where the block cannot be read any more.
    pub(super) fn block(&self, number: usize) -> Entries {
        self.try_block(number).unwrap_or_else(|error| give_up(error))
    }

    /// All entries, as they are.
    ///
    /// # Errors
    /// When a block cannot be read or is damaged.
    pub(super) fn try_all(&self) -> Result<Entries, TableFileError> {
        let mut all = Entries::with_room(self.len);
        let numbers: Vec<usize> = (0..self.count()).collect();
        // Some at a time, so that little is there twice.
        for some in numbers.chunks(TOGETHER) {
            let some = some.par_iter().map(|&number| self.try_block(number));
            let some: Vec<Entries> = some.collect::<Result<_, _>>()?;
            some.into_iter().for_each(|more| all.append(more));
        }
        Ok(all)
    }

    /// The bytes of a block, as files keep them.
    ///
    /// # Errors
    /// When they cannot be read, or are not those that the head of the file speaks of.
    pub(super) fn packed(&self, number: usize) -> Result<Cow<'_, [u8]>, TableFileError> {
        match &self.source {
            Source::Memory(blocks) => Ok(Cow::from(&blocks[number])),
            Source::File(side) => side.read(number).map(Cow::from),
        }
    }

    /// Looks whether all blocks are as the head of the file says, without unpacking them.
    ///
    /// # Errors
    /// When one is not.
    pub(super) fn check(&self) -> Result<(), TableFileError> {
        match &self.source {
            Source::Memory(_) => Ok(()),
            Source::File(side) => {
                (0..self.count()).into_par_iter().try_for_each(|number| side.read(number).map(drop))
            }
        }
    }

    /// What is wrong where a legal position has no entry.
    ///
    /// # Panics
    /// When the blocks are in memory: what was made here has an entry for every legal position.
    pub(super) fn lack(&self, position: &Position) -> TableFileError {
        match &self.source {
            Source::Memory(_) => panic!("every legal position has an entry, not \"{position}\""),
            Source::File(side) => {
                side.file.damaged(format!("{} has no entry for \"{position}\"", side.name))
            }
        }
    }
}

impl SideInFile {
    fn read(&self, number: usize) -> Result<Vec<u8>, TableFileError> {
        let Place { at, size, checksum: told } = self.places[number];
        let packed = self.file.read_at(at, size as usize)?;
        if checksum(&packed) != told {
            return Err(self.damaged(number, "its checksum is wrong"));
        }
        Ok(packed)
    }

    fn damaged(&self, number: usize, what: &str) -> TableFileError {
        self.file.damaged(format!("{}, block {number}: {what}", self.name))
    }
}
