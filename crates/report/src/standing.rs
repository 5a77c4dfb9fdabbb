//! What the Lichess tablebase knows of a position, and so much of it as is known here.

use lucena_base::named::named;
use lucena_chess::{FIFTY_MOVE_PLIES, Position};
use lucena_tablebase::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

/// What is known of a position, in the names of the Lichess tablebase. Distances are in plies, and
/// negative when the side to move loses; 0 is a draw, and null is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Standing {
    /// Whether the side to move is checkmated.
    pub checkmate: bool,
    /// Whether the side to move is stalemated.
    pub stalemate: bool,
    /// Never so: no variant of chess is played.
    pub variant_win: bool,
    /// Never so: no variant of chess is played.
    pub variant_loss: bool,
    /// Whether the men are too few for any mate.
    pub insufficient_material: bool,
    /// Plies to the next capture, move of a pawn or mate: known of a draw, a checkmate and a mate in one
    /// move only, else null.
    pub dtz: Option<i32>,
    /// The same: it is never rounded.
    pub precise_dtz: Option<i32>,
    /// Plies to mate, negative when the side to move is mated; 0 for a draw, null for a checkmate.
    pub dtm: Option<i32>,
    /// Plies to a win of antichess: always null.
    pub dtw: (),
    /// Moves to the next endgame: always null.
    pub dtc: (),
    /// What becomes of the side to move.
    pub category: Category,
}

/// What becomes of the side to move, the rule of fifty moves minded: the worst for it first. Where the
/// mate comes too late by the clock of the FEN, and nobody knows whether a capture or a move of a pawn
/// comes in time, it is a `maybe`; cursed and blessed it is where the fifty moves are over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// It is mated.
    Loss,
    /// It is mated, unless fifty moves pass before.
    MaybeLoss,
    /// It would be mated, and the fifty moves have passed.
    BlessedLoss,
    /// Nobody is mated.
    Draw,
    /// It would mate, and the fifty moves have passed.
    CursedWin,
    /// It mates, unless fifty moves pass before.
    MaybeWin,
    /// It mates.
    Win,
}

named!(Category {
    "loss": Loss,
    "maybe-loss": MaybeLoss,
    "blessed-loss": BlessedLoss,
    "draw": Draw,
    "cursed-win": CursedWin,
    "maybe-win": MaybeWin,
    "win": Win,
});

/// How long nothing was taken and no pawn moved, in plies.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    /// When the position came up: a draw could be claimed from [`FIFTY_MOVE_PLIES`] on.
    before: u16,
    now: u16,
}

impl Clock {
    /// In a position with a clock.
    pub(super) fn of_position(now: u16) -> Self {
        Self { before: now.saturating_sub(1), now }
    }

    /// After a move in such a position.
    pub(super) fn after_move(before: u16, is_zeroing: bool) -> Self {
        Self { before, now: if is_zeroing { 0 } else { before.saturating_add(1) } }
    }
}

impl Standing {
    pub(super) fn new(position: &Position, outcome: Outcome, clock: Clock) -> Self {
        let dtz = match outcome {
            Outcome::Draw => Some(0),
            Outcome::Loss(0) => Some(-1),
            Outcome::Win(1) => Some(1),
            _ => None,
        };
        let dtm = match outcome {
            Outcome::Draw => Some(0),
            Outcome::Loss(0) => None,
            _ => dtm(outcome),
        };
        Self {
            checkmate: outcome == Outcome::Loss(0),
            stalemate: outcome == Outcome::Draw && position.is_stalemate(),
            variant_win: false,
            variant_loss: false,
            insufficient_material: position.is_insufficient_material(),
            dtz,
            precise_dtz: dtz,
            dtm,
            dtw: (),
            dtc: (),
            category: Category::new(outcome, clock),
        }
    }
}

impl Category {
    fn new(outcome: Outcome, clock: Clock) -> Self {
        let is_over = clock.before >= FIFTY_MOVE_PLIES;
        let plies = outcome.plies().unwrap_or(0);
        let is_late = clock.now.saturating_add(plies) > FIFTY_MOVE_PLIES;
        let for_loser = match outcome {
            Outcome::Draw => return Self::Draw,
            _ if is_over => Self::BlessedLoss,
            // Who is mated already has nothing left to claim.
            _ if is_late && plies > 0 => Self::MaybeLoss,
            _ => Self::Loss,
        };
        match outcome {
            Outcome::Win(_) => for_loser.before_move(),
            _ => for_loser,
        }
    }

    /// The same for the other side, which moved here.
    #[must_use]
    pub fn before_move(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::MaybeLoss => Self::MaybeWin,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::MaybeWin => Self::MaybeLoss,
            Self::Win => Self::Loss,
        }
    }

    /// Whether the side to move mates, if only the clock lets it.
    pub fn is_won(self) -> bool {
        self > Self::Draw
    }
}

/// Plies to mate, negative when the side to move is mated; nothing for a draw.
pub fn dtm(outcome: Outcome) -> Option<i32> {
    match outcome {
        Outcome::Win(plies) => Some(plies.into()),
        Outcome::Draw => None,
        Outcome::Loss(plies) => Some(-i32::from(plies)),
    }
}
