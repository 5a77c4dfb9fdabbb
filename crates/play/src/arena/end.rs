use crate::Forfeit;
use lucena_base::named::named;
use lucena_chess::Status;

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
    /// A player had no move to offer although there was one: it has lost.
    NoMove,
    /// What a player offered was no legal move: it has lost.
    IllegalMove,
    /// A player's time ran out: it has lost.
    OutOfTime,
    /// A player said nothing for so long that it was ended: it has lost.
    Stalled,
    /// A player ended in the midst of the game: it has lost.
    Crashed,
}

named!(End {
    "checkmate": Checkmate,
    "stalemate": Stalemate,
    "insufficient material": InsufficientMaterial,
    "fifty moves": FiftyMoves,
    "threefold repetition": ThreefoldRepetition,
    "move limit": MoveLimit,
    "no move": NoMove,
    "illegal move": IllegalMove,
    "out of time": OutOfTime,
    "stalled": Stalled,
    "crashed": Crashed,
});

impl End {
    /// The same in the words that PGN has for it, in its tag Termination.
    ///
    /// ```
    /// use lucena::arena::End;
    ///
    /// assert_eq!(End::Stalled.termination(), "abandoned");
    /// assert_eq!(End::FiftyMoves.termination(), "normal");
    /// ```
    pub fn termination(self) -> &'static str {
        match self {
            Self::Checkmate
            | Self::Stalemate
            | Self::InsufficientMaterial
            | Self::FiftyMoves
            | Self::ThreefoldRepetition => "normal",
            Self::MoveLimit => "adjudication",
            Self::NoMove | Self::IllegalMove => "rules infraction",
            Self::OutOfTime => "time forfeit",
            Self::Stalled | Self::Crashed => "abandoned",
        }
    }

    /// What a player has lost by that makes no move.
    pub(super) fn by_forfeit(forfeit: &Forfeit) -> Self {
        match forfeit {
            Forfeit::NoMove => Self::NoMove,
            Forfeit::Illegal(_) => Self::IllegalMove,
            Forfeit::Stalled(_) | Forfeit::Deaf => Self::Stalled,
            Forfeit::Crashed(_) => Self::Crashed,
        }
    }

    /// Whether a player has lost by its own fault, the clock left aside.
    ///
    /// ```
    /// use lucena::arena::End;
    ///
    /// assert!(End::Crashed.is_fault() && !End::Checkmate.is_fault());
    /// ```
    pub fn is_fault(self) -> bool {
        matches!(self, Self::NoMove | Self::IllegalMove | Self::Stalled | Self::Crashed)
    }

    /// How the rules end a game; nothing where it goes on.
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
