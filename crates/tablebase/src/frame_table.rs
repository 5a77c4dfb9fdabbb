//! The entries of a table by frame.

use super::entries::Entries;
use super::open_file::TableFileError;
use super::weak_moves::WeakMoves;
use super::{Metric, Table};
use arrayvec::ArrayVec;
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Bitboard, MAX_MEN, Side, Slot, Square, Squares};
use std::sync::{Arc, PoisonError, RwLock};

/// The entries of a table with one side to move, for lookups with the weak king on many squares. Those with the strong
/// king on one square are put in the order of the frames when they are first used.
pub(super) struct FrameTable<'t> {
    table: &'t Table,
    turn: Side,
    moves: WeakMoves,
    arrivals: Arrivals,
    /// By square of the strong king: the number of the symmetry that maps it to a canonical one.
    homes: Vec<u8>,
    /// By canonical square of the strong king.
    kings: Vec<RwLock<Option<Arc<Entries>>>>,
}

/// The frames of a table that are looked up: those in which one of some men, which has just become what it is, stands on
/// one of some squares; all if there are no such men.
#[derive(Default)]
pub(super) struct Arrivals(ArrayVec<(Slot, Bitboard), MAX_MEN>);

impl Arrivals {
    /// Adds the frames with a man on some squares.
    pub(super) fn add(&mut self, slot: Slot, squares: Bitboard) {
        if !self.0.contains(&(slot, squares)) {
            self.0.push((slot, squares));
        }
    }

    /// Returns true if there is a frame with some men where they stand, and one man on a square of its own choice.
    #[inline]
    pub(super) fn have(&self, squares: &Squares, moving: Option<Slot>) -> bool {
        let has = |&(slot, places): &(Slot, Bitboard)| {
            Some(slot) == moving || places.has(squares[slot])
        };
        self.0.is_empty() || self.0.iter().any(has)
    }
}

impl<'t> FrameTable<'t> {
    pub(super) fn new(table: &'t Table, metric: Metric, turn: Side, arrivals: Arrivals) -> Self {
        let index = &table.index;
        let is_canonical = |square: Square| index.pairs.iter().any(|pair| pair.strong == square);
        let symmetries = Group::new(index.material).symmetries();
        let home = |square: Square| {
            let to_home = |symmetry: &Symmetry| is_canonical(symmetry.apply(square));
            let home = symmetries.iter().position(to_home);
            home.expect("each square has a canonical image") as u8
        };
        Self {
            table,
            turn,
            moves: WeakMoves::new(index.material, metric),
            arrivals,
            homes: Square::ALL.into_iter().map(home).collect(),
            kings: Square::ALL.iter().map(|_| RwLock::default()).collect(),
        }
    }

    /// The symmetries of the table.
    pub(super) fn symmetries(&self) -> &'static [Symmetry] {
        Group::new(self.table.index.material).symmetries()
    }

    /// The number of the symmetry that maps a square of the strong king to a canonical one.
    #[inline]
    pub(super) fn home(&self, king: Square) -> usize {
        self.homes[king as usize].into()
    }

    /// The frame of a placement among those with the strong king on its square.
    #[inline]
    pub(super) fn frame(&self, squares: &Squares) -> usize {
        self.moves.frame(squares)
    }

    /// Puts the entries with the strong king on a canonical square in order, if that is not done yet: by frame and square of
    /// the weak king. Those of a table in a file are unpacked in parallel, so nothing that is done in parallel beside that
    /// may need the same table.
    ///
    /// # Errors
    /// If the table is in a file that can no longer be read.
    pub(super) fn entries(&self, king: Square) -> Result<Arc<Entries>, TableFileError> {
        let place = &self.kings[king as usize];
        if let Some(entries) = &*place.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(Arc::clone(entries));
        }
        let mut place = place.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(entries) = &*place {
            return Ok(Arc::clone(entries));
        }
        let Self { table, moves, arrivals, turn, .. } = self;
        let entries = table.entries.by_frame(&table.index, moves, arrivals, king, *turn)?;
        Ok(Arc::clone(place.insert(Arc::new(entries))))
    }

    /// Frees the entries with the strong king on a canonical square.
    pub(super) fn forget(&self, king: Square) {
        *self.kings[king as usize].write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
