use super::UsedRule;
use crate::chess::Move;
use crate::search::Found;

/// A move, and what it was chosen by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// Why it.
    pub grounds: Grounds,
}

/// What a move was chosen by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grounds {
    /// The player does not say.
    Untold,
    /// A book of openings.
    Book,
    /// A table of an endgame.
    Table,
    /// A tree of an endgame.
    Tree {
        /// The policy's name.
        name: String,
    },
    /// A strategy of an endgame.
    Strategy {
        /// The policy's name.
        name: String,
        /// The rule.
        used: UsedRule,
    },
    /// What else is known of an endgame.
    Policy {
        /// The policy's name.
        name: String,
    },
    /// A search.
    Search(Found),
}

/// Why a player makes no move: it has lost.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Forfeit {
    /// It has no move to offer.
    #[error("it has no move to offer")]
    NoMove,
    /// What it offers is no legal move.
    #[error("it offers {0:?}, which is no legal move")]
    Illegal(String),
    /// It has made no move for too long.
    #[error("it has told no move within {0} ms, and was ended")]
    Stalled(u128),
    /// It does not read what it is told.
    #[error("it does not read what it is told, and was ended")]
    Deaf,
    /// It has ended in the midst of the game.
    #[error("it has ended: {0}")]
    Crashed(String),
}
