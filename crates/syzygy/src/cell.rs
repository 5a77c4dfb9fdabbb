//! Cells: the values of positions that a writer has to store.

use crate::value::Wdl5;

/// The value of a position for a writer: its outcome, its distance to zeroing, and where any other value would do because
/// a probe does not look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell(u16);

/// The reasons why a value may be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Freedom {
    /// A capture is as good as the best move, so that a probe finds the outcome without the table.
    pub by_capture: bool,
    /// A capture or another move of a pawn keeps the win, so that a probe finds the distance without the table.
    pub by_zeroing: bool,
}

impl Cell {
    /// The cell of a placement that is no legal position.
    pub const NONE: Self = Self(0);

    const CAPTURE: u16 = 1 << 3;
    const ZEROING: u16 = 1 << 4;
    const PLIES: u32 = 5;

    /// The greatest distance that a cell can hold.
    pub const MAX_PLIES: u16 = u16::MAX >> Self::PLIES;

    /// The cell of a position. The distance is in plies, without a sign: 0 for a draw and for a mate.
    ///
    /// # Panics
    /// If the distance is above [`MAX_PLIES`](Self::MAX_PLIES).
    pub fn new(wdl: Wdl5, plies: u16, freedom: Freedom) -> Self {
        assert!(plies <= Self::MAX_PLIES, "no distance of seven men is so long");
        let mut bits = plies << Self::PLIES | (wdl as u16 + 1);
        if freedom.by_capture {
            bits |= Self::CAPTURE;
        }
        if freedom.by_zeroing {
            bits |= Self::ZEROING;
        }
        Self(bits)
    }

    /// The number of different cells.
    pub(crate) const COUNT: usize = 1 << u16::BITS;

    /// The number of the cell, below [`COUNT`](Self::COUNT).
    pub(crate) fn number(self) -> usize {
        self.0.into()
    }

    /// All cells, by their numbers.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..=u16::MAX).map(Self)
    }

    /// Returns true if a ply more would turn the win or loss into a draw.
    pub fn is_on_edge(self) -> bool {
        matches!(self.wdl(), Some(Wdl5::Win | Wdl5::Loss)) && self.0 >> Self::PLIES == 100
    }

    /// The outcome; `None` if there is no position.
    pub(crate) fn wdl(self) -> Option<Wdl5> {
        Wdl5::ALL.get(usize::from((self.0 & 7).checked_sub(1)?)).copied()
    }

    /// What a file of outcomes has to store, in the alphabet of outcomes and of all that are at most an outcome.
    pub(crate) fn stored_wdl(self) -> u16 {
        const OUTCOMES: u16 = Wdl5::ALL.len() as u16;
        match self.wdl() {
            None => OUTCOMES + Wdl5::Win as u16,
            Some(wdl) if self.0 & Self::CAPTURE != 0 => OUTCOMES + wdl as u16,
            Some(wdl) => wdl as u16,
        }
    }

    /// The distance that has to be stored, less one; `None` if any may be.
    pub(crate) fn distance(self) -> Option<(Wdl5, u16)> {
        let wdl = self.wdl().filter(|&wdl| wdl != Wdl5::Draw)?;
        let is_free = self.0 & Self::ZEROING != 0;
        let plies = self.0 >> Self::PLIES;
        let base = if matches!(wdl, Wdl5::Win | Wdl5::Loss) { 1 } else { 101 };
        (!is_free).then(|| (wdl, plies.saturating_sub(base)))
    }
}
