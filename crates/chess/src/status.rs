//! The status of a game, and the rules by which it ends in a draw.

use super::{Bitboard, Color, Position, Role};
use std::fmt;

/// The fifty-move rule, in plies: a game is drawn after this many without a capture or a pawn move.
pub const FIFTY_MOVE_PLIES: u16 = 100;

/// The status of a game. A draw that a player could claim ends the game at once.
///
/// ```
/// use lucena_chess::{Color, Game, Status};
///
/// let game: Game = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1".parse()?;
/// assert_eq!(game.status(), Status::Checkmate { winner: Color::White });
/// assert_eq!(game.status().to_string(), "Checkmate. White wins.");
/// # Ok::<(), lucena_chess::FenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The game goes on.
    InProgress,
    /// The side to move is checkmated.
    Checkmate {
        /// The side that has mated.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The men left cannot mate even with the opponent's help: bare kings, kings and one knight, or
    /// kings and any number of bishops on squares of one colour.
    InsufficientMaterial,
    /// The position has occurred for the third time: the same men on the same squares, the same side to
    /// move, the same castling and en passant rights.
    ThreefoldRepetition,
    /// [`FIFTY_MOVE_PLIES`] plies have been played without a capture or a pawn move.
    FiftyMoves,
}

impl Status {
    /// Returns true if the game has ended.
    pub fn is_over(self) -> bool {
        self != Self::InProgress
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InProgress => "The game goes on.",
            Self::Checkmate { winner } => return write!(f, "Checkmate. {winner:?} wins."),
            Self::Stalemate => "Stalemate: a draw.",
            Self::InsufficientMaterial => "No men are left to mate with: a draw.",
            Self::ThreefoldRepetition => "The same position for the third time: a draw.",
            Self::FiftyMoves => "Fifty moves without a capture or a pawn move: a draw.",
        })
    }
}

impl Position {
    /// Returns true if neither side can ever be mated: see [`Status::InsufficientMaterial`].
    pub fn is_insufficient_material(&self) -> bool {
        is_insufficient(|role| {
            self.men().filter(|(man, _)| man.role == role).map(|(_, square)| square).collect()
        })
    }
}

/// Returns true if neither side can ever be mated; `men_of` returns the squares of a role's men.
pub fn is_insufficient(men_of: impl Fn(Role) -> Bitboard) -> bool {
    if [Role::Pawn, Role::Rook, Role::Queen].into_iter().any(|role| !men_of(role).is_empty()) {
        return false;
    }
    let bishops = men_of(Role::Bishop);
    match men_of(Role::Knight).len() {
        0 => [Bitboard::DARK_SQUARES, Bitboard::LIGHT_SQUARES]
            .into_iter()
            .any(|color| bishops.is_subset(color)),
        1 => bishops.is_empty(),
        _ => false,
    }
}
