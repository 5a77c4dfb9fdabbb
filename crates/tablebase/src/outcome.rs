//! The outcome of a position with perfect play.

use lucena_syzygy::Dtz;
use std::fmt;

/// A number of plies (half moves).
pub type Plies = u16;

/// Converts plies of both sides to moves of the side that mates.
pub fn moves_in(plies: Plies) -> u16 {
    plies.div_ceil(2)
}

/// The outcome of a position with perfect play, from the point of view of the side to move. Distances
/// are in plies to mate: the winner minimises them, the loser maximises them.
///
/// | value | the side to move … |
/// |---|---|
/// | `Win(n)` | mates in `n` plies; `n` is odd |
/// | `Draw` | can neither mate nor be mated by force |
/// | `Loss(n)` | is mated in `n` plies; `n` is even, 0 is checkmate |
///
/// In a table of another [`Metric`](crate::Metric), distances are to zeroing under the fifty-move rule, and those of
/// wins and losses may be odd or even.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The side to move mates in this many plies.
    Win(Plies),
    /// Neither side can force mate.
    Draw,
    /// The side to move is mated in this many plies.
    Loss(Plies),
}

/// An [`Outcome`] without its distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The side to move is mated.
    Loss,
    /// Neither side can force mate.
    Draw,
    /// The side to move mates.
    Win,
}

impl Outcome {
    /// The outcome without its distance.
    pub fn wdl(self) -> Wdl {
        match self {
            Self::Win(_) => Wdl::Win,
            Self::Draw => Wdl::Draw,
            Self::Loss(_) => Wdl::Loss,
        }
    }

    /// The plies to mate, whichever side mates; `None` for a draw.
    pub fn plies(self) -> Option<Plies> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
            Self::Draw => None,
        }
    }

    /// The plies to mate, negative if the side to move is mated; `None` for a draw.
    pub fn dtm(self) -> Option<i32> {
        match self {
            Self::Win(plies) => Some(plies.into()),
            Self::Draw => None,
            Self::Loss(plies) => Some(-i32::from(plies)),
        }
    }

    /// The moves of the mating side until mate: 9 for `Win(17)`, 8 for `Loss(16)`; `None` for a draw.
    pub fn moves(self) -> Option<u16> {
        self.plies().map(moves_in)
    }

    /// The moves in which the side to move mates; `None` if it does not win.
    #[inline]
    pub fn moves_to_win(self) -> Option<u16> {
        if let Self::Win(plies) = self { Some(moves_in(plies)) } else { None }
    }

    /// A mate in a number of plies: a win for the side to move if it is odd, a loss if it is even.
    pub fn mate_in(plies: Plies) -> Self {
        if plies % 2 == 1 { Self::Win(plies) } else { Self::Loss(plies) }
    }

    /// The outcome one ply earlier, for the side that moved here: `Loss(0)` becomes `Win(1)`.
    #[must_use]
    #[inline]
    pub fn before_move(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies + 1),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(plies + 1),
        }
    }
}

impl From<Outcome> for Dtz {
    /// The distance from an outcome in a table of distances to zeroing. A checkmate is −1.
    fn from(outcome: Outcome) -> Self {
        let plies = match outcome {
            Outcome::Win(plies) => plies.into(),
            Outcome::Draw => 0,
            Outcome::Loss(plies) => -i32::from(plies.max(1)),
        };
        Self { plies, is_exact: true }
    }
}

impl PartialOrd for Outcome {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Outcome {
    /// Greater is better for the side to move: a quick win above a slow one, a slow loss above a quick one.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // Exceeds any number of plies, so that every win is above a draw and every loss below.
        const OFFSET: i32 = 1 << 16;
        let rank = |outcome: &Self| match outcome {
            Self::Win(plies) => OFFSET - i32::from(*plies),
            Self::Draw => 0,
            Self::Loss(plies) => i32::from(*plies) - OFFSET,
        };
        rank(self).cmp(&rank(other))
    }
}

impl fmt::Display for Outcome {
    /// Writes the outcome in moves: "mate in 9", "mated in 3", "draw".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw => f.pad("draw"),
            Self::Loss(0) => f.pad("checkmate"),
            Self::Win(_) => write!(f, "mate in {}", self.moves().unwrap_or_default()),
            Self::Loss(_) => write!(f, "mated in {}", self.moves().unwrap_or_default()),
        }
    }
}
