//! What a theory has to keep.

use crate::chess::FIFTY_MOVE_PLIES;
use std::fmt;

/// The most moves of the strong side to a mate before the fifty-move rule can be invoked.
pub const FIFTY_MOVES: u16 = FIFTY_MOVE_PLIES / 2;

/// What a theory has to keep, from every position that can be won.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Guarantee {
    /// Every distance is right.
    Exact,
    /// Every move is an optimal one.
    Optimal,
    /// Every game is won.
    Win {
        /// ... in at most this many moves.
        longest: u16,
        /// ... with no more moves over the optimum than this, on average over all positions.
        mean_excess: Option<f64>,
    },
}

impl Guarantee {
    /// To win, whatever it takes, within the fifty-move rule.
    pub const WIN: Self = Self::Win { longest: FIFTY_MOVES, mean_excess: None };

    pub(super) fn longest(self) -> u16 {
        match self {
            Self::Exact | Self::Optimal => FIFTY_MOVES,
            Self::Win { longest, .. } => longest,
        }
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
            Self::Optimal => f.write_str("optimal"),
            Self::Win { longest, mean_excess } => {
                write!(f, "win in {longest}")?;
                match mean_excess {
                    Some(excess) => write!(f, ", excess {excess}"),
                    None => Ok(()),
                }
            }
        }
    }
}
