use lucena_base::named::{Named, named};
use lucena_chess::{Color, Status};
use lucena_play::arena::Tally;

/// The result of a game for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameScore {
    /// The player has checkmated.
    Won,
    /// Neither player has checkmated.
    Drawn,
    /// The player was checkmated.
    Lost,
}

named!(GameScore { "won": Won, "drawn": Drawn, "lost": Lost });

impl GameScore {
    /// 1, ½ or 0.
    pub fn points(self) -> f32 {
        match self {
            Self::Won => 1.0,
            Self::Drawn => 0.5,
            Self::Lost => 0.0,
        }
    }

    /// The first letter of its name.
    pub(super) fn letter(self) -> char {
        self.name().chars().next().expect("names are not empty")
    }

    /// The score whose name begins with a letter.
    pub(super) fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.iter().map(|&(_, score)| score).find(|score| score.letter() == letter)
    }

    /// The score of a player, from the status of a finished game.
    pub fn from_status(status: Status, player: Color) -> Self {
        match status {
            Status::Checkmate { winner } if winner == player => Self::Won,
            Status::Checkmate { .. } => Self::Lost,
            _ => Self::Drawn,
        }
    }
}

impl FromIterator<GameScore> for Tally {
    /// Counts scores.
    fn from_iter<I: IntoIterator<Item = GameScore>>(scores: I) -> Self {
        let mut tally = Self::default();
        for score in scores {
            match score {
                GameScore::Won => tally.won += 1,
                GameScore::Drawn => tally.drawn += 1,
                GameScore::Lost => tally.lost += 1,
            }
        }
        tally
    }
}
