//! Findings of the analysis of a block, as checkpoints and messages between workers hold them.

use lucena_chess::{Bitboard, Side};

/// A set of placements of a block: the squares of the weak king for each place that has any.
pub(super) type Sparse = Vec<(u32, Bitboard)>;

/// The placements of a block, with one side to move, that a ply decides.
#[derive(Default)]
pub(super) struct Decided {
    pub(super) won: Sparse,
    pub(super) lost: Sparse,
}

impl Decided {
    pub(super) fn is_empty(&self) -> bool {
        self.won.is_empty() && self.lost.is_empty()
    }
}

/// The placements that a block enters in a ply, with one side to move.
pub(super) struct Change {
    pub(super) block: usize,
    pub(super) turn: Side,
    pub(super) decided: Decided,
}
