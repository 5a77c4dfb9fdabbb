use lucena_chess::Move;
use lucena_proof::policy::PolicyGrounds;
use lucena_search::Found;

/// A move, and the basis of its choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// The basis of the choice.
    pub grounds: Grounds,
}

/// The reason for a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grounds {
    /// Unknown: the player does not tell.
    Unstated,
    /// An opening book.
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
    /// The player has no move.
    #[error("it has no move to offer")]
    NoMove,
    /// Its move is illegal.
    #[error("it offers {0:?}, which is no legal move")]
    Illegal(String),
    /// The player made no move within a time limit.
    #[error("it gave no move within {0} ms and was stopped")]
    Stalled(u128),
    /// The player does not read its input.
    #[error("it does not read its input and was stopped")]
    Deaf,
    /// The player exited during the game.
    #[error("it has ended: {0}")]
    Crashed(String),
}
