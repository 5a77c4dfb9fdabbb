//! How the entries of a side to move are held in memory: as they are, or packed in blocks.

use super::entries::{Entries, Entry};
use crate::chess::{Material, QUICK_MEN};
use flate2::{Compress, Compression, Crc, Decompress, FlushCompress, FlushDecompress, Status};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// So many entries are packed together. Larger blocks are packed tighter, smaller ones are read
/// sooner. In blocks of this size a table takes some 5 % more than in one piece, and a block is read
/// in some tens of microseconds.
pub(super) const BLOCK: usize = 8192;

/// How hard deflate tries, from 0 to 9: more makes tables 1 % smaller and takes much longer.
const LEVEL: u32 = 6;

/// Entries in the order of the index.
pub(super) enum Store {
    Plain(Entries),
    Packed(Packed),
}

/// Entries in packed blocks, of which some are unpacked at a time.
pub(super) struct Packed {
    len: usize,
    blocks: Vec<Vec<u8>>,
    /// By the block's number, what is left when it is divided by the number of places: the block that
    /// was last asked for there.
    unpacked: Vec<Mutex<Option<(usize, Entries)>>>,
}

/// How many blocks are unpacked at a time: more than a few neighbouring positions and their moves ask
/// for, and 2 MiB at most for entries of a byte.
const UNPACKED: usize = 256;

impl Packed {
    /// Packed blocks that unpack to so many entries.
    pub(super) fn new(len: usize, blocks: Vec<Vec<u8>>) -> Self {
        let unpacked = (0..UNPACKED.min(blocks.len())).map(|_| Mutex::new(None)).collect();
        Self { len, blocks, unpacked }
    }

    fn get(&self, at: usize) -> Entry {
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

    fn block(&self, number: usize) -> Entries {
        let len = BLOCK.min(self.len - number * BLOCK);
        unpack(&self.blocks[number], len).expect("a block was packed here, or unpacked as a trial")
    }
}

impl Store {
    /// Whether tables of a material are held packed; the others are small, and looked up all the time.
    pub(super) fn packs(material: Material) -> bool {
        material.men() > QUICK_MEN
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Plain(entries) => entries.len(),
            Self::Packed(packed) => packed.len,
        }
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Entry {
        match self {
            Self::Plain(entries) => entries.get(at),
            Self::Packed(packed) => packed.get(at),
        }
    }

    /// All entries, block by block.
    pub(super) fn par_blocks(&self) -> impl ParallelIterator<Item = Entries> + '_ {
        let blocks = self.len().div_ceil(BLOCK);
        (0..blocks).into_par_iter().map(|number| match self {
            Self::Plain(entries) => {
                entries.part(number * BLOCK..entries.len().min((number + 1) * BLOCK))
            }
            Self::Packed(packed) => packed.block(number),
        })
    }

    /// The entries of a material from their packed blocks, which were packed here.
    #[cfg(feature = "dist")]
    pub(super) fn from_packed(material: Material, len: usize, blocks: Vec<Vec<u8>>) -> Self {
        let packed = Self::Packed(Packed::new(len, blocks));
        if Self::packs(material) { packed } else { packed.unpacked() }
    }

    /// Some entries one after another.
    pub(super) fn part(&self, numbers: Range<usize>) -> Entries {
        match self {
            Self::Plain(entries) => entries.part(numbers),
            Self::Packed(packed) => {
                let first = numbers.start / BLOCK;
                let mut all = Entries::none(0);
                for number in first..numbers.end.div_ceil(BLOCK) {
                    all.append(packed.block(number));
                }
                all.part(numbers.start - first * BLOCK..numbers.end - first * BLOCK)
            }
        }
    }

    /// How many entries are those of positions.
    pub(super) fn count_positions(&self) -> usize {
        let count =
            |entries: Entries| entries.iter().filter(|&entry| entry != Entry::NO_POSITION).count();
        self.par_blocks().map(count).sum()
    }

    /// The same entries as they are: for work that looks at all of them again and again.
    pub(super) fn unpacked(&self) -> Self {
        let all: Vec<Entries> = self.par_blocks().collect();
        let mut entries = Entries::none(0);
        all.into_iter().for_each(|more| entries.append(more));
        Self::Plain(entries)
    }

    /// Its blocks as files keep them.
    pub(super) fn packed_blocks(&self) -> Vec<Cow<'_, [u8]>> {
        match self {
            Self::Packed(packed) => packed.blocks.iter().map(Cow::from).collect(),
            Self::Plain(entries) => pack_all(entries).into_iter().map(Cow::from).collect(),
        }
    }
}

/// Entries that come in order, a part at a time.
pub(super) struct Packer {
    packs: bool,
    len: usize,
    blocks: Vec<Vec<u8>>,
    /// What is not packed yet: less than a block, or all of it.
    rest: Entries,
}

impl Packer {
    pub(super) fn new(material: Material) -> Self {
        let packs = Store::packs(material);
        Self { packs, len: 0, blocks: Vec::new(), rest: Entries::none(0) }
    }

    pub(super) fn add(&mut self, entries: Entries) {
        self.len += entries.len();
        self.rest.append(entries);
        if self.packs {
            let whole = self.rest.len() - self.rest.len() % BLOCK;
            let rest = self.rest.split_off(whole);
            self.blocks.extend(pack_all(&self.rest));
            self.rest = rest;
        }
    }

    pub(super) fn finish(mut self) -> Store {
        if !self.packs {
            return Store::Plain(self.rest);
        }
        self.blocks.extend(pack_all(&self.rest));
        Store::Packed(Packed::new(self.len, self.blocks))
    }
}

pub(super) fn pack_all(entries: &Entries) -> Vec<Vec<u8>> {
    let packer = || Compress::new(Compression::new(LEVEL), false);
    let firsts: Vec<usize> = (0..entries.len()).step_by(BLOCK).collect();
    let bytes = |first: usize| entries.to_bytes(first..entries.len().min(first + BLOCK));
    let pack = |packer: &mut Compress, first: usize| pack(packer, &bytes(first));
    firsts.into_par_iter().map_init(packer, pack).collect()
}

fn pack(packer: &mut Compress, bytes: &[u8]) -> Vec<u8> {
    packer.reset();
    // Deflate adds a few bytes at most to what it cannot make smaller.
    let mut packed = Vec::with_capacity(bytes.len() + bytes.len() / 1000 + 1024);
    let status = packer.compress_vec(bytes, &mut packed, FlushCompress::Finish);
    assert!(matches!(status, Ok(Status::StreamEnd)), "there is room for all of it: {status:?}");
    packed.shrink_to_fit();
    packed
}

/// Bytes packed in haste: for what is soon thrown away.
pub(super) fn pack_fast(bytes: &[u8]) -> Vec<u8> {
    pack(&mut Compress::new(Compression::fast(), false), bytes)
}

/// CRC-32: it finds accidents.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// So many entries; nothing if the bytes are not theirs.
pub(super) fn unpack(packed: &[u8], len: usize) -> Option<Entries> {
    Entries::from_bytes(unpack_at_most(packed, 2 * len)?, len)
}

/// So many bytes; nothing if what is packed is something else.
pub(super) fn unpack_bytes(packed: &[u8], len: usize) -> Option<Vec<u8>> {
    unpack_at_most(packed, len).filter(|bytes| bytes.len() == len)
}

fn unpack_at_most(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    // One byte more than there is, so that too much shows.
    let mut bytes = vec![0; most + 1];
    let mut unpacker = Decompress::new(false);
    let status = unpacker.decompress(packed, &mut bytes, FlushDecompress::Finish).ok()?;
    let is_all = status == Status::StreamEnd && unpacker.total_in() == packed.len() as u64;
    bytes.truncate(unpacker.total_out() as usize);
    is_all.then_some(bytes)
}
