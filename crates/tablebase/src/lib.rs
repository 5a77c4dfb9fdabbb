//! Endgame tables: the exact outcome of every position, with its distance to mate in plies.
//!
//! A [`Tablebase`] has one entry for each canonical position and side to move of a material and
//! of every material that captures and promotions lead to: one byte, or two if mates are very long. It is
//! built by retrograde analysis ([`Tablebase::solve`]) and checked by an independent forward pass
//! ([`Tablebase::verify`]).
//!
//! Tables are stored in files, block by block. A [`Tablebase`] holds the entries of small endgames in
//! memory. Entries of five men are read from their files on demand, if there are files; if such a file
//! can no longer be read, the work unwinds: see [`unless_unreadable`]. [`TableFile`] and
//! [`TableFolder`] read only the blocks that a position needs.

mod block;
mod blocks;
mod checkpoint;
mod counts;
mod diagonal;
mod distance_class;
mod entries;
mod file;
mod folder;
mod frames;
mod index;
mod kings;
mod opened;
mod others;
mod outcome;
mod packing;
mod passing;
mod probe;
#[cfg(feature = "dist")]
mod shared;
mod solve;
mod start;
mod store;
mod verify;

use entries::Entry;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, Side, Squares};
use opened::give_up;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use store::Store;

pub use counts::Counts;
pub use distance_class::{DistanceClass, ParseDistanceClassError};
pub use file::{ProbeError, TableFile};
pub use folder::{Need, TableFolder};
pub use index::Index;
pub use opened::{TableFileError, unless_unreadable};
pub use outcome::{Outcome, Plies, Wdl, moves_in};
pub use probe::UnknownMaterial;
#[cfg(feature = "dist")]
pub use shared::{
    Crew, News, PortionError, SharedError, lacking_endgames, memory_shared, shared_endgames,
    solve_shared,
};
pub use verify::WrongEntry;

/// The entries of one material.
struct Table {
    index: Index,
    /// The entries by side to move, then by index.
    entries: [Store; 2],
}

/// The exact outcome of every position of a material.
///
/// Entries of five men may be in a file. If that file can no longer be read, a lookup unwinds like a panic;
/// [`unless_unreadable`] turns this into an error.
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
    tables: BTreeMap<Material, Arc<Table>>,
}

impl Tablebase {
    /// A tablebase without any tables yet.
    fn of(material: Material) -> Self {
        Self { material, tables: BTreeMap::new() }
    }

    /// The solved material. The tablebase also holds the materials that its captures and promotions lead to.
    pub fn material(&self) -> Material {
        self.material
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
    /// outcomes, in order. Faster than [`Tablebase::canonical_positions`].
    pub fn canonical_outcomes(&self, turn: Side) -> impl Iterator<Item = (usize, Outcome)> + '_ {
        let entries = &self.table().entries[turn as usize];
        let numbers = 0..entries.len();
        numbers.filter_map(|number| Some((number, entries.get(number).outcome()?)))
    }

    /// Returns the outcome of the canonical position with a number; `None` if it is not legal with this side
    /// to move.
    ///
    /// # Panics
    /// If the number is not below [`Index::len`].
    #[inline]
    pub fn canonical_outcome(&self, number: usize, turn: Side) -> Option<Outcome> {
        self.table().entries[turn as usize].get(number).outcome()
    }

    /// The number of positions in [`Tablebase::canonical_positions`].
    pub fn canonical_len(&self, turn: Side) -> usize {
        self.table().entries[turn as usize].count_positions()
    }

    /// Unpacks the entries of the material in memory, for work that scans all of them repeatedly. Tables of
    /// five men are otherwise unpacked at each lookup; smaller ones are always unpacked.
    ///
    /// # Errors
    /// If a table file can no longer be read, or lacks the entry of a legal position.
    pub fn unpacked(mut self) -> Result<Self, TableFileError> {
        if Store::packs(self.material) {
            let unpacked = self.table().unpacked()?;
            if let Some(lacking) = unpacked.lacking_position() {
                self.table().try_outcome(&lacking)?;
            }
            self.tables.insert(self.material, Arc::new(unpacked));
        }
        Ok(self)
    }

    /// The approximate memory of [`Tablebase::unpacked`], in bytes.
    pub fn memory_unpacked(material: Material) -> u64 {
        if Store::packs(material) {
            2 * Index::new(material, Group::of(material)).len() as u64
        } else {
            0
        }
    }

    fn table(&self) -> &Table {
        &self.tables[&self.material]
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({})", self.index.material())
    }
}

impl Table {
    /// The outcome of a position.
    ///
    /// # Errors
    /// If the table is in a file that can no longer be read, or that lacks the position's entry.
    #[inline]
    fn try_outcome(&self, position: &Position) -> Result<Outcome, TableFileError> {
        let store = &self.entries[position.turn() as usize];
        store.try_outcome(self.index.of(position), position)
    }

    /// [`Table::try_outcome`], which unwinds if there is none.
    #[inline]
    fn outcome(&self, position: &Position) -> Outcome {
        self.try_outcome(position).unwrap_or_else(|error| give_up(error))
    }

    /// Returns the table with unpacked entries.
    ///
    /// # Errors
    /// If its file can no longer be read.
    fn unpacked(&self) -> Result<Self, TableFileError> {
        let index = Index::new(self.index.material(), Group::of(self.index.material()));
        let [strong, weak] = &self.entries;
        Ok(Self { index, entries: [strong.unpacked()?, weak.unpacked()?] })
    }

    /// Returns true if exactly the legal positions have entries.
    fn fits(&self) -> bool {
        self.find_misfit(|is_legal, entry| is_legal != (entry != Entry::NO_POSITION)).is_none()
    }

    /// Returns a legal position without an entry.
    fn lacking_position(&self) -> Option<Position> {
        self.find_misfit(|is_legal, entry| is_legal && entry == Entry::NO_POSITION)
    }

    /// Returns the first placement that satisfies a predicate on its legality and its entry.
    fn find_misfit(&self, is_found: impl Fn(bool, Entry) -> bool + Sync) -> Option<Position> {
        let material = self.index.material();
        let at = |turn: Side, entry: Entry, squares: &Squares| {
            let placement = Position::from_slots(material, turn, *squares);
            let is_legal = !placement.is_attacked(placement.king(!turn), turn);
            is_found(is_legal, entry).then_some(placement)
        };
        self.index.pairs().par_iter().find_map_first(|pair| {
            let placements = self.index.placements_of(pair);
            Side::ALL.into_iter().find_map(|turn| {
                let numbers = pair.first()..pair.first() + placements.len();
                let entries = self.entries[turn as usize].part(numbers);
                let mut entries = entries.iter().zip(placements.iter());
                entries.find_map(|(entry, squares)| at(turn, entry, squares))
            })
        })
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebase({})", self.material)
    }
}
