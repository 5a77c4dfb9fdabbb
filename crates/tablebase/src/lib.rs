//! Endgame tables: the exact outcome of every position, with its distance to mate in plies.
//!
//! A [`Tablebase`] has one entry for each canonical position and side to move of a material and
//! of every material that captures and promotions lead to: one byte, or two if mates are very long. It is
//! built by retrograde analysis ([`Tablebase::solve`]) and checked by an independent forward pass
//! ([`Tablebase::verify`]).
//!
//! Tables are stored in files, part by part. A [`Tablebase`] reads a small endgame from its file
//! at the first lookup, and the parts of one of five men on demand, if there are files. [`Tablebase::open`]
//! and [`TableFolder`] read only the parts that a position needs.

mod arrivals;
mod category;
mod checkpoint;
mod coder;
mod counts;
mod decided;
mod diagonal;
mod distance_class;
mod entries;
mod file;
mod file_entries;
mod folder;
mod frame_table;
mod index;
mod kings;
mod layout;
mod lookup;
mod metric;
mod neighbours;
mod open_file;
mod outcome;
mod packing;
mod parts;
mod piece_index;
mod placements;
mod probe;
mod probe_tables;
mod rated_moves;
mod rows;
mod section;
mod shape;
#[cfg(feature = "dist")]
mod shared;
mod solve;
mod store;
mod syzygy;
mod verify;
mod weak_moves;

use entries::{Entries, Entry};
use file_entries::{FileEntries, KeptParts};
use lucena_base::progress::Stopped;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, Side};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use store::Store;

pub use category::{Category, Verdict};
pub use counts::Counts;
pub use distance_class::{DistanceClass, ParseDistanceClassError};
pub use folder::{Requirements, TableFolder};
pub use index::Index;
pub use lookup::{FiftyMoves, Lookup, MoveVerdicts, Sought};
pub use lucena_syzygy::{Dtz, Wdl5};
pub use metric::Metric;
pub use open_file::TableFileError;
pub use outcome::{Outcome, Plies, Wdl, moves_in};
pub use probe::{ProbeError, UnknownMaterial};
pub use probe_tables::{ProbeTables, TableLookup, known_distance};
pub use rated_moves::{RatedMove, RatedMoves, Standing};
#[doc(hidden)]
pub use section::{pack_section, unpack_section};
#[cfg(feature = "dist")]
pub use shared::{
    ShareError, SharedError, WorkerEvent, WorkerRole, memory_shared, missing_endgames,
    shared_endgames, solve_shared,
};
pub use syzygy::SaveSyzygyError;
pub use verify::WrongEntry;

/// The entries of one material. Its methods fail if they are in a file that can no longer be read.
struct Table {
    index: Index,
    metric: Metric,
    /// The entries by side to move, then by index.
    entries: Store,
}

/// The exact outcome of every position of a material.
///
/// Entries may be in a file, which may become unreadable at any time. [`Tablebase::probe`] then
/// returns the error. Work on many positions skips those that cannot be read, or treats them as drawn;
/// [`Tablebase::check_readable`] then returns the error.
///
/// ```
/// use lucena_tablebase::{Outcome, Tablebase};
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let position = "8/8/8/8/8/2k5/8/K1R5 b - - 0 1".parse()?;
/// assert_eq!(tablebase.probe(&position)?, Outcome::Loss(30));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tablebase {
    material: Material,
    metric: Metric,
    tables: BTreeMap<Material, Arc<Table>>,
    /// The first error in reading an entry that was not returned by the lookup itself.
    fault: OnceLock<Stopped>,
}

impl Tablebase {
    /// A tablebase without any tables yet.
    fn empty(material: Material, metric: Metric) -> Self {
        Self { material, metric, tables: BTreeMap::new(), fault: OnceLock::new() }
    }

    /// The solved material. The tablebase also holds the materials that its captures and promotions lead to.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The metric of the distances.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Iterates over the canonical positions with a side to move and their outcomes, in the order of the
    /// index.
    pub fn canonical_positions(
        &self,
        turn: Side,
    ) -> impl Iterator<Item = (Position, Outcome)> + '_ {
        let index = &self.table().index;
        let outcomes = self.canonical_outcomes(turn);
        outcomes.map(move |(number, outcome)| (index.placement(number, turn), outcome))
    }

    /// Iterates over the numbers in the [`Index`] of the canonical positions with a side to move, with their
    /// outcomes, in order. Faster than [`Tablebase::canonical_positions`]. Both end before an entry that can no
    /// longer be read.
    pub fn canonical_outcomes(&self, turn: Side) -> impl Iterator<Item = (usize, Outcome)> + '_ {
        let numbers = 0..self.table().index.len();
        let read = numbers.map_while(move |number| Some((number, self.entry(number, turn)?)));
        read.filter_map(|(number, entry)| Some((number, self.metric.outcome(entry)?)))
    }

    /// Returns the outcome of the canonical position with a number; `None` if it is not legal with this side
    /// to move, or can no longer be read.
    ///
    /// # Panics
    /// If the number is not below [`Index::len`].
    #[inline]
    pub fn canonical_outcome(&self, number: usize, turn: Side) -> Option<Outcome> {
        self.metric.outcome(self.entry(number, turn)?)
    }

    /// Returns the canonical placement with a number, which need not be legal with this side to move.
    ///
    /// # Panics
    /// If the number is not below [`Index::len`].
    #[inline]
    pub fn canonical_placement(&self, number: usize, turn: Side) -> Position {
        self.table().index.placement(number, turn)
    }

    /// Calls `visit` with some numbers in order and their canonical placements, which need not be legal with this side to
    /// move. Faster than [`Tablebase::canonical_placement`].
    ///
    /// # Panics
    /// If a number is not below [`Index::len`].
    pub fn visit_canonical_placements(
        &self,
        numbers: Range<usize>,
        turn: Side,
        visit: impl FnMut(usize, &Position),
    ) {
        self.table().index.visit_placements(numbers, turn, visit);
    }

    /// The number of positions in [`Tablebase::canonical_positions`]. Positions in a part that can no longer be
    /// read are not counted, and then [`Tablebase::check_readable`] returns the error.
    pub fn canonical_len(&self, turn: Side) -> usize {
        let count =
            |entries: Entries| entries.iter().filter(|&entry| entry != Entry::NO_POSITION).count();
        self.parts(turn).map(count).sum()
    }

    /// Checks that all entries looked up so far could be read. To be called after work on many positions.
    ///
    /// # Errors
    /// [`Stopped::Unreadable`] if an entry was skipped, or taken for a draw, because a table file can no longer
    /// be read.
    pub fn check_readable(&self) -> Result<(), Stopped> {
        self.fault.get().cloned().map_or(Ok(()), Err)
    }

    /// Records an error for [`Tablebase::check_readable`].
    #[inline]
    fn noting<T>(&self, read: Result<T, TableFileError>) -> Option<T> {
        read.map_err(|error| self.fault.get_or_init(|| error.into())).ok()
    }

    /// The entry of the canonical placement with a number; `None` if it can no longer be read.
    #[inline]
    fn entry(&self, number: usize, turn: Side) -> Option<Entry> {
        self.noting(self.table().entries.get(number, turn))
    }

    /// The entries part by part, without parts that can no longer be read.
    fn parts(&self, turn: Side) -> impl ParallelIterator<Item = Entries> + '_ {
        self.table().entries.par_parts(turn).filter_map(|part| self.noting(part))
    }

    /// Unpacks the entries of the material in memory, for work that scans all of them repeatedly. Tables of
    /// five men are otherwise unpacked part by part, when many positions of a part were looked up; smaller ones
    /// are unpacked at the first lookup.
    ///
    /// # Errors
    /// If a table file can no longer be read, or is damaged.
    pub fn unpacked(mut self) -> Result<Self, TableFileError> {
        if Store::packs(self.material) {
            let unpacked = self.table().unpacked()?;
            self.tables.insert(self.material, Arc::new(unpacked));
        }
        Ok(self)
    }

    /// The approximate memory of [`Tablebase::unpacked`], in bytes.
    pub fn memory_unpacked(material: Material) -> u64 {
        if Store::packs(material) {
            2 * Index::new(material, Group::new(material)).len() as u64
        } else {
            0
        }
    }

    /// Frees what was read of the files of endgames with fewer pawns than a material.
    fn forget_promotions(&self, material: Material) {
        let promoted = self.tables.iter().filter(|(other, _)| other.pawns() < material.pawns());
        promoted.for_each(|(_, table)| table.entries.forget());
    }

    fn table(&self) -> &Table {
        &self.tables[&self.material]
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({})", self.index.material)
    }
}

impl Table {
    /// The outcome of a position.
    #[inline]
    fn outcome(&self, position: &Position) -> Result<Outcome, TableFileError> {
        let entry = self.entries.get(self.index.of(position), position.turn())?;
        let outcome = self.metric.outcome(entry);
        Ok(outcome
            .unwrap_or_else(|| panic!("every legal position has an entry, not \"{position}\"")))
    }

    /// The outcome of a position. The unpacked parts of a file that it needs are kept for the next one.
    #[inline]
    fn outcome_in(
        &self,
        position: &Position,
        kept: &mut KeptParts,
    ) -> Result<Outcome, TableFileError> {
        let entry = self.entries.get_in(self.index.of(position), position.turn(), kept)?;
        let outcome = self.metric.outcome(entry);
        Ok(outcome
            .unwrap_or_else(|| panic!("every legal position has an entry, not \"{position}\"")))
    }

    /// Checks that all sections in a file have their checksums, without unpacking them.
    fn check(&self) -> Result<(), TableFileError> {
        self.entries.check()
    }

    /// Returns the table with unpacked entries.
    fn unpacked(&self) -> Result<Self, TableFileError> {
        let entries = Store::Memory(self.plain()?.map(Cow::into_owned));
        Ok(Self { index: self.index.clone(), metric: self.metric, entries })
    }

    /// Returns the table with packed entries in memory.
    fn packed(&self) -> Result<Self, TableFileError> {
        let packed = FileEntries::in_memory(&self.index, self.metric, &self.plain()?);
        let entries = Store::File(Box::new(packed));
        Ok(Self { index: self.index.clone(), metric: self.metric, entries })
    }

    /// The unpacked entries by side to move.
    fn plain(&self) -> Result<[Cow<'_, Entries>; 2], TableFileError> {
        self.entries.all()
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebase({})", self.material)
    }
}
