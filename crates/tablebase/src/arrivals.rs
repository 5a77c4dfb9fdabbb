//! The frames of a table that matter to an analysis.

use arrayvec::ArrayVec;
use lucena_chess::{Bitboard, MAX_MEN, Slot, Squares};

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

    /// Returns true if the frame with the men on some squares matters, or might with `moving` on another square.
    #[inline]
    pub(super) fn have(&self, squares: &Squares, moving: Option<Slot>) -> bool {
        let has =
            |&(slot, places): &(Slot, Bitboard)| Some(slot) == moving || places.has(squares[slot]);
        self.0.is_empty() || self.0.iter().any(has)
    }
}
