use crate::Forfeit;
use lucena_base::named::named;
use lucena_chess::Status;

/// The way in which a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// Insufficient material to mate.
    InsufficientMaterial,
    /// Fifty moves without a capture or a pawn move.
    FiftyMoves,
    /// Threefold repetition.
    ThreefoldRepetition,
    /// The limit on the number of moves; the game is a draw.
    MoveLimit,
    /// A player returned no move although there was one, and has lost.
    NoMove,
    /// A player returned an illegal move, and has lost.
    IllegalMove,
    /// A player's time ran out, and it has lost.
    OutOfTime,
    /// A player did not answer for so long that it was killed, and has lost.
    Stalled,
    /// A player's program ended during the game, and it has lost.
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
    /// The value of PGN's Termination tag for this end.
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

    /// The end of a game that a player has forfeited.
    pub(super) fn by_forfeit(forfeit: &Forfeit) -> Self {
        match forfeit {
            Forfeit::NoMove => Self::NoMove,
            Forfeit::Illegal(_) => Self::IllegalMove,
            Forfeit::Stalled(_) | Forfeit::Deaf => Self::Stalled,
            Forfeit::Crashed(_) => Self::Crashed,
        }
    }

    /// Returns true if a player has lost by a fault of its own other than on time.
    ///
    /// ```
    /// use lucena_play::arena::End;
    ///
    /// assert!(End::Crashed.is_fault() && !End::Checkmate.is_fault());
    /// ```
    pub fn is_fault(self) -> bool {
        matches!(self, Self::NoMove | Self::IllegalMove | Self::Stalled | Self::Crashed)
    }

    /// The end of a game by the rules; `None` if it is in progress.
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
