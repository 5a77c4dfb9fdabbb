use lucena_base::plural::plies as in_plies;
use std::fmt;

/// The value of a position after a search, from the point of view of the side to move.
///
/// ```
/// use lucena_search::Value;
///
/// assert!(Value::Mates(1) > Value::Mates(3) && Value::Mates(3) > Value::Hundredths(900));
/// assert!(Value::Mated(2) < Value::Mated(4) && Value::Mated(4) < Value::Hundredths(-900));
/// assert!(Value::Mates(99) > Value::Wins(1) && Value::Wins(9) > Value::Hundredths(900));
/// assert_eq!(Value::Hundredths(-25).to_string(), "-0.25");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// The side to move is mated in this number of plies.
    Mated(u16),
    /// The side to move loses: a source of outcomes knows the position after this number of plies.
    Loses(u16),
    /// Hundredths of a pawn.
    Hundredths(i32),
    /// The side to move wins: a source of outcomes knows the position after this number of plies.
    Wins(u16),
    /// The side to move mates in this number of plies.
    Mates(u16),
}

/// The score of an immediate mate. Inside a search a mate in n plies has the score `MATE - n`, and
/// being mated in n plies has the negated score.
pub(super) const MATE: i32 = 30_000;
/// Greater than any score.
pub(super) const INFINITE: i32 = 31_000;
/// The lowest score of a mate.
pub(super) const MAX_MATE: i32 = MATE - 500;
/// The score of a position that is known to be won. Inside a search a known win in n plies has the score
/// `KNOWN_WIN - n`, and a known loss has the negated score.
pub(super) const KNOWN_WIN: i32 = MAX_MATE - 1;
/// The lowest score of a known win: evaluations are below it.
pub(super) const MAX_WIN: i32 = MATE - 1000;
pub(super) const MAX_LOSS: i32 = -MAX_WIN;
/// The score of a known win that the fifty-move rule turns into a draw.
pub(super) const CURSED_WIN: i32 = 1;

impl Value {
    pub(super) fn from_score(score: i32) -> Self {
        if score >= MAX_MATE {
            Self::Mates((MATE - score) as u16)
        } else if score <= -MAX_MATE {
            Self::Mated((MATE + score) as u16)
        } else if score >= MAX_WIN {
            Self::Wins((KNOWN_WIN - score) as u16)
        } else if score <= MAX_LOSS {
            Self::Loses((KNOWN_WIN + score) as u16)
        } else {
            Self::Hundredths(score)
        }
    }

    fn score(self) -> i32 {
        match self {
            Self::Mated(plies) => i32::from(plies) - MATE,
            Self::Loses(plies) => i32::from(plies) - KNOWN_WIN,
            Self::Hundredths(value) => value,
            Self::Wins(plies) => KNOWN_WIN - i32::from(plies),
            Self::Mates(plies) => MATE - i32::from(plies),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.score().cmp(&other.score())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mated(plies) => write!(f, "mated in {}", in_plies((*plies).into())),
            Self::Hundredths(value) => write!(f, "{:+.2}", f64::from(*value) / 100.0),
            Self::Loses(plies) => write!(f, "known to be lost in {}", in_plies((*plies).into())),
            Self::Wins(plies) => write!(f, "known to be won in {}", in_plies((*plies).into())),
            Self::Mates(plies) => write!(f, "mates in {}", in_plies((*plies).into())),
        }
    }
}
