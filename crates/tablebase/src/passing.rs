//! Double steps after which the pawn can be taken in passing.
//!
//! A table knows nothing of the right to take in passing, so what such a step leads to is worth
//! another thing than the table says: the better, for the other side, of the table's entry and of
//! taking. The bulk of the analysis leaves these steps out; they are settled one by one.

use super::{Outcome, Plies};
use lucena_chess::Square;

/// A placement of a block: its frame and the square of its last man.
pub(super) type At = (u16, Square);

/// A double step beside a pawn of the other side.
pub(super) struct Passing {
    pub(super) before: At,
    /// Where it leads; all in the same block, as the kings stand still.
    pub(super) after: At,
    /// What taking in passing is worth to the other side, if that is legal.
    pub(super) taken: Option<Outcome>,
    /// Whether the other side has no other move, so that the table's entry says nothing.
    pub(super) is_forced: bool,
    /// Whether the position before can be lost if all such steps lose.
    pub(super) is_losable: bool,
}

/// What the table says of the position after a double step by some ply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    Open,
    Won,
    Lost,
}

impl Passing {
    /// What the step is known to come to by a ply, for the side that makes it: a loss or a win; nothing
    /// while that is open.
    pub(super) fn settled(&self, after: After, plies: Plies) -> Option<Settled> {
        let after = if self.is_forced { None } else { Some(after) };
        let taker_wins = matches!(self.taken, Some(Outcome::Win(taken)) if taken <= plies);
        let taking_loses = match self.taken {
            None => true,
            Some(Outcome::Loss(taken)) => taken <= plies,
            Some(_) => false,
        };
        if taker_wins || after == Some(After::Won) {
            Some(Settled::Loses)
        } else if taking_loses && after.is_none_or(|after| after == After::Lost) {
            Some(Settled::Wins)
        } else {
            None
        }
    }
}

/// What a double step is known to come to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    Wins,
    Loses,
}
