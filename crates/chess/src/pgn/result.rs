use super::super::move_text::is_dash;
use super::super::{Color, Game, Status};
use lucena_base::named::named;
use lucena_base::text::is_space;

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
    /// Reads a result as people write it, also with other dashes, colons, spaces or halves: `1:0`, `½-½`, `1/2`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let plain = |letter: char| match letter {
            dash if is_dash(dash) => '-',
            ':' => '-',
            other => other,
        };
        let text: String = text.chars().filter(|letter| !is_space(*letter)).map(plain).collect();
        match text.replace('½', "1/2").as_str() {
            "1/2" => Some(Self::Draw),
            text => text.parse().ok(),
        }
    }

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
