//! The entries of a table by frame.

use super::arrivals::Arrivals;
use super::entries::Entries;
use super::open_file::TableFileError;
use super::shape::Men;
use super::weak_moves::{Lanes, WeakMoves};
use super::{Metric, Table};
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Bitboard, Material, Side, Square, Squares};
use std::sync::{Arc, PoisonError, RwLock};

/// The entries of a table with one side to move, for lookups with the weak king on many squares. Those with the strong
/// king on one square are put in the order of the frames when they are first used.
pub(super) struct FrameTable<'t> {
    table: &'t Table,
    turn: Side,
    moves: WeakMoves,
    arrivals: Arrivals,
    symmetries: &'static [Symmetry],
    /// By square of the strong king: the number of the symmetry that maps it to a canonical one.
    homes: Vec<u8>,
    /// By canonical square of the strong king.
    kings: Vec<RwLock<Option<Arc<Entries>>>>,
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
            symmetries,
            homes: Square::ALL.into_iter().map(home).collect(),
            kings: Square::ALL.iter().map(|_| RwLock::default()).collect(),
        }
    }

    /// The material and the side to move.
    pub(super) fn material_and_turn(&self) -> (Material, Side) {
        (self.table.index.material, self.turn)
    }

    /// Returns true if the entries have to be read from a file.
    pub(super) fn is_in_file(&self) -> bool {
        self.table.entries.is_in_file()
    }

    /// The symmetries of the table.
    pub(super) fn symmetries(&self) -> &'static [Symmetry] {
        self.symmetries
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
    /// the weak king.
    ///
    /// # Errors
    /// If the table is in a file that can no longer be read.
    pub(super) fn entries(&self, king: Square) -> Result<Arc<Entries>, TableFileError> {
        let Self { table: Table { index, entries, .. }, moves, arrivals, turn, .. } = self;
        self.in_order(king, || entries.by_frame(index, moves, arrivals, king, *turn))
    }

    /// [`Self::entries`] with the weak side to move, if it has no pawns. `captures` gives the ranks of its best captures in a
    /// frame, by square of the weak king. So only the entries with the strong side to move are read.
    ///
    /// # Errors
    /// If the table is in a file that can no longer be read.
    pub(super) fn entries_by_captures(
        &self,
        king: Square,
        captures: impl FnMut(&Men, Bitboard) -> Lanes,
    ) -> Result<Arc<Entries>, TableFileError> {
        let Self { table: Table { index, entries, .. }, moves, arrivals, .. } = self;
        self.in_order(king, || entries.weak_by_captures(index, moves, arrivals, king, captures))
    }

    fn in_order(
        &self,
        king: Square,
        entries: impl FnOnce() -> Result<Entries, TableFileError>,
    ) -> Result<Arc<Entries>, TableFileError> {
        let place = &self.kings[king as usize];
        if let Some(entries) = &*place.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(Arc::clone(entries));
        }
        // Those of a table in a file are unpacked in parallel. A thread that waits for that may take up work that needs the
        // same entries, so nothing is locked meanwhile.
        let entries = Arc::new(entries()?);
        let mut place = place.write().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(place.get_or_insert(entries)))
    }

    /// Frees the entries with the strong king on a canonical square.
    pub(super) fn forget(&self, king: Square) {
        *self.kings[king as usize].write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
