//! The halfmove clock, which counts towards the fifty-move rule.

use super::FIFTY_MOVE_PLIES;

/// Plies since the last capture or pawn move, before and after the move that led to a position.
///
/// ```
/// use lucena_chess::HalfmoveClock;
///
/// let clock = HalfmoveClock::of_fen(98);
/// assert_eq!(clock.plies_left(), 2);
/// assert_eq!(clock.after_move(false).plies_left(), 1);
/// assert_eq!(clock.after_move(true).plies_left(), 100);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HalfmoveClock {
    before: u16,
    now: u16,
}

impl HalfmoveClock {
    /// The clock of a position that a capture or a pawn move has just led to.
    pub const ZERO: Self = Self { before: 0, now: 0 };

    /// The clock of a FEN, in plies. The move before the position is taken to have been neither a capture nor
    /// a pawn move.
    pub fn of_fen(plies: u16) -> Self {
        Self { before: plies.saturating_sub(1), now: plies }
    }

    /// The clock after a move; `zeroing` is true if that captures or moves a pawn.
    #[must_use]
    pub fn after_move(self, zeroing: bool) -> Self {
        Self { before: self.now, now: if zeroing { 0 } else { self.now.saturating_add(1) } }
    }

    /// Plies since the last capture or pawn move.
    pub fn plies(self) -> u16 {
        self.now
    }

    /// Plies that can be played before the fifty-move rule draws the game; 0 once it has. A mate on the last
    /// of them still wins.
    pub fn plies_left(self) -> u16 {
        if self.was_drawn() { 0 } else { FIFTY_MOVE_PLIES.saturating_sub(self.now) }
    }

    /// Returns true if the fifty-move rule drew the game before the last move.
    pub fn was_drawn(self) -> bool {
        self.before >= FIFTY_MOVE_PLIES
    }
}
