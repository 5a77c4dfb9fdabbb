//! The target of a data set: the meaning of the class of a row.

use lucena_base::named::named;
use lucena_chess::Side;
use lucena_syzygy::{Dtz, Wdl5};
use lucena_tablebase::{Category, DistanceClass, Metric, Outcome};
use std::fmt;

/// The meaning of the class of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Target {
    /// The moves until the weak side is mated, a draw, or that it wins: a [`DistanceClass`].
    #[default]
    Dtm,
    /// The distance to zeroing for the side to move, negative if it loses: see [`Dtz`].
    Dtz,
    /// The outcome for the side to move under the fifty-move rule, from a clock of zero.
    Wdl,
}

named!(Target { "dtm": Dtm, "dtz": Dtz, "wdl": Wdl });

impl Target {
    /// The metric of the tables that have it.
    pub fn metric(self) -> Metric {
        match self {
            Self::Dtm => Metric::Dtm,
            Self::Dtz | Self::Wdl => Metric::Dtz,
        }
    }

    /// The name of the column of classes.
    pub fn column(self) -> &'static str {
        match self {
            Self::Dtm => DistanceClass::NAME,
            Self::Dtz => "dtz",
            Self::Wdl => "wdl",
        }
    }

    /// The values of the classes, as a phrase.
    pub fn values(self) -> &'static str {
        match self {
            Self::Dtm => "draw, lost, or the moves until the weak side is mated",
            Self::Dtz => {
                "the plies to the next capture, pawn move or mate, negative if the side to move loses; 0 for a draw; beyond 100, where the fifty-move rule draws first, that many plies or 100 fewer"
            }
            Self::Wdl => {
                "win, cursed-win, draw, blessed-loss or loss for the side to move under the fifty-move rule"
            }
        }
    }
}

/// The class of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// A class of [`Target::Dtm`].
    Depth(DistanceClass),
    /// A class of [`Target::Dtz`], in plies.
    Dtz(i32),
    /// A class of [`Target::Wdl`].
    Wdl(Wdl5),
}

impl Label {
    /// The class of an outcome in a table: one of distances to mate for [`Target::Dtm`], or else of distances to
    /// zeroing.
    pub(super) fn new(target: Target, turn: Side, outcome: Outcome) -> Self {
        match target {
            Target::Dtm => Self::Depth(DistanceClass::new(turn, outcome)),
            _ => Self::of_dtz(target, outcome.into()),
        }
    }

    /// The class of a distance to zeroing; of its outcome, if that is the target.
    pub(super) fn of_dtz(target: Target, dtz: Dtz) -> Self {
        match target {
            Target::Wdl => Self::Wdl(dtz.wdl()),
            _ => Self::Dtz(dtz.plies),
        }
    }

    /// The plies of a distance with a side to move; `None` for a draw, for outcomes, and for distances to zeroing that
    /// may be 100 plies fewer.
    pub(super) fn plies(self, turn: Side) -> Option<u16> {
        match (self, turn) {
            // After the last move of the strong side the weak side is mated, so no reply follows.
            (Self::Depth(depth), Side::Strong) => depth.plies()?.checked_sub(1),
            (Self::Depth(depth), Side::Weak) => depth.plies(),
            (Self::Dtz(plies @ (-100..=-1 | 1..=100)), _) => u16::try_from(plies.abs()).ok(),
            (Self::Dtz(_) | Self::Wdl(_), _) => None,
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => depth.fmt(f),
            Self::Dtz(plies) => plies.fmt(f),
            Self::Wdl(wdl) => Category::of_wdl(*wdl).fmt(f),
        }
    }
}
