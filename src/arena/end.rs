use crate::chess::Status;
use crate::named::named;

/// What ended a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// Mate.
    Checkmate,
    /// No legal move, and no check.
    Stalemate,
    /// No men are left to mate with.
    InsufficientMaterial,
    /// Fifty moves without a capture or a pawn move.
    FiftyMoves,
    /// The same position for the third time.
    ThreefoldRepetition,
    /// So many moves that the game was called a draw.
    MoveLimit,
    /// A player had no legal move to offer although there was one: it has lost.
    NoMove,
    /// A player's time ran out: it has lost.
    OutOfTime,
}

named!(End {
    "checkmate": Checkmate,
    "stalemate": Stalemate,
    "insufficient material": InsufficientMaterial,
    "fifty moves": FiftyMoves,
    "threefold repetition": ThreefoldRepetition,
    "move limit": MoveLimit,
    "no move": NoMove,
    "out of time": OutOfTime,
});

impl End {
    /// What the rules end a game by; nothing where it goes on.
    pub fn by_rules(status: Status) -> Option<Self> {
        match status {
            Status::InProgress => None,
            Status::Checkmate { .. } => Some(Self::Checkmate),
            Status::Stalemate => Some(Self::Stalemate),
            Status::InsufficientMaterial => Some(Self::InsufficientMaterial),
            Status::FiftyMoves => Some(Self::FiftyMoves),
            Status::ThreefoldRepetition => Some(Self::ThreefoldRepetition),
        }
    }
}
