//! Exact results: who wins a position, and in how many plies, against every defence.
//!
//! A [`Tablebase`] has one entry for each canonical position and side to move of a material and
//! of every material that captures and promotions lead to: a byte, or two where mates are very long. It is
//! made by retrograde analysis ([`Tablebase::solve`]) and checked by a forward pass written apart
//! ([`Tablebase::verify`]).
//!
//! Tables are kept in files, block by block. A [`Tablebase`] holds the entries of small endgames. Those of
//! five men it reads from their files as they are needed, if they are in files: whatever looks at them ends
//! where a file can no longer be read, see [`unless_unreadable`]. A [`TableFile`] and a [`TableFolder`] read
//! what a position needs and no more.

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
    /// By side to move, then by index.
    entries: [Store; 2],
}

/// The exact outcome of every position of a material.
///
/// Entries of five men may be in a file. Whatever looks at them ends as by a panic where the file can no
/// longer be read; [`unless_unreadable`] makes an error of that.
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
    /// Without any tables yet.
    fn of(material: Material) -> Self {
        Self { material, tables: BTreeMap::new() }
    }

    /// The material that was solved; those that captures and promotions lead to are inside.
    pub fn material(&self) -> Material {
        self.material
    }

    /// Every canonical position with a side to move, with its outcome, in the order of the index.
    pub fn canonical_positions(
        &self,
        turn: Side,
    ) -> impl Iterator<Item = (Position, Outcome)> + '_ {
        let index = &self.table().index;
        let outcomes = self.canonical_outcomes(turn);
        outcomes.map(move |(number, outcome)| (index.placement(number, turn), outcome))
    }

    /// The numbers that the canonical positions with a side to move have in the [`Index`], with their
    /// outcomes, in order. It is quicker than to look at the positions.
    ///
    /// ```
    /// use lucena_chess::Side;
    /// use lucena_tablebase::{Outcome, Tablebase};
    ///
    /// let tablebase = Tablebase::solve("KRvK".parse()?);
    /// let mated = tablebase.canonical_outcomes(Side::Weak);
    /// assert_eq!(mated.filter(|&(_, outcome)| outcome == Outcome::Loss(0)).count(), 27);
    /// # Ok::<(), lucena_chess::ParseMaterialError>(())
    /// ```
    pub fn canonical_outcomes(&self, turn: Side) -> impl Iterator<Item = (usize, Outcome)> + '_ {
        let entries = &self.table().entries[turn as usize];
        let numbers = 0..entries.len();
        numbers.filter_map(|number| Some((number, entries.get(number).outcome()?)))
    }

    /// The outcome of the canonical position with a number, if it is one with this side to move.
    ///
    /// # Panics
    /// When the number is not one of the [`Index`].
    pub fn canonical_outcome(&self, number: usize, turn: Side) -> Option<Outcome> {
        self.table().entries[turn as usize].get(number).outcome()
    }

    /// How many positions [`Tablebase::canonical_positions`] has.
    pub fn canonical_len(&self, turn: Side) -> usize {
        self.table().entries[turn as usize].count_positions()
    }

    /// The same with the entries of its material as they are, for work that looks at all of them again and
    /// again: tables of five men are otherwise unpacked where they are looked at. Smaller endgames stay as
    /// they are.
    ///
    /// # Errors
    /// When a table that is read from a file can no longer be read, or has no entries where there are
    /// positions.
    pub fn unpacked(mut self) -> Result<Self, TableFileError> {
        if Store::packs(self.material) {
            let unpacked = unless_unreadable(|| self.table().unpacked())?;
            if let Some(lacking) = unpacked.lacking_position() {
                unless_unreadable(|| self.table().outcome(&lacking))?;
            }
            self.tables.insert(self.material, Arc::new(unpacked));
        }
        Ok(self)
    }

    /// About how many bytes [`Tablebase::unpacked`] takes.
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
    fn outcome(&self, position: &Position) -> Outcome {
        let store = &self.entries[position.turn() as usize];
        let outcome = store.get(self.index.of(position)).outcome();
        outcome.unwrap_or_else(|| store.give_up_without(position))
    }

    /// The same with entries as they are.
    fn unpacked(&self) -> Self {
        let index = Index::new(self.index.material(), Group::of(self.index.material()));
        Self { index, entries: self.entries.each_ref().map(Store::unpacked) }
    }

    /// Whether it has entries for all legal positions and for nothing else.
    fn fits(&self) -> bool {
        self.find_misfit(|is_legal, entry| is_legal != (entry != Entry::NO_POSITION)).is_none()
    }

    /// A legal position without an entry.
    fn lacking_position(&self) -> Option<Position> {
        self.find_misfit(|is_legal, entry| is_legal && entry == Entry::NO_POSITION)
    }

    /// The first placement of which something is true, by whether it is legal and by its entry.
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
