//! What perfect play makes of a position.

use std::fmt;

/// A number of plies (half moves).
pub type Plies = u16;

/// The moves of the side that mates, in so many plies of both sides.
pub fn moves_in(plies: Plies) -> u16 {
    plies.div_ceil(2)
}

/// What perfect play makes of a position, seen from the side to move. Distances are in plies, to
/// mate: the winner plays for the shortest way, the loser for the longest.
///
/// | value | the side to move … |
/// |---|---|
/// | `Win(n)` | mates in `n` plies; `n` is odd |
/// | `Draw` | can neither mate nor be mated by force |
/// | `Loss(n)` | is mated in `n` plies; `n` is even, 0 is checkmate |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The side to move mates in this many plies.
    Win(Plies),
    /// Nobody can force a mate.
    Draw,
    /// The side to move is mated in this many plies.
    Loss(Plies),
}

/// An [`Outcome`] without its distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The side to move is mated.
    Loss,
    /// Nobody is mated.
    Draw,
    /// The side to move mates.
    Win,
}

impl Outcome {
    /// Win, draw or loss.
    pub fn wdl(self) -> Wdl {
        match self {
            Self::Win(_) => Wdl::Win,
            Self::Draw => Wdl::Draw,
            Self::Loss(_) => Wdl::Loss,
        }
    }

    /// The plies to mate, whoever mates; nothing for a draw.
    pub fn plies(self) -> Option<Plies> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
            Self::Draw => None,
        }
    }

    /// The moves of the side that mates until the mate; nothing for a draw.
    ///
    /// ```
    /// use lucena_tablebase::Outcome;
    ///
    /// let outcomes = [Outcome::Win(17), Outcome::Loss(16), Outcome::Draw];
    /// assert_eq!(outcomes.map(Outcome::moves), [Some(9), Some(8), None]);
    /// ```
    pub fn moves(self) -> Option<u16> {
        self.plies().map(moves_in)
    }

    /// A mate in so many plies: the side to move mates if they are odd, and is mated if they are
    /// even.
    pub fn mate_in(plies: Plies) -> Self {
        if plies % 2 == 1 { Self::Win(plies) } else { Self::Loss(plies) }
    }

    /// The outcome for the side that moved here, one ply earlier.
    ///
    /// ```
    /// use lucena_tablebase::Outcome;
    ///
    /// assert_eq!(Outcome::Loss(0).before_move(), Outcome::Win(1));
    /// assert_eq!(Outcome::Win(5).before_move(), Outcome::Loss(6));
    /// ```
    #[must_use]
    pub fn before_move(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies + 1),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(plies + 1),
        }
    }
}

impl PartialOrd for Outcome {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Outcome {
    /// Better for the side to move is greater: a quick win before a slow one, a slow loss before a
    /// quick one.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // More than any number of plies, so that no mate is as good or as bad as a draw.
        const MANY: i32 = 1 << 16;
        let worth = |outcome: &Self| match outcome {
            Self::Win(plies) => MANY - i32::from(*plies),
            Self::Draw => 0,
            Self::Loss(plies) => i32::from(*plies) - MANY,
        };
        worth(self).cmp(&worth(other))
    }
}

impl fmt::Display for Outcome {
    /// As a person says it, in moves: "mate in 9", "mated in 3", "draw".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw => f.pad("draw"),
            Self::Loss(0) => f.pad("checkmate"),
            Self::Win(_) => write!(f, "mate in {}", self.moves().unwrap_or_default()),
            Self::Loss(_) => write!(f, "mated in {}", self.moves().unwrap_or_default()),
        }
    }
}
