//! The distances that a table can hold.

use super::entries::Entry;
use super::outcome::{Outcome, Plies};
use lucena_base::named::named;
use lucena_chess::FIFTY_MOVE_PLIES;

named! {
    /// The distance that a table holds.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Metric {
        /// Distance to mate. The fifty-move rule is ignored.
        Dtm = "dtm",
        /// Distance to zeroing, under the fifty-move rule: the plies to the next capture, pawn move or mate, from a
        /// clock of zero. Within 100 plies a win is a win. Beyond, or if the capture or pawn move leads to a win
        /// that comes too late, it is a cursed win, which is a draw.
        Dtz = "dtz",
    }
}

impl Metric {
    /// The entry of an outcome.
    #[inline]
    pub(super) fn entry(self, outcome: Outcome) -> Entry {
        match (self, outcome) {
            (_, Outcome::Draw) => Entry::DRAW,
            // A mate tells the winner by its parity.
            (Self::Dtm, Outcome::Win(plies) | Outcome::Loss(plies)) => Entry(plies + 2),
            (Self::Dtz, Outcome::Loss(plies)) => Entry(2 * plies + 2),
            (Self::Dtz, Outcome::Win(plies)) => Entry(2 * plies + 3),
        }
    }

    /// The outcome of an entry; `None` if there is no position.
    #[inline]
    pub(super) fn outcome(self, entry: Entry) -> Option<Outcome> {
        match entry.0 {
            0 => None,
            1 => Some(Outcome::Draw),
            code => Some(match self {
                Self::Dtm => Outcome::mate_in(code - 2),
                Self::Dtz if code % 2 == 0 => Outcome::Loss(code / 2 - 1),
                Self::Dtz => Outcome::Win(code / 2 - 1),
            }),
        }
    }

    /// The outcome for the side that made a move, given the outcome after it. A move that zeroes the clock, which
    /// is a capture or a pawn move, ends the distance to zeroing.
    #[inline]
    #[must_use]
    pub(super) fn before_move(self, after: Outcome, zeroes: bool) -> Outcome {
        if self == Self::Dtm || !zeroes {
            return after.before_move();
        }
        let distance = |plies: Plies| 1 + if plies > RULE { RULE } else { 0 };
        match after {
            Outcome::Win(plies) => Outcome::Loss(distance(plies)),
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss(plies) => Outcome::Win(distance(plies)),
        }
    }
}

/// The plies of the fifty-move rule.
pub(super) const RULE: Plies = FIFTY_MOVE_PLIES as Plies;
