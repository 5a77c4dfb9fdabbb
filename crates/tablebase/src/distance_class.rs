use super::{Outcome, moves_in};
use lucena_base::plural::{LAST_IN_WORDS, in_words};
use lucena_chess::Side;
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// The class of a position, `optimalDepth`: the result for the weak side, which is to move in the
/// published data. Unlike everything else it counts moves, not plies, as the published data do.
///
/// ```
/// use lucena_tablebase::DistanceClass;
///
/// assert_eq!(DistanceClass::Mated(16).to_string(), "sixteen");
/// assert_eq!("zero".parse(), Ok(DistanceClass::Mated(0)));
/// assert_eq!("draw".parse(), Ok(DistanceClass::Draw));
/// assert!(DistanceClass::Draw < DistanceClass::Mated(0) && DistanceClass::Mated(33) < DistanceClass::Lost);
/// ```
///
/// The order is that of the classes in the published data: draw, zero, one, ..., lost. It is not the
/// order of preference of a side: that is `player::Grade`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DistanceClass {
    /// Nobody is mated.
    Draw,
    /// The weak side is mated after this many moves of the strong side; 0 is checkmate.
    Mated(u16),
    /// The strong side is mated, after any number of moves.
    Lost,
}

/// The error for a text that is not a depth.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not a depth: write draw, lost, or a number, in words up to ninety-nine and in digits from 100 on"
)]
pub struct ParseDistanceClassError(String);

impl DistanceClass {
    /// The name of the attribute.
    pub const NAME: &'static str = "optimalDepth";

    /// Every depth up to a number of moves, except `Lost`: draw, zero, one, ...
    pub fn up_to(moves: u16) -> impl Iterator<Item = Self> {
        std::iter::once(Self::Draw).chain((0..=moves).map(Self::Mated))
    }

    /// The depth of a position with a side to move. It is the result of the weak side, no matter which
    /// side is to move: in a position that the strong side wins, the number of its moves until the weak
    /// side is mated, including the move that it is about to play.
    ///
    /// ```
    /// use lucena_chess::Side;
    /// use lucena_tablebase::{DistanceClass, Outcome};
    ///
    /// assert_eq!(DistanceClass::new(Side::Strong, Outcome::Win(17)), DistanceClass::Mated(9));
    /// assert_eq!(DistanceClass::new(Side::Weak, Outcome::Loss(16)), DistanceClass::Mated(8));
    /// assert_eq!(DistanceClass::new(Side::Strong, Outcome::Loss(2)), DistanceClass::Lost);
    /// ```
    pub fn new(turn: Side, outcome: Outcome) -> Self {
        match (turn, outcome) {
            (_, Outcome::Draw) => Self::Draw,
            (Side::Weak, Outcome::Win(_)) | (Side::Strong, Outcome::Loss(_)) => Self::Lost,
            (_, Outcome::Win(plies) | Outcome::Loss(plies)) => Self::Mated(moves_in(plies)),
        }
    }

    /// Moves of the strong side until the weak side is mated; `None` if it is not.
    pub fn moves(self) -> Option<u16> {
        if let Self::Mated(moves) = self { Some(moves) } else { None }
    }

    /// Plies until the weak side, which is to move, is mated: two per move. `None` if it is not mated.
    pub fn plies(self) -> Option<u16> {
        self.moves().map(|moves| 2 * moves)
    }
}

impl fmt::Display for DistanceClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw => f.pad("draw"),
            Self::Lost => f.pad("lost"),
            Self::Mated(moves) => f.pad(&in_words(*moves)),
        }
    }
}

impl FromStr for DistanceClass {
    type Err = ParseDistanceClassError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // A table, because every row of a data file has a depth.
        static KNOWN: LazyLock<HashMap<String, DistanceClass>> = LazyLock::new(|| {
            let all = DistanceClass::up_to(LAST_IN_WORDS).chain([DistanceClass::Lost]);
            all.map(|depth| (depth.to_string(), depth)).collect()
        });
        let in_digits = || {
            let depth = Self::Mated(text.parse().ok().filter(|&moves| moves > LAST_IN_WORDS)?);
            Some(depth).filter(|depth| depth.to_string() == text)
        };
        let known = KNOWN.get(text).copied().or_else(in_digits);
        known.ok_or_else(|| ParseDistanceClassError(text.into()))
    }
}

impl From<Outcome> for DistanceClass {
    /// The depth of a position with the weak side to move.
    fn from(outcome: Outcome) -> Self {
        Self::new(Side::Weak, outcome)
    }
}
