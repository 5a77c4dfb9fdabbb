//! Claims about positions: ranges of distances to zeroing.

use crate::value::{Dtz, Wdl5};
use std::fmt;

/// A distance that no position has. Distances are kept below it.
const BEYOND: i32 = 4_000;

/// The claim of a table about a position, or about the moves from it: that its distance to zeroing is between two. A
/// range with many distances is an outcome without a distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The rank of the worst distance.
    low: i32,
    /// The rank of the best distance.
    high: i32,
}

/// A claim in two bytes: the rank of the worst distance times four, and what the best one is.
#[derive(Clone, Copy, Default)]
pub(crate) struct PackedClaim(i16);

/// The place of a distance among all, from a loss in one ply to a win in one ply.
const fn rank(plies: i32) -> i32 {
    plies.signum() * BEYOND - plies
}

/// The distance of a place.
const fn plies(rank: i32) -> i32 {
    rank.signum() * BEYOND - rank
}

impl Claim {
    /// The side to move is mated.
    pub(crate) const MATED: Self = Self::exact(-1);
    /// The side to move mates.
    pub(crate) const MATES: Self = Self::exact(1);
    /// A draw.
    pub(crate) const DRAW: Self = Self::exact(0);

    const fn exact(plies: i32) -> Self {
        let rank = rank(plies);
        Self { low: rank, high: rank }
    }

    /// All distances of an outcome.
    pub(crate) fn of_outcome(wdl: Wdl5) -> Self {
        let (low, high) = match wdl {
            Wdl5::Loss => (-1, -100),
            Wdl5::BlessedLoss => (-101, 1 - BEYOND),
            Wdl5::Draw => (0, 0),
            Wdl5::CursedWin => (BEYOND - 1, 101),
            Wdl5::Win => (100, 1),
        };
        Self { low: rank(low), high: rank(high) }
    }

    /// The distances that a probe allows.
    pub(crate) fn of_distance(dtz: Dtz) -> Self {
        let ends = [dtz.plies, dtz.most()].map(|plies| rank(plies.clamp(1 - BEYOND, BEYOND - 1)));
        Self { low: ends[0].min(ends[1]), high: ends[0].max(ends[1]) }
    }

    /// The distance of a move that zeroes the clock, and after which this is the outcome.
    pub(crate) const fn of_zeroing(wdl: Wdl5) -> Self {
        Self::exact(wdl.zeroing_plies())
    }

    /// The claim about the position before a move that leads to this one and does not zero the clock.
    pub(crate) fn before_move(self) -> Self {
        // The side to move changes, and the distance is one ply more.
        let before = |rank: i32| {
            let before = rank.signum() - rank;
            // The longest distance stays the longest.
            if before == 0 { -rank } else { before }
        };
        Self { low: before(self.high), high: before(self.low) }
    }

    /// What two moves say together.
    pub(crate) fn max(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.max(other.high) }
    }

    /// What two claims say together, unless they contradict each other.
    pub(crate) fn and(self, other: Self) -> Option<Self> {
        let both = Self { low: self.low.max(other.low), high: self.high.min(other.high) };
        (both.low <= both.high).then_some(both)
    }

    /// The worst distance and the best one for the side to move, in plies as in a [`Dtz`].
    pub const fn plies(self) -> [i32; 2] {
        [plies(self.low), plies(self.high)]
    }

    /// The outcome, if all distances have the same.
    pub fn wdl(self) -> Option<Wdl5> {
        let [worst, best] = self.plies().map(|plies| Dtz::exact(plies).wdl());
        (worst == best).then_some(worst)
    }

    /// The claim in two bytes. Of a range with more than two distances, the outcome of the worst is left.
    pub(crate) fn pack(self) -> PackedClaim {
        let [worst, _] = self.plies();
        let width = match self.high - self.low {
            width @ 0..=1 => width,
            _ => 2,
        };
        let low = if width == 2 { Self::of_outcome(Dtz::exact(worst).wdl()).low } else { self.low };
        PackedClaim((low << 2 | width) as i16)
    }
}

impl PackedClaim {
    pub(crate) fn unpack(self) -> Claim {
        let low = i32::from(self.0 >> 2);
        match self.0 & 3 {
            2 => Claim::of_outcome(Dtz::exact(plies(low)).wdl()),
            width => Claim { low, high: low + i32::from(width) },
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [worst, best] = self.plies();
        match self.wdl() {
            Some(Wdl5::Draw) => f.write_str("draw"),
            Some(wdl) if *self == Self::of_outcome(wdl) => write!(f, "{wdl}"),
            Some(wdl) if worst == best => write!(f, "{wdl} with distance {worst}"),
            Some(wdl) => write!(f, "{wdl} with distance {worst} or {best}"),
            None => write!(f, "distance {worst} to {best}"),
        }
    }
}
