//! Theories: trees as small as they can be made while a guarantee still holds from every position
//! against every defence.
//!
//! A policy that goes by a tree does not need every distance to be right: it needs the right move
//! to be preferred. What may be got wrong is decided by the guarantee, and whether it holds by
//! proof, after every single change: an [`Arena`] holds the endgame as numbers, and the proof is
//! kept up to date with what a change touches.

mod arena;
mod chain;
mod convert;
mod distil;
mod game;
mod grow;
mod propose;
mod regrow;
mod sketch;
mod verify;

use crate::chess::FIFTY_MOVE_PLIES;
use std::fmt;

pub use arena::{Arena, ArenaError};
pub use convert::StartError;
pub use distil::{Budget, Distilled, Progress, Search, distil};
pub use verify::{VerifyError, verify};

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

    fn longest(self) -> u16 {
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
