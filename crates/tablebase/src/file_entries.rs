//! The entries of a table in a file, which may be in memory.
//!
//! The file has all entries with the strong side to move, and those entries with the weak side to move that do not
//! follow by a move (see [`weak_moves`](super::weak_moves)). Single entries are looked up in the compressed parts. A
//! part in which many are looked up is unpacked.

use super::arrivals::Arrivals;
use super::entries::{Entries, Entry};
use super::open_file::{OpenFile, TableFileError};
use super::packing::checksum;
use super::parts::{Part, parts};
use super::section::{self, PartSide, Section};
use super::shape::Men;
use super::weak_moves::{Lanes, WeakMoves, entry_by_moves};
use super::{Index, Metric};
use lucena_chess::{Bitboard, Side, Square};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, TryLockError};

/// The number of single entries that are looked up in a part before it is unpacked: by then they have decoded about as much,
/// block by block. A small part has few blocks.
fn lookups_to_unpack(part: &Part) -> usize {
    (part.len() / section::BLOCK).max(512)
}

/// The location of a section in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct SectionLocation {
    pub(super) at: u64,
    pub(super) size: u32,
    pub(super) checksum: u32,
}

/// The locations of what a file stores of a part: the entries with the strong side to move, and those others that do
/// not follow by a move.
pub(super) type SectionLocations = [SectionLocation; 2];

/// The entries of a part by side to move, in the order of the index.
type PartEntries = [Entries; 2];

/// Unpacked parts of a table that one thread keeps at hand for several lookups, so that it need not ask for each of
/// them whether the part is unpacked.
#[derive(Default)]
pub(super) struct KeptParts(Vec<Option<Arc<PartEntries>>>);

/// The entries of a table in a file. Its methods fail if the file can no longer be read or is damaged.
pub(super) struct FileEntries {
    file: Arc<OpenFile>,
    index: Index,
    metric: Metric,
    parts: Vec<FilePart>,
    moves: OnceLock<WeakMoves>,
}

/// A part of a table in a file.
struct FilePart {
    part: Part,
    locations: SectionLocations,
    /// The sections as they are in the file, once they are used.
    sections: [RwLock<Option<Arc<Section>>>; 2],
    /// The entries, if many of them are used.
    entries: RwLock<Option<Arc<PartEntries>>>,
    /// Held by the thread that unpacks the part.
    unpacking: Mutex<()>,
    lookups: AtomicUsize,
}

impl FilePart {
    fn new(part: Part, locations: SectionLocations) -> Self {
        Self {
            part,
            locations,
            sections: Default::default(),
            entries: RwLock::default(),
            unpacking: Mutex::default(),
            lookups: AtomicUsize::new(0),
        }
    }

    fn forget_sections(&self) {
        for section in &self.sections {
            *section.write().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    fn unpacked(&self) -> Option<Arc<PartEntries>> {
        self.entries.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl FileEntries {
    /// The entries in a file, with the locations of all parts in order.
    pub(super) fn new(
        file: Arc<OpenFile>,
        index: Index,
        metric: Metric,
        locations: Vec<SectionLocations>,
    ) -> Self {
        let parts = parts(&index).into_iter().zip(locations);
        let parts = parts.map(|(part, locations)| FilePart::new(part, locations)).collect();
        Self { file, index, metric, parts, moves: OnceLock::new() }
    }

    /// Packs entries as in a file, which is in memory.
    pub(super) fn in_memory(
        index: &Index,
        metric: Metric,
        entries: &[Cow<'_, Entries>; 2],
    ) -> Self {
        let (mut bytes, mut locations) = (Vec::new(), Vec::new());
        for sections in pack(index, metric, entries) {
            locations.push(sections.map(|section| {
                let (at, size) = (bytes.len() as u64, section.len() as u32);
                bytes.extend_from_slice(&section);
                SectionLocation { at, size, checksum: checksum(&section) }
            }));
        }
        Self::new(Arc::new(OpenFile::in_memory(bytes)), index.clone(), metric, locations)
    }

    /// The maximum memory in bytes of a table with `len` placements in each side to move: the file, and the unpacked
    /// parts.
    pub(super) fn memory(len: usize) -> u64 {
        2 * len as u64 + len as u64 / 2
    }

    /// The entry with a number.
    pub(super) fn get(&self, at: usize, turn: Side) -> Result<Entry, TableFileError> {
        let number = self.part_of(at);
        let part = &self.parts[number];
        {
            let entries = part.entries.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(entries) = &*entries {
                return Ok(entries[turn as usize].get(at - part.part.numbers.start));
            }
        }
        match self.unpacked_by_lookup(number) {
            Some(entries) => Ok(entries[turn as usize].get(at - part.part.numbers.start)),
            None => self.look_up(number, at, turn),
        }
    }

    /// The entry with a number. Its part is kept for the next one if it is unpacked.
    #[inline]
    pub(super) fn get_in(
        &self,
        at: usize,
        turn: Side,
        kept: &mut KeptParts,
    ) -> Result<Entry, TableFileError> {
        let number = self.part_of(at);
        if let Some(Some(entries)) = kept.0.get(number) {
            return Ok(entries[turn as usize].get(at - self.parts[number].part.numbers.start));
        }
        self.get_anew(number, at, turn, kept)
    }

    /// [`Self::get_in`] for a part that is not kept yet.
    #[cold]
    fn get_anew(
        &self,
        number: usize,
        at: usize,
        turn: Side,
        kept: &mut KeptParts,
    ) -> Result<Entry, TableFileError> {
        let part = &self.parts[number];
        let unpacked = part.unpacked().or_else(|| self.unpacked_by_lookup(number));
        let Some(entries) = unpacked else { return self.look_up(number, at, turn) };
        let entry = entries[turn as usize].get(at - part.part.numbers.start);
        kept.0.resize_with(self.parts.len(), || None);
        kept.0[number] = Some(entries);
        Ok(entry)
    }

    /// The number of the part that has an entry.
    #[inline]
    fn part_of(&self, at: usize) -> usize {
        match &*self.parts {
            [_] => 0,
            parts => parts.partition_point(|part| part.part.numbers.end <= at),
        }
    }

    /// Counts a lookup in a part that is not unpacked, and returns the entries if it is worth while to unpack it now.
    fn unpacked_by_lookup(&self, number: usize) -> Option<Arc<PartEntries>> {
        let part = &self.parts[number];
        let lookups = part.lookups.fetch_add(1, Ordering::Relaxed);
        if lookups < lookups_to_unpack(&part.part) {
            return None;
        }
        match self.keep_unpacked(number)? {
            Ok(entries) => Some(entries),
            Err(_) => {
                // One of its sections is damaged; the other may be all that is needed.
                part.lookups.store(0, Ordering::Relaxed);
                None
            }
        }
    }

    /// Gets ready for a number of lookups at each of some numbers: the parts that these would unpack are unpacked at
    /// once, several at the same time.
    pub(super) fn foresee(&self, numbers: &[usize], lookups: usize) {
        let mut foreseen = vec![0; self.parts.len()];
        for &at in numbers {
            foreseen[self.part_of(at)] += lookups;
        }
        let is_worthwhile = |&(number, foreseen): &(usize, usize)| {
            let part = &self.parts[number];
            let lookups = part.lookups.load(Ordering::Relaxed) + foreseen;
            lookups >= lookups_to_unpack(&part.part) && part.unpacked().is_none()
        };
        let worthwhile: Vec<_> = foreseen.into_iter().enumerate().filter(is_worthwhile).collect();
        if worthwhile.is_empty() {
            // Parallel work of nothing starts all threads.
            return;
        }
        worthwhile.into_par_iter().for_each(|(number, _)| {
            // What is wrong with a part is an error once it is needed.
            let _ = self.keep_unpacked(number);
        });
    }

    /// The entries with the strong king on a canonical square and a side to move, by frame.
    pub(super) fn by_frame(
        &self,
        moves: &WeakMoves,
        arrivals: &Arrivals,
        king: Square,
        turn: Side,
    ) -> Result<Entries, TableFileError> {
        let pairs = self.index.pairs_with(king);
        let entries = |side| self.all_with(king, side, arrivals);
        Ok(match turn {
            Side::Strong => {
                let (first, strong) = entries(Side::Strong)?;
                moves.by_frame(&self.index, arrivals, pairs, turn, |at| strong.get(at - first))
            }
            Side::Weak => {
                let ((first, strong), (_, weak)) = (entries(Side::Strong)?, entries(Side::Weak)?);
                let weak = |at: usize| weak.get(at - first);
                let strong = |at: usize| strong.get(at - first);
                moves.weak_by_frame(&self.index, arrivals, pairs, strong, weak)
            }
        })
    }

    /// The entries with the strong king on a canonical square and the weak side to move, which has no pawns, by frame.
    pub(super) fn weak_by_captures(
        &self,
        moves: &WeakMoves,
        arrivals: &Arrivals,
        king: Square,
        captures: impl FnMut(&Men, Bitboard) -> Lanes,
    ) -> Result<Entries, TableFileError> {
        let pairs = self.index.pairs_with(king);
        let (first, strong) = self.all_with(king, Side::Strong, arrivals)?;
        let strong = |at: usize| strong.get(at - first);
        Ok(moves.weak_by_captures(&self.index, arrivals, pairs, strong, captures))
    }

    /// The entries with the strong king on a canonical square, of the frames that matter, and the first number. If their part
    /// is not unpacked, those of the weak side are as the file has them.
    fn all_with(
        &self,
        king: Square,
        turn: Side,
        arrivals: &Arrivals,
    ) -> Result<(usize, Entries), TableFileError> {
        let numbers = self.index.numbers_with(king);
        let number = self.part_of(numbers.start);
        let part = &self.parts[number];
        let first = part.part.numbers.start;
        let entries = match part.unpacked() {
            Some(entries) => {
                entries[turn as usize].part(numbers.start - first..numbers.end - first)
            }
            None => self.in_section(number, turn, numbers.clone(), arrivals)?,
        };
        Ok((numbers.start, entries))
    }

    /// Looks up an entry in the sections of a part.
    fn look_up(&self, number: usize, at: usize, turn: Side) -> Result<Entry, TableFileError> {
        let damaged = |what: String| self.damaged(number, &what);
        let section = self.section(number, turn)?;
        let placement = self.index.placement(at, turn);
        if placement.is_attacked(placement.king(!turn), turn) {
            return Ok(Entry::NO_POSITION);
        }
        let entry = section.get(self.side(number, turn), at).map_err(damaged)?;
        if turn == Side::Strong || entry != Entry::TOLD {
            return Ok(entry);
        }
        let (strong, side) = (self.section(number, Side::Strong)?, self.side(number, Side::Strong));
        entry_by_moves(&placement, self.metric, |squares| {
            strong.get(side, self.index.of_squares(squares)).map_err(damaged)
        })
    }

    /// All entries of a side to move, part by part.
    pub(super) fn par_parts(
        &self,
        turn: Side,
    ) -> impl ParallelIterator<Item = Result<Entries, TableFileError>> + '_ {
        (0..self.parts.len()).into_par_iter().map(move |number| {
            if let Some(entries) = self.parts[number].unpacked() {
                return Ok(entries[turn as usize].clone());
            }
            match turn {
                Side::Strong => self.all_in_section(number, turn),
                Side::Weak => self.unpack(number).map(|[_, weak]| weak),
            }
        })
    }

    /// All entries by side to move.
    pub(super) fn all(&self) -> Result<[Entries; 2], TableFileError> {
        let parts = (0..self.parts.len()).into_par_iter().map(|number| {
            let kept = self.parts[number].unpacked();
            kept.map_or_else(|| self.unpack(number).map(Arc::new), Ok)
        });
        let parts: Vec<Arc<PartEntries>> = parts.collect::<Result<_, _>>()?;
        let mut all = Side::ALL.map(|_| Entries::with_room(self.index.len()));
        for part in parts {
            for (all, more) in all.iter_mut().zip(Arc::unwrap_or_clone(part)) {
                all.append(more);
            }
        }
        Ok(all)
    }

    /// Keeps all entries, which are known already, for the next lookups.
    pub(super) fn keep(&self, mut entries: [Entries; 2]) {
        for part in self.parts.iter().rev() {
            let entries = entries.each_mut().map(|all| all.split_off(part.part.numbers.start));
            *part.entries.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(entries));
        }
    }

    /// Frees the parts of the file that were read.
    pub(super) fn forget(&self) {
        for part in &self.parts {
            part.forget_sections();
            *part.entries.write().unwrap_or_else(PoisonError::into_inner) = None;
            part.lookups.store(0, Ordering::Relaxed);
        }
    }

    /// Checks that all sections have their checksums, without unpacking them.
    pub(super) fn check(&self) -> Result<(), TableFileError> {
        let sections = self.parts.par_iter().enumerate();
        sections.try_for_each(|(number, part)| {
            let mut sections = part.locations.iter();
            sections.try_for_each(|location| self.read(number, location).map(drop))
        })
    }

    /// The entries of a part, kept for the next lookups; `None` if they are being unpacked. No one waits for that: a
    /// thread that waited, with work of the unpacking taken up before, would wait for itself.
    fn keep_unpacked(&self, number: usize) -> Option<Result<Arc<PartEntries>, TableFileError>> {
        let part = &self.parts[number];
        let _one_at_a_time = match part.unpacking.try_lock() {
            Ok(lock) => lock,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        if let Some(entries) = part.unpacked() {
            return Some(Ok(entries));
        }
        let entries = self.unpack(number).map(|entries| {
            let entries = Arc::new(entries);
            let kept = Arc::clone(&entries);
            *part.entries.write().unwrap_or_else(PoisonError::into_inner) = Some(kept);
            // They are no longer needed.
            part.forget_sections();
            entries
        });
        Some(entries)
    }

    /// The entries of a part by side to move.
    fn unpack(&self, number: usize) -> Result<PartEntries, TableFileError> {
        let section = |turn| self.all_in_section(number, turn);
        let (strong, mut weak) = (section(Side::Strong)?, section(Side::Weak)?);
        self.moves().visit(
            &self.index,
            &self.parts[number].part,
            |at| strong.get(at),
            |at, is_legal, by_moves| {
                if is_legal && weak.get(at) == Entry::TOLD {
                    weak.set(at, by_moves);
                }
            },
        );
        Ok([strong, weak])
    }

    /// All entries that a section has.
    fn all_in_section(&self, number: usize, turn: Side) -> Result<Entries, TableFileError> {
        let numbers = self.parts[number].part.numbers.clone();
        self.in_section(number, turn, numbers, &Arrivals::default())
    }

    /// The entries that a section has of some numbers and of the frames that matter.
    fn in_section(
        &self,
        number: usize,
        turn: Side,
        numbers: Range<usize>,
        arrivals: &Arrivals,
    ) -> Result<Entries, TableFileError> {
        self.section(number, turn)?
            .entries_of(self.side(number, turn), numbers, arrivals)
            .map_err(|what| self.damaged(number, &what))
    }

    /// The section of a part with the entries of the strong side, or with those of the weak side that do not follow by
    /// a move.
    fn section(&self, number: usize, turn: Side) -> Result<Arc<Section>, TableFileError> {
        let part = &self.parts[number];
        let place = &part.sections[turn as usize];
        let kept = place.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(section) = kept {
            return Ok(section);
        }
        let bytes = self.read(number, &part.locations[turn as usize])?;
        let section = Section::new(bytes, self.side(number, turn))
            .and_then(|section| match turn {
                Side::Strong => section.refuse_told(),
                Side::Weak => Ok(section),
            })
            .map_err(|what| self.damaged(number, &what))?;
        let section = Arc::new(section);
        *place.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&section));
        Ok(section)
    }

    fn side(&self, number: usize, turn: Side) -> PartSide<'_> {
        PartSide { index: &self.index, part: &self.parts[number].part, turn }
    }

    fn read(&self, number: usize, location: &SectionLocation) -> Result<Vec<u8>, TableFileError> {
        let bytes = self.file.read_at(location.at, location.size as usize)?;
        if checksum(&bytes) != location.checksum {
            return Err(self.damaged(number, "its checksum is wrong"));
        }
        Ok(bytes)
    }

    fn damaged(&self, number: usize, what: &str) -> TableFileError {
        self.file.damaged(format!("{}, part {}: {what}", self.index.material, number + 1))
    }

    fn moves(&self) -> &WeakMoves {
        self.moves.get_or_init(|| WeakMoves::new(self.index.material, self.metric))
    }
}

/// The sections of each part of a table, given its entries by side to move.
pub(super) fn pack(
    index: &Index,
    metric: Metric,
    entries: &[Cow<'_, Entries>; 2],
) -> Vec<[Vec<u8>; 2]> {
    let moves = WeakMoves::new(index.material, metric);
    let pack_part = |part: &Part| {
        let [strong, weak] = [0, 1].map(|turn| entries[turn].part(part.numbers.clone()));
        let side = |turn| PartSide { index, part, turn };
        let first = part.numbers.start;
        let pack_strong = || section::pack(side(Side::Strong), |number| strong.get(number - first));
        let pack_weak = || {
            let mut rest = weak.clone();
            moves.visit(
                index,
                part,
                |at| strong.get(at),
                |at, is_legal, by_moves| {
                    if is_legal && rest.get(at) == by_moves {
                        rest.set(at, Entry::TOLD);
                    }
                },
            );
            section::pack(side(Side::Weak), |number| rest.get(number - first))
        };
        <[_; 2]>::from(rayon::join(pack_strong, pack_weak))
    };
    let mut sections = Vec::new();
    for some in parts(index).chunks(BATCH) {
        sections.par_extend(some.par_iter().map(pack_part));
    }
    sections
}

/// The number of parts that are compressed at the same time, for the memory that this takes.
const BATCH: usize = 2;

/// The approximate memory of [`pack`], in bytes.
pub(super) fn memory_to_pack(index: &Index) -> u64 {
    let largest = parts(index).iter().map(Part::len).max().unwrap_or(0);
    // Per placement of a part: its entries, what is to be stored, and the lanes of the moves.
    (2 * index.len() + BATCH * 20 * largest) as u64
}
