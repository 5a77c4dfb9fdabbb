//! Storage of the entries of a table: unpacked in memory, or packed in a file, which may be in memory too.

use super::Index;
use super::arrivals::Arrivals;
use super::entries::{Entries, Entry};
use super::file_entries::{FileEntries, KeptParts};
use super::open_file::TableFileError;
use super::shape::Men;
use super::weak_moves::{Lanes, WeakMoves};
use lucena_chess::{Bitboard, Material, QUICK_MEN, Side, Square};
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::OnceLock;

/// The entries of a table by side to move, in the order of the index. Its methods fail if they are in a file that can
/// no longer be read.
pub(super) enum Store {
    Memory([Entries; 2]),
    File(Box<FileEntries>),
    /// A small table in a file, which is unpacked when an entry is first looked up.
    SmallFile(Box<FileEntries>, OnceLock<[Entries; 2]>),
}

/// Where entries are.
enum Whereabouts<'s> {
    Memory(&'s [Entries; 2]),
    File(&'s FileEntries),
}

/// The number of entries that one thread scans at a time.
const BLOCK: usize = 8192;

impl Store {
    /// Returns true if tables of a material are held packed, or in their file. The others are small and looked up all
    /// the time.
    pub(super) fn packs(material: Material) -> bool {
        material.men() > QUICK_MEN
    }

    /// The store of a small table in a file, which is unpacked when an entry is first looked up.
    pub(super) fn in_small_file(self) -> Self {
        match self {
            Self::File(file) => Self::SmallFile(file, OnceLock::new()),
            store => store,
        }
    }

    /// Where the entries are now.
    fn whereabouts(&self) -> Whereabouts<'_> {
        match self {
            Self::Memory(entries) => Whereabouts::Memory(entries),
            Self::File(file) => Whereabouts::File(file),
            Self::SmallFile(file, entries) => {
                entries.get().map_or(Whereabouts::File(file), Whereabouts::Memory)
            }
        }
    }

    /// Returns true if the entries have to be read from a file.
    pub(super) fn is_in_file(&self) -> bool {
        matches!(self.whereabouts(), Whereabouts::File(_))
    }

    /// Where entries are looked up. A small table is unpacked for this.
    #[inline]
    fn whereabouts_of_lookups(&self) -> Result<Whereabouts<'_>, TableFileError> {
        match self {
            Self::Memory(entries) => Ok(Whereabouts::Memory(entries)),
            Self::File(file) => Ok(Whereabouts::File(file)),
            Self::SmallFile(file, entries) => match entries.get() {
                Some(entries) => Ok(Whereabouts::Memory(entries)),
                // Unpacking is parallel work, for which no thread may wait: several may do it.
                None => {
                    let all = file.all()?;
                    let all = entries.get_or_init(|| all);
                    file.forget();
                    Ok(Whereabouts::Memory(all))
                }
            },
        }
    }

    /// The entry with a number.
    #[inline]
    pub(super) fn get(&self, at: usize, turn: Side) -> Result<Entry, TableFileError> {
        match self.whereabouts_of_lookups()? {
            Whereabouts::Memory(entries) => Ok(entries[turn as usize].get(at)),
            Whereabouts::File(entries) => entries.get(at, turn),
        }
    }

    /// The entries with the strong king on a canonical square and a side to move, by frame.
    pub(super) fn by_frame(
        &self,
        index: &Index,
        moves: &WeakMoves,
        arrivals: &Arrivals,
        king: Square,
        turn: Side,
    ) -> Result<Entries, TableFileError> {
        match self.whereabouts() {
            Whereabouts::Memory(entries) => {
                let entry = |at| entries[turn as usize].get(at);
                let pairs = index.pairs_with(king);
                Ok(moves.by_frame(index, arrivals, pairs, turn, entry))
            }
            Whereabouts::File(entries) => entries.by_frame(moves, arrivals, king, turn),
        }
    }

    /// The entries with the strong king on a canonical square and the weak side to move, which has no pawns, by frame:
    /// see [`WeakMoves::weak_by_captures`].
    pub(super) fn weak_by_captures(
        &self,
        index: &Index,
        moves: &WeakMoves,
        arrivals: &Arrivals,
        king: Square,
        captures: impl FnMut(&Men, Bitboard) -> Lanes,
    ) -> Result<Entries, TableFileError> {
        match self.whereabouts() {
            Whereabouts::Memory([strong, _]) => {
                let (pairs, strong) = (index.pairs_with(king), |at| strong.get(at));
                Ok(moves.weak_by_captures(index, arrivals, pairs, strong, captures))
            }
            Whereabouts::File(entries) => entries.weak_by_captures(moves, arrivals, king, captures),
        }
    }

    /// The entry with a number. The unpacked parts of a file that it needs are kept for the next one.
    #[inline]
    pub(super) fn get_in(
        &self,
        at: usize,
        turn: Side,
        kept: &mut KeptParts,
    ) -> Result<Entry, TableFileError> {
        match self.whereabouts_of_lookups()? {
            Whereabouts::Memory(entries) => Ok(entries[turn as usize].get(at)),
            Whereabouts::File(entries) => entries.get_in(at, turn, kept),
        }
    }

    /// Gets ready for a number of lookups at each of some numbers: what would be unpacked in the course of them is
    /// unpacked at once.
    pub(super) fn foresee(&self, numbers: &[usize], lookups: usize) {
        if let Self::File(entries) = self {
            entries.foresee(numbers, lookups);
        }
    }

    /// All entries of a side to move part by part, with an error for a part that can no longer be read.
    pub(super) fn par_parts(
        &self,
        turn: Side,
    ) -> impl ParallelIterator<Item = Result<Entries, TableFileError>> + '_ {
        let (memory, file, error) = match self.whereabouts_of_lookups() {
            Ok(Whereabouts::Memory(entries)) => (Some(&entries[turn as usize]), None, None),
            Ok(Whereabouts::File(entries)) => (None, Some(entries), None),
            Err(error) => (None, None, Some(error)),
        };
        let in_memory = memory.into_par_iter().flat_map(|entries| {
            let blocks = (0..entries.len().div_ceil(BLOCK)).into_par_iter();
            let end = |number: usize| entries.len().min((number + 1) * BLOCK);
            blocks.map(move |number| Ok(entries.part(number * BLOCK..end(number))))
        });
        let in_file = file.into_par_iter().flat_map(move |entries| entries.par_parts(turn));
        in_memory.chain(in_file).chain(error.into_par_iter().map(Err))
    }

    /// All entries unpacked, for work that scans them repeatedly.
    pub(super) fn all(&self) -> Result<[Cow<'_, Entries>; 2], TableFileError> {
        Ok(match self.whereabouts_of_lookups()? {
            Whereabouts::Memory(entries) => entries.each_ref().map(Cow::Borrowed),
            Whereabouts::File(entries) => entries.all()?.map(Cow::Owned),
        })
    }

    /// Checks that all sections in a file have their checksums, without unpacking them.
    pub(super) fn check(&self) -> Result<(), TableFileError> {
        match self {
            Self::Memory(_) => Ok(()),
            Self::File(entries) | Self::SmallFile(entries, _) => entries.check(),
        }
    }

    /// Keeps all entries of a file, which are known already, until they are forgotten.
    pub(super) fn keep(&self, known: Self) {
        if let (Self::File(file), Self::Memory(entries)) = (self, known) {
            file.keep(entries);
        }
    }

    /// Frees the parts of a file that were read. It is read again when it is needed.
    pub(super) fn forget(&self) {
        if let Self::File(entries) | Self::SmallFile(entries, _) = self {
            entries.forget();
        }
    }
}
