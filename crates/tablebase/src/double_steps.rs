//! Double steps after which the pawn can be captured en passant.
//!
//! Tables have no en passant rights, so the outcome after such a step differs from the table's entry: it
//! is the better one, for the other side, of the entry and the en passant capture. The bulk of the
//! analysis leaves these steps out; they are settled one by one.

use super::{Outcome, Plies};
use lucena_chess::Square;

/// A placement of a block: its frame and the square of its last man.
pub(super) type PlacementId = (u16, Square);

/// A double step to a square beside a pawn of the other side.
pub(super) struct DoubleStep {
    pub(super) before: PlacementId,
    /// The placement after the step, in the same block, since the kings do not move.
    pub(super) after: PlacementId,
    /// The outcome of the en passant capture for the other side, if it is legal.
    pub(super) taken: Option<Outcome>,
    /// True if the other side has no other move, so that the table's entry does not matter.
    pub(super) is_forced: bool,
    /// True if the position before may be lost once all such steps lose: no move out of the material draws
    /// or wins, and it is not stalemate.
    pub(super) is_losable: bool,
}

/// The table's knowledge, at some ply, of the position after a double step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplyState {
    Open,
    Won,
    Lost,
}

impl DoubleStep {
    /// Returns the result of the step for the side that makes it, as known at a ply; `None` while it is
    /// open.
    pub(super) fn settled(&self, after: ReplyState, plies: Plies) -> Option<StepResult> {
        let after = if self.is_forced { None } else { Some(after) };
        let taker_wins = matches!(self.taken, Some(Outcome::Win(taken)) if taken <= plies);
        let taking_loses = match self.taken {
            None => true,
            Some(Outcome::Loss(taken)) => taken <= plies,
            Some(_) => false,
        };
        if taker_wins || after == Some(ReplyState::Won) {
            Some(StepResult::Loses)
        } else if taking_loses && after.is_none_or(|after| after == ReplyState::Lost) {
            Some(StepResult::Wins)
        } else {
            None
        }
    }
}

/// The result of a double step for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StepResult {
    Wins,
    Loses,
}
