use super::super::{Color, Game, Status};
use lucena_base::named::named;

/// What a game came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// White has won.
    WhiteWins,
    /// Black has won.
    BlackWins,
    /// Nobody has won.
    Draw,
    /// It is not over, or nobody knows.
    Unknown,
}

named!(GameResult { "1-0": WhiteWins, "0-1": BlackWins, "1/2-1/2": Draw, "*": Unknown });

impl GameResult {
    /// A game that a colour has won.
    ///
    /// ```
    /// use lucena_chess::Color;
    /// use lucena_chess::pgn::GameResult;
    ///
    /// assert_eq!(GameResult::won_by(Color::Black).to_string(), "0-1");
    /// ```
    pub fn won_by(winner: Color) -> Self {
        match winner {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// What the rules say about a game: see [`Game::status`].
    pub fn by_rules(game: &Game) -> Self {
        match game.status() {
            Status::InProgress => Self::Unknown,
            Status::Checkmate { winner } => Self::won_by(winner),
            _ => Self::Draw,
        }
    }
}
