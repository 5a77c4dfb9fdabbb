//! Exact results: who wins a position, and in how many plies, against every defence.
//!
//! A [`Tablebase`] holds one byte for each canonical position and side to move of a material and
//! of every material that captures and promotions lead to. It is made by retrograde analysis
//! ([`Tablebase::solve`]) and checked by a forward pass written apart ([`Tablebase::verify`]).
//!
//! Tables are kept in files, block by block. A [`Tablebase`] has all of its entries in memory; a
//! [`TableFile`] and a [`TableFolder`] read what a position needs and no more.

mod checkpoint;
mod counts;
mod entries;
mod file;
mod folder;
mod frames;
mod index;
mod passing;
mod probe;
mod solve;
mod start;
mod store;
mod verify;

use crate::chess::{Material, Position, Side, Squares};
use crate::symmetry::Group;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use store::Store;

pub use counts::Counts;
pub use file::{ProbeError, TableFile, TableFileError};
pub use folder::{Need, TableFolder};
pub use index::Index;
pub use probe::UnknownMaterial;
pub use verify::WrongEntry;

/// A number of plies (half moves).
pub type Plies = u16;

/// The moves of the side that mates, in so many plies of both sides.
pub fn moves_in(plies: Plies) -> u16 {
    plies.div_ceil(2)
}

/// What perfect play makes of a position, seen from the side to move. Distances are in plies, to
/// mate: the winner plays for the shortest way, the loser for the longest.
///
/// | value | the side to move … |
/// |---|---|
/// | `Win(n)` | mates in `n` plies; `n` is odd |
/// | `Draw` | can neither mate nor be mated by force |
/// | `Loss(n)` | is mated in `n` plies; `n` is even, 0 is checkmate |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The side to move mates in this many plies.
    Win(Plies),
    /// Nobody can force a mate.
    Draw,
    /// The side to move is mated in this many plies.
    Loss(Plies),
}

/// An [`Outcome`] without its distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The side to move is mated.
    Loss,
    /// Nobody is mated.
    Draw,
    /// The side to move mates.
    Win,
}

impl Outcome {
    /// Win, draw or loss.
    pub fn wdl(self) -> Wdl {
        match self {
            Self::Win(_) => Wdl::Win,
            Self::Draw => Wdl::Draw,
            Self::Loss(_) => Wdl::Loss,
        }
    }

    /// The plies to mate, whoever mates; nothing for a draw.
    pub fn plies(self) -> Option<Plies> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
            Self::Draw => None,
        }
    }

    /// The moves of the side that mates until the mate; nothing for a draw.
    ///
    /// ```
    /// use lucena::tablebase::Outcome;
    ///
    /// let outcomes = [Outcome::Win(17), Outcome::Loss(16), Outcome::Draw];
    /// assert_eq!(outcomes.map(Outcome::moves), [Some(9), Some(8), None]);
    /// ```
    pub fn moves(self) -> Option<u16> {
        self.plies().map(moves_in)
    }

    /// A mate in so many plies: the side to move mates if they are odd, and is mated if they are
    /// even.
    pub fn mate_in(plies: Plies) -> Self {
        if plies % 2 == 1 { Self::Win(plies) } else { Self::Loss(plies) }
    }

    /// The outcome for the side that moved here, one ply earlier.
    ///
    /// ```
    /// use lucena::tablebase::Outcome;
    ///
    /// assert_eq!(Outcome::Loss(0).before_move(), Outcome::Win(1));
    /// assert_eq!(Outcome::Win(5).before_move(), Outcome::Loss(6));
    /// ```
    #[must_use]
    pub fn before_move(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies + 1),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(plies + 1),
        }
    }
}

impl PartialOrd for Outcome {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Outcome {
    /// Better for the side to move is greater: a quick win before a slow one, a slow loss before a
    /// quick one.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // More than any number of plies, so that no mate is as good or as bad as a draw.
        const MANY: i32 = 1 << 16;
        let worth = |outcome: &Self| match outcome {
            Self::Win(plies) => MANY - i32::from(*plies),
            Self::Draw => 0,
            Self::Loss(plies) => i32::from(*plies) - MANY,
        };
        worth(self).cmp(&worth(other))
    }
}

impl fmt::Display for Outcome {
    /// As a person says it, in moves: "mate in 9", "mated in 3", "draw".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw => f.pad("draw"),
            Self::Loss(0) => f.pad("checkmate"),
            Self::Win(_) => write!(f, "mate in {}", self.moves().unwrap_or_default()),
            Self::Loss(_) => write!(f, "mated in {}", self.moves().unwrap_or_default()),
        }
    }
}

/// The entries of one material.
struct Table {
    index: Index,
    /// By side to move, then by index.
    entries: [Store; 2],
}

/// The exact outcome of every position of a material.
///
/// ```
/// use lucena::tablebase::{Outcome, Tablebase};
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
    /// use lucena::chess::Side;
    /// use lucena::tablebase::{Outcome, Tablebase};
    ///
    /// let tablebase = Tablebase::solve("KRvK".parse()?);
    /// let mated = tablebase.canonical_outcomes(Side::Weak);
    /// assert_eq!(mated.filter(|&(_, outcome)| outcome == Outcome::Loss(0)).count(), 27);
    /// # Ok::<(), lucena::chess::ParseMaterialError>(())
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
        self.entries[position.turn() as usize]
            .get(self.index.of(position))
            .outcome()
            .expect("a position is legal, and every legal position has an entry")
    }

    /// The same with entries as they are.
    fn unpacked(&self) -> Self {
        let index = Index::new(self.index.material(), Group::of(self.index.material()));
        Self { index, entries: self.entries.each_ref().map(Store::unpacked) }
    }

    /// Whether it has entries for all legal positions and for nothing else.
    fn fits(&self) -> bool {
        let material = self.index.material();
        let is_legal = |turn: Side, squares: &Squares| {
            let placement = Position::from_slots(material, turn, *squares);
            !placement.is_attacked(placement.king(!turn), turn)
        };
        self.index.pairs().par_iter().all(|pair| {
            let placements = self.index.placements_of(pair);
            Side::ALL.into_iter().all(|turn| {
                let entry = |number| self.entries[turn as usize].get(number);
                let fits = |(number, squares): (usize, &Squares)| {
                    is_legal(turn, squares) == entry(number).outcome().is_some()
                };
                (pair.first()..).zip(placements.iter()).all(fits)
            })
        })
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebase({})", self.material)
    }
}
