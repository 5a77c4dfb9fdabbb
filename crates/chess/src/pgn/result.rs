use super::super::{Color, Game, Status};
use lucena_base::named::named;

/// The result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// White has won.
    WhiteWins,
    /// Black has won.
    BlackWins,
    /// The game is drawn.
    Draw,
    /// The game is not over, or its result is unknown.
    Unknown,
}

named!(GameResult { "1-0": WhiteWins, "0-1": BlackWins, "1/2-1/2": Draw, "*": Unknown });

impl GameResult {
    /// The result of a game that a colour has won.
    pub fn won_by(winner: Color) -> Self {
        match winner {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// The result of a game by the rules: see [`Game::status`].
    pub fn by_rules(game: &Game) -> Self {
        match game.status() {
            Status::InProgress => Self::Unknown,
            Status::Checkmate { winner } => Self::won_by(winner),
            _ => Self::Draw,
        }
    }
}
