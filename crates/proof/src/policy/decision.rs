//! The decision of a player that compares safe moves.

use super::with_positions_after;
use lucena_chess::{Move, MoveList, Position};

/// The decision of a player in one position. It compares safe moves, unless a move wins at once or none is safe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision<C> {
    /// These moves win immediately in another endgame; the player compares nothing.
    AtOnce(MoveList),
    /// No move is safe, and these hold the draw; the player compares nothing.
    Holding(MoveList),
    /// No move is safe, so all are tied; the player compares nothing.
    Unsafe(MoveList),
    /// The player compares the safe moves.
    Compared(C),
}

/// A comparison of the safe moves of a position.
pub trait MoveComparison {
    /// Returns the safe moves, each with the position after it, in the order of [`Position::moves`].
    fn moves(&self) -> &[(Move, Position)];

    /// Returns the indices of the moves that are tied in the end.
    fn tied(&self) -> &[usize];
}

impl<C> Decision<C> {
    /// Returns the comparison; `None` if there was none.
    pub fn compared(&self) -> Option<&C> {
        match self {
            Self::Compared(comparison) => Some(comparison),
            Self::AtOnce(_) | Self::Holding(_) | Self::Unsafe(_) => None,
        }
    }
}

impl<C: MoveComparison> Decision<C> {
    /// Returns the moves that are tied in the end.
    pub fn tied(&self) -> MoveList {
        match self {
            Self::AtOnce(moves) | Self::Holding(moves) | Self::Unsafe(moves) => moves.clone(),
            Self::Compared(comparison) => {
                let moves = comparison.moves();
                comparison.tied().iter().map(|&at| moves[at].0).collect()
            }
        }
    }

    /// Returns the moves that are tied in the end, each with the position after it; `None` if one of them leads to a
    /// position that is not of an endgame.
    pub(super) fn plays(self, position: &Position) -> Option<Vec<(Move, Position)>> {
        match self {
            Self::AtOnce(moves) | Self::Holding(moves) | Self::Unsafe(moves) => {
                with_positions_after(position, moves)
            }
            Self::Compared(comparison) => {
                let moves = comparison.moves();
                Some(comparison.tied().iter().map(|&at| moves[at]).collect())
            }
        }
    }
}
