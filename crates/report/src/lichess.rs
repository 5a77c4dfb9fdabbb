//! The fields of the Lichess tablebase for a position, as far as they are known here.

use lucena_base::named::named;
use lucena_chess::{FIFTY_MOVE_PLIES, Position};
use lucena_tablebase::{Outcome, Plies};
use schemars::JsonSchema;
use serde::Serialize;

/// The value of a position, in the names of the Lichess tablebase. Distances are in plies, negative
/// if the side to move loses; 0 is a draw, null is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LichessEntry {
    /// True if the side to move is checkmated.
    pub checkmate: bool,
    /// True if the side to move is stalemated.
    pub stalemate: bool,
    /// Always false: no variants are played.
    pub variant_win: bool,
    /// Always false: no variants are played.
    pub variant_loss: bool,
    /// True if neither side has enough men to mate.
    pub insufficient_material: bool,
    /// Plies to the next capture, pawn move or mate: known only for a draw, a checkmate and a mate
    /// in one move, otherwise null.
    pub dtz: Option<i32>,
    /// Equal to `dtz`, which is never rounded here.
    pub precise_dtz: Option<i32>,
    /// Plies to mate, negative if the side to move is mated; 0 for a draw, null for a checkmate.
    pub dtm: Option<i32>,
    /// Plies to a win of antichess: always null.
    pub dtw: (),
    /// Moves to the next endgame: always null.
    pub dtc: (),
    /// The result for the side to move.
    pub category: Category,
}

/// The result for the side to move under the fifty-move rule, worst first. It is a `maybe` if the
/// mate comes too late by the clock of the FEN, unless a capture or pawn move resets the clock,
/// which is not known; it is cursed or blessed if fifty moves have already passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Mated.
    Loss,
    /// Mated, unless fifty moves pass first.
    MaybeLoss,
    /// Would be mated, but fifty moves have passed.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Would mate, but fifty moves have passed.
    CursedWin,
    /// Mates, unless fifty moves pass first.
    MaybeWin,
    /// Mates.
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

/// Plies without a capture or pawn move.
#[derive(Clone, Copy)]
pub(super) struct HalfmoveClock {
    /// Plies before the last move: a draw could be claimed from [`FIFTY_MOVE_PLIES`] on.
    before: u16,
    now: u16,
}

impl HalfmoveClock {
    /// The clock of a position.
    pub(super) fn of_position(now: u16) -> Self {
        Self { before: now.saturating_sub(1), now }
    }

    /// The clock after a move from a position with clock `before`.
    pub(super) fn after_move(before: u16, is_zeroing: bool) -> Self {
        Self { before, now: if is_zeroing { 0 } else { before.saturating_add(1) } }
    }
}

impl LichessEntry {
    pub(super) fn new(position: &Position, outcome: Outcome, clock: HalfmoveClock) -> Self {
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

    /// The outcome for the side to move, apart from the fifty-move rule.
    pub fn outcome(&self) -> Outcome {
        match self.dtm {
            None => Outcome::Loss(0),
            Some(0) => Outcome::Draw,
            Some(plies) if plies > 0 => Outcome::Win(plies.unsigned_abs() as Plies),
            Some(plies) => Outcome::Loss(plies.unsigned_abs() as Plies),
        }
    }
}

impl Category {
    fn new(outcome: Outcome, clock: HalfmoveClock) -> Self {
        let is_over = clock.before >= FIFTY_MOVE_PLIES;
        let plies = outcome.plies().unwrap_or(0);
        let is_late = clock.now.saturating_add(plies) > FIFTY_MOVE_PLIES;
        let for_loser = match outcome {
            Outcome::Draw => return Self::Draw,
            _ if is_over => Self::BlessedLoss,
            // Checkmate on the board ends the game: no draw can be claimed.
            _ if is_late && plies > 0 => Self::MaybeLoss,
            _ => Self::Loss,
        };
        match outcome {
            Outcome::Win(_) => for_loser.before_move(),
            _ => for_loser,
        }
    }

    /// The category for the other side, which made the move to this position.
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

    /// Returns true if the side to move mates, apart from the fifty-move rule.
    pub fn is_won(self) -> bool {
        self > Self::Draw
    }
}

/// Plies to mate, negative if the side to move is mated; `None` for a draw.
pub fn dtm(outcome: Outcome) -> Option<i32> {
    match outcome {
        Outcome::Win(plies) => Some(plies.into()),
        Outcome::Draw => None,
        Outcome::Loss(plies) => Some(-i32::from(plies)),
    }
}
