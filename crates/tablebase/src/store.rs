//! Storage of the entries of a side to move: unpacked, or in packed blocks in memory or in a file.

use super::blocks::{Blocks, Source};
use super::entries::{Entries, Entry};
use super::metric::Metric;
use super::open_file::TableFileError;
use super::outcome::Outcome;
use super::packing::{BLOCK, pack_all};
use lucena_chess::{Material, Position, QUICK_MEN};
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;

/// Entries in the order of the index. Its methods fail if the entries are in a file that can no longer be
/// read.
pub(super) enum Store {
    Plain(Entries),
    Packed(Arc<Blocks>),
}

impl Store {
    /// Returns true if tables of a material are held packed. The others are small and looked up all the time.
    pub(super) fn packs(material: Material) -> bool {
        material.men() > QUICK_MEN
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Plain(entries) => entries.len(),
            Self::Packed(packed) => packed.len(),
        }
    }

    /// The entry with a number.
    #[inline]
    pub(super) fn get(&self, at: usize) -> Result<Entry, TableFileError> {
        match self {
            Self::Plain(entries) => Ok(entries.get(at)),
            Self::Packed(packed) => packed.get(at),
        }
    }

    /// The outcome of a legal position with a number; also fails if a file has no entry for it.
    ///
    /// # Panics
    /// If an entry is missing and was not read from a file: tables made here have all.
    #[inline]
    pub(super) fn outcome(
        &self,
        at: usize,
        metric: Metric,
        position: &Position,
    ) -> Result<Outcome, TableFileError> {
        metric.outcome(self.get(at)?).ok_or_else(|| {
            let packed = if let Self::Packed(packed) = self { Some(packed) } else { None };
            packed
                .and_then(|packed| packed.lack(position))
                .unwrap_or_else(|| panic!("every legal position has an entry, not \"{position}\""))
        })
    }

    /// All entries block by block, as a parallel iterator, with an error for a block that can no longer be
    /// read.
    pub(super) fn par_blocks(
        &self,
    ) -> impl ParallelIterator<Item = Result<Entries, TableFileError>> + '_ {
        (0..self.len().div_ceil(BLOCK)).into_par_iter().map(move |number| match self {
            Self::Plain(entries) => {
                Ok(entries.part(number * BLOCK..entries.len().min((number + 1) * BLOCK)))
            }
            Self::Packed(packed) => packed.block(number),
        })
    }

    /// Makes a store from blocks packed by this program.
    pub(super) fn from_packed(len: usize, blocks: Vec<Vec<u8>>) -> Self {
        Self::Packed(Arc::new(Blocks::new(len, Source::Memory(blocks))))
    }

    /// All entries unpacked, for work that scans them repeatedly.
    pub(super) fn unpacked(&self) -> Result<Cow<'_, Entries>, TableFileError> {
        Ok(match self {
            Self::Plain(entries) => Cow::Borrowed(entries),
            Self::Packed(packed) => Cow::Owned(packed.all()?),
        })
    }

    /// The blocks in the file format, packed now if they are not yet.
    pub(super) fn packed(&self) -> Arc<Blocks> {
        match self {
            Self::Packed(blocks) => Arc::clone(blocks),
            Self::Plain(entries) => {
                Arc::new(Blocks::new(entries.len(), Source::Memory(pack_all(entries))))
            }
        }
    }
}

/// Builds a store from entries that arrive in order, a part at a time.
pub(super) struct Packer {
    packs: bool,
    len: usize,
    blocks: Vec<Vec<u8>>,
    /// The entries not packed yet: less than a block, or all of them.
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
        Store::from_packed(self.len, self.blocks)
    }
}
