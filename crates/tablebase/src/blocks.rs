//! Entries in packed blocks, held in memory or read from a file on demand.

use super::entries::{Entries, Entry};
use super::open_file::{OpenFile, TableFileError};
use super::packing::{BLOCK, checksum, unpack};
use lucena_chess::Position;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// Entries in packed blocks, with a cache of unpacked blocks. Its methods fail if a block cannot be read, is
/// damaged, or has another checksum than the head of the file says.
pub(super) struct Blocks {
    len: usize,
    source: Source,
    /// A direct-mapped cache: at the block's number modulo its length, the block last read with that
    /// remainder.
    unpacked: Vec<Mutex<Option<(usize, Entries)>>>,
}

/// The location of the packed blocks.
pub(super) enum Source {
    Memory(Vec<Vec<u8>>),
    File(FileBlocks),
}

/// The blocks of a side to move in a table file.
pub(super) struct FileBlocks {
    pub(super) file: Arc<OpenFile>,
    /// The table and side, for error messages.
    pub(super) name: String,
    pub(super) places: Vec<BlockLocation>,
}

/// The location of a packed block in a file.
pub(super) struct BlockLocation {
    pub(super) at: u64,
    pub(super) size: u32,
    pub(super) checksum: u32,
}

/// The number of blocks in the cache: more than a few neighbouring positions and their moves need, and
/// at most 2 MiB for entries of one byte.
const UNPACKED: usize = 256;

/// The number of blocks unpacked together when all are.
const TOGETHER: usize = 64;

impl Blocks {
    /// Blocks that unpack to `len` entries.
    pub(super) fn new(len: usize, source: Source) -> Self {
        let unpacked = (0..UNPACKED.min(len.div_ceil(BLOCK))).map(|_| Mutex::new(None)).collect();
        Self { len, source, unpacked }
    }

    /// The maximum memory in bytes for a side to move with `len` entries, if its blocks are in a file.
    pub(super) fn memory_in_file(len: usize) -> u64 {
        let blocks = len.div_ceil(BLOCK);
        // Most tables have entries of one byte, and so have most blocks of the others.
        (blocks * size_of::<BlockLocation>() + UNPACKED.min(blocks) * BLOCK) as u64
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    fn count(&self) -> usize {
        self.len.div_ceil(BLOCK)
    }

    /// The entry with a number.
    pub(super) fn get(&self, at: usize) -> Result<Entry, TableFileError> {
        let number = at / BLOCK;
        let place = &self.unpacked[number % self.unpacked.len()];
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        match &*place {
            Some((found, entries)) if *found == number => Ok(entries.get(at % BLOCK)),
            _ => {
                let entries = self.block(number)?;
                let entry = entries.get(at % BLOCK);
                *place = Some((number, entries));
                Ok(entry)
            }
        }
    }

    /// The entries of a block.
    pub(super) fn block(&self, number: usize) -> Result<Entries, TableFileError> {
        let len = BLOCK.min(self.len - number * BLOCK);
        let packed = self.packed(number)?;
        match &self.source {
            Source::Memory(_) => Ok(unpack(&packed, len).expect("what was packed here unpacks")),
            Source::File(side) => {
                unpack(&packed, len).ok_or_else(|| side.damaged(number, "it does not unpack"))
            }
        }
    }

    /// All entries, unpacked.
    pub(super) fn all(&self) -> Result<Entries, TableFileError> {
        let mut all = Entries::with_room(self.len);
        let numbers: Vec<usize> = (0..self.count()).collect();
        // In batches, so that few entries are held twice.
        for some in numbers.chunks(TOGETHER) {
            let some = some.par_iter().map(|&number| self.block(number));
            let some: Vec<Entries> = some.collect::<Result<_, _>>()?;
            some.into_iter().for_each(|more| all.append(more));
        }
        Ok(all)
    }

    /// The bytes of all blocks in the file format.
    pub(super) fn iter(&self) -> impl Iterator<Item = Result<Cow<'_, [u8]>, TableFileError>> {
        (0..self.count()).map(|number| self.packed(number))
    }

    /// The bytes of a block in the file format.
    fn packed(&self, number: usize) -> Result<Cow<'_, [u8]>, TableFileError> {
        match &self.source {
            Source::Memory(blocks) => Ok(Cow::from(&blocks[number])),
            Source::File(side) => side.read(number).map(Cow::from),
        }
    }

    /// Checks that all blocks have their checksums, without unpacking them.
    pub(super) fn check(&self) -> Result<(), TableFileError> {
        (0..self.count()).into_par_iter().try_for_each(|number| self.packed(number).map(drop))
    }

    /// Returns the error for a legal position without an entry, if the blocks are in a file.
    pub(super) fn lack(&self, position: &Position) -> Option<TableFileError> {
        let Source::File(FileBlocks { file, name, .. }) = &self.source else { return None };
        Some(file.damaged(format!("{name} has no entry for \"{position}\"")))
    }
}

impl FileBlocks {
    fn read(&self, number: usize) -> Result<Vec<u8>, TableFileError> {
        let BlockLocation { at, size, checksum: told } = self.places[number];
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
