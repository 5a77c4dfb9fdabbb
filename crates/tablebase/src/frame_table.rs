//! The entries of a table by frame.

use super::entries::{Entries, Entry};
use super::open_file::TableFileError;
use super::weak_moves::WeakMoves;
use super::{Metric, Table};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Side, Square, Squares};
use std::sync::{Arc, PoisonError, RwLock};

/// The entries of a table with one side to move, for lookups with the weak king on many squares. Those with the strong
/// king on one square are put in the order of the frames when they are first used.
pub(super) struct FrameTable<'t> {
    table: &'t Table,
    turn: Side,
    moves: WeakMoves,
    /// By square of the strong king: the symmetry that maps it to a canonical one.
    homes: Vec<Symmetry>,
    /// By canonical square of the strong king.
    kings: Vec<RwLock<Option<Arc<Entries>>>>,
}

/// The entries of a frame by square of the weak king.
pub(super) struct FrameRow {
    entries: Arc<Entries>,
    first: usize,
    symmetry: Symmetry,
}

impl<'t> FrameTable<'t> {
    pub(super) fn new(table: &'t Table, metric: Metric, turn: Side) -> Self {
        let index = &table.index;
        let is_canonical = |square: Square| index.pairs.iter().any(|pair| pair.strong == square);
        let has_pawns = index.material.has_pawns();
        let symmetries = if has_pawns { &Symmetry::ALL[..2] } else { &Symmetry::ALL };
        let home = |square: Square| {
            let to_home = |symmetry: &&Symmetry| is_canonical(symmetry.apply(square));
            *symmetries.iter().find(to_home).expect("each square has a canonical image")
        };
        Self {
            table,
            turn,
            moves: WeakMoves::new(index.material, metric),
            homes: Square::ALL.into_iter().map(home).collect(),
            kings: Square::ALL.iter().map(|_| RwLock::default()).collect(),
        }
    }

    /// The canonical image of a square of the strong king.
    pub(super) fn home(&self, king: Square) -> Square {
        self.homes[king as usize].apply(king)
    }

    /// The entries of a frame. The square of the weak king does not matter.
    ///
    /// # Errors
    /// If the table is in a file that can no longer be read.
    pub(super) fn row(&self, squares: &Squares) -> Result<FrameRow, TableFileError> {
        let symmetry = self.homes[squares[0] as usize];
        let squares = symmetry.apply_to_squares(squares);
        let entries = self.entries(squares[0])?;
        Ok(FrameRow { entries, first: 64 * self.moves.frame(&squares), symmetry })
    }

    /// Puts the entries with the strong king on a canonical square in order, if that is not done yet. Those of a table in a
    /// file are unpacked in parallel, so nothing that is done in parallel beside that may need the same table.
    pub(super) fn entries(&self, king: Square) -> Result<Arc<Entries>, TableFileError> {
        let place = &self.kings[king as usize];
        if let Some(entries) = &*place.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(Arc::clone(entries));
        }
        let mut place = place.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(entries) = &*place {
            return Ok(Arc::clone(entries));
        }
        let entries = Arc::new(self.table.entries.by_frame(
            &self.table.index,
            &self.moves,
            king,
            self.turn,
        )?);
        Ok(Arc::clone(place.insert(entries)))
    }

    /// Frees the entries with the strong king on a canonical square.
    pub(super) fn forget(&self, king: Square) {
        *self.kings[king as usize].write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl FrameRow {
    #[inline]
    pub(super) fn entry(&self, last: Square) -> Entry {
        self.entries.get(self.first + self.symmetry.apply(last) as usize)
    }
}
