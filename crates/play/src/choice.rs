use lucena_chess::Move;
use lucena_proof::policy::PolicyGrounds;
use lucena_search::Found;

/// A move, and what it was chosen by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// Why it.
    pub grounds: Grounds,
}

/// The reason for a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grounds {
    /// The player does not say.
    Unstated,
    /// A book of openings.
    Book,
    /// A policy of an endgame.
    Policy(PolicyGrounds),
    /// A search.
    Search(Found),
}

impl From<PolicyGrounds> for Grounds {
    fn from(grounds: PolicyGrounds) -> Self {
        Self::Policy(grounds)
    }
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
