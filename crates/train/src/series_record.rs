use super::error::{ParseWeightsFileError, SettingError};
use super::score::GameScore;
use super::setting::Setting;
use lucena_base::named::{Named, named};
use lucena_chess::{Color, Game};
use lucena_play::arena::Tally;
use serde::{Deserialize, Serialize};

/// The colours of a learner, game after game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ColorOrder {
    /// White in the first game, Black in the second, and so on.
    #[default]
    Alternate,
    /// White in every game.
    White,
    /// Black in every game.
    Black,
}

named!(ColorOrder { "alternate": Alternate, "white": White, "black": Black });

impl ColorOrder {
    /// The learner's colour in a game; the first has the number 0.
    pub fn in_game(self, number: u64) -> Color {
        match self {
            Self::Alternate if number % 2 == 1 => Color::Black,
            Self::Alternate | Self::White => Color::White,
            Self::Black => Color::Black,
        }
    }
}

/// The games of a learner against an opponent.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesRecord {
    /// The name of the opponent.
    pub opponent: String,
    /// The settings with which the opponent plays; `None` if its name contains them.
    pub settings: Option<String>,
    /// The learner's colours.
    pub colors: ColorOrder,
    /// The position from which the games start, as a FEN; `None` for the initial position.
    pub start: Option<String>,
    scores: Vec<GameScore>,
    /// The count of the scores.
    tally: Tally,
}

/// A record as it stands in a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawSeriesRecord {
    opponent: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    settings: Option<String>,
    colors: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// A letter for each game: w, d or l.
    scores: String,
}

impl SeriesRecord {
    /// A record without games.
    ///
    /// # Errors
    /// If the game is already over in the position from which the games start.
    pub fn new(opponent: String, colors: ColorOrder, start: &Game) -> Result<Self, SettingError> {
        if start.status().is_over() {
            return Err(SettingError::OverAtStart(start.to_string()));
        }
        let fen = start.to_string();
        let start = (fen != Game::new().to_string()).then_some(fen);
        let (settings, scores, tally) = (None, Vec::new(), Tally::default());
        Ok(Self { opponent, settings, colors, start, scores, tally })
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.scores.len() as u64
    }

    /// The learner's colour in the next game.
    pub fn next_color(&self) -> Color {
        self.colors.in_game(self.games())
    }

    /// The learner's scores, in the order of the games.
    pub fn scores(&self) -> &[GameScore] {
        &self.scores
    }

    /// The games won, drawn and lost.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Removes the last game.
    pub(crate) fn remove_last(&mut self) {
        self.scores.pop();
        self.tally = self.scores.iter().copied().collect();
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, score: GameScore) {
        self.scores.push(score);
        self.tally += [score].into_iter().collect();
    }

    /// The share of points in the ten games that end with the game of this number, from 0 to 1; in
    /// fewer if there are no ten, and 0 without games.
    ///
    /// # Panics
    /// If there are fewer games.
    pub fn last_ten(&self, number: u64) -> f64 {
        let end = number as usize;
        let last: Tally = self.scores[end.saturating_sub(10)..end].iter().copied().collect();
        last.score().unwrap_or(0.0)
    }

    /// The conditions of the games; without a record, those of a learner that plays against itself.
    pub(crate) fn settings(record: Option<&Self>) -> [Setting; 4] {
        let (opponent, settings) = match record {
            Some(Self { opponent, settings, .. }) => (opponent.as_str(), settings.as_deref()),
            None => ("the learner itself", None),
        };
        let start = record.and_then(|record| record.start.as_deref());
        [
            Setting::new("opponent", opponent),
            Setting::new("opponent's program", settings.unwrap_or(opponent)),
            Setting::new(
                "order of colours",
                record.map(|record| record.colors).unwrap_or_default(),
            ),
            Setting::new("first position", start.unwrap_or("the initial one")),
        ]
    }

    pub(crate) fn raw(&self) -> RawSeriesRecord {
        RawSeriesRecord {
            opponent: self.opponent.clone(),
            settings: self.settings.clone(),
            colors: self.colors.name().into(),
            start: self.start.clone(),
            scores: self.scores.iter().map(|score| score.letter()).collect(),
        }
    }

    pub(crate) fn from_raw(raw: RawSeriesRecord) -> Result<Self, ParseWeightsFileError> {
        let RawSeriesRecord { opponent, settings, colors, start, scores } = raw;
        let score =
            |letter| GameScore::of_letter(letter).ok_or(ParseWeightsFileError::Score(letter));
        let scores = scores.chars().map(score).collect::<Result<Vec<GameScore>, _>>()?;
        let tally = scores.iter().copied().collect();
        Ok(Self { opponent, settings, colors: colors.parse()?, start, scores, tally })
    }
}
