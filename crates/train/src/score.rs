use lucena_base::named::named;
use lucena_chess::{Color, Status};

/// The result of a game for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// The player has checkmated.
    Won,
    /// Neither player has checkmated.
    Drawn,
    /// The player was checkmated.
    Lost,
}

named!(Score { "won": Won, "drawn": Drawn, "lost": Lost });

impl Score {
    /// 1, ½ or 0.
    pub fn points(self) -> f32 {
        match self {
            Self::Won => 1.0,
            Self::Drawn => 0.5,
            Self::Lost => 0.0,
        }
    }

    /// The score of a player, from the status of a finished game.
    pub fn of(status: Status, player: Color) -> Self {
        match status {
            Status::Checkmate { winner } if winner == player => Self::Won,
            Status::Checkmate { .. } => Self::Lost,
            _ => Self::Drawn,
        }
    }
}

/// The numbers of games won, drawn and lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

impl Tally {
    /// Counts scores.
    pub fn of(scores: impl IntoIterator<Item = Score>) -> Self {
        scores.into_iter().fold(Self::default(), |mut tally, score| {
            match score {
                Score::Won => tally.won += 1,
                Score::Drawn => tally.drawn += 1,
                Score::Lost => tally.lost += 1,
            }
            tally
        })
    }

    /// The number of games.
    pub fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// One point for each game won, a half for each drawn.
    pub fn points(self) -> f64 {
        self.won as f64 + self.drawn as f64 / 2.0
    }
}
