use lucena_base::named::named;
use lucena_chess::{Color, Status};

/// What a game has come to for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// It has mated.
    Won,
    /// Nobody has.
    Drawn,
    /// It was mated.
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

    /// For a player, by how a game that is over stands.
    pub(super) fn of(status: Status, player: Color) -> Self {
        match status {
            Status::Checkmate { winner } if winner == player => Self::Won,
            Status::Checkmate { .. } => Self::Lost,
            _ => Self::Drawn,
        }
    }
}

/// How many games were won, drawn and lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Won.
    pub won: u64,
    /// Drawn.
    pub drawn: u64,
    /// Lost.
    pub lost: u64,
}

impl Tally {
    /// Counts scores.
    ///
    /// ```
    /// use lucena::train::{Score, Tally};
    ///
    /// let tally = Tally::of([Score::Won, Score::Drawn, Score::Won]);
    /// assert_eq!((tally.won, tally.drawn, tally.lost, tally.points()), (2, 1, 0, 2.5));
    /// ```
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

    /// How many games there were.
    pub fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// One for each game won, a half for each drawn.
    pub fn points(self) -> f64 {
        self.won as f64 + self.drawn as f64 / 2.0
    }
}
