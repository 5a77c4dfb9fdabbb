use super::super::error::{ParseWeightsFileError, SettingError};
use super::super::full_game::{ChessWeights, LearnedLookAhead, LearnedSeat};
use super::super::learner_game::{AfterMove, SeriesGame, play_game};
use super::super::published::PublishedWeights;
use super::super::series_record::SeriesRecord;
use super::super::setting::Setting;
use super::super::td_player::TdSeat;
use lucena_base::progress::Observer;
use lucena_chess::{Color, Game};
use lucena_play::{Forfeit, Player};
use rand_chacha::ChaCha8Rng;

/// A player that learns after every game of a series.
#[derive(Debug, Clone)]
pub enum SeriesLearner {
    /// The published network. As published, a game is also drawn after *fifty moves since the last
    /// capture*, and repetition is ignored.
    Published(Box<PublishedWeights>),
    /// The improved player, which plays by the rules of chess and learns from the moves of both
    /// sides.
    Improved {
        /// Its weights.
        weights: Box<ChessWeights>,
        /// Its look-ahead.
        plies: LearnedLookAhead,
    },
}

impl SeriesLearner {
    /// Checks that the settings suit a series.
    pub(super) fn check(&self) -> Result<(), SettingError> {
        match self {
            Self::Published(weights) => weights.params().check(),
            Self::Improved { weights, .. } => weights.params().check(),
        }
    }

    /// The seed of the opponents and of random moves.
    pub(super) fn seed(&self) -> u64 {
        match self {
            Self::Published(weights) => weights.params().seed,
            Self::Improved { weights, .. } => weights.params().seed,
        }
    }

    /// The games that the weights were learned from.
    pub(super) fn series(&self) -> Option<&SeriesRecord> {
        match self {
            Self::Published(weights) => weights.series(),
            Self::Improved { weights, .. } => weights.series(),
        }
    }

    /// The settings, apart from the number of games, of which there may be more later.
    pub(super) fn settings(&self) -> Vec<Setting> {
        match self {
            Self::Published(weights) => weights.params().settings().into(),
            Self::Improved { weights, plies } => {
                let settings = weights.params().settings();
                settings.into_iter().chain([Setting::new("look-ahead in plies", plies)]).collect()
            }
        }
    }

    /// The learner with the number of games of another.
    #[must_use]
    pub(super) fn with_games_of(self, other: &Self) -> Self {
        match (self, other) {
            (Self::Improved { mut weights, plies }, Self::Improved { weights: other, .. }) => {
                weights.set_games(other.params().games);
                Self::Improved { weights, plies }
            }
            (learner, _) => learner,
        }
    }

    /// The learner of the same kind in a file.
    pub(super) fn read_like(&self, bytes: &[u8]) -> Result<Self, ParseWeightsFileError> {
        Ok(match self {
            Self::Published(_) => Self::Published(Box::new(PublishedWeights::from_bytes(bytes)?)),
            Self::Improved { plies, .. } => {
                let weights = ChessWeights::from_bytes(bytes)?;
                let plies = weights.plies().unwrap_or(*plies);
                Self::Improved { weights: Box::new(weights), plies }
            }
        })
    }

    /// The learner with the record of its games.
    #[must_use]
    pub(super) fn with_series(self, record: SeriesRecord) -> Self {
        match self {
            Self::Published(weights) => Self::Published(Box::new(weights.with_series(record))),
            Self::Improved { weights, plies } => {
                Self::Improved { weights: Box::new(weights.with_series(record, plies)), plies }
            }
        }
    }

    /// The contents of the file, from which the learner plays and learns on.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Published(weights) => weights.to_bytes(),
            Self::Improved { weights, .. } => weights.to_bytes(),
        }
    }

    /// Returns true if all weights are numbers that can be added up.
    pub(super) fn has_numbers(&self) -> bool {
        match self {
            Self::Published(weights) => weights.network().weights().have_numbers(),
            Self::Improved { weights, .. } => weights.have_numbers(),
        }
    }

    /// Plays a game and learns from it.
    ///
    /// # Errors
    /// If the game was stopped, or the opponent can no longer play. Nothing is learned then.
    pub(super) fn play(
        &mut self,
        pairing: &Pairing<'_>,
        opponent: &mut dyn Player,
        after_move: &mut AfterMove<'_>,
    ) -> Result<SeriesGame, Forfeit> {
        let &Pairing { color, start, observer, ref rng } = pairing;
        match self {
            Self::Published(weights) => {
                let player = weights.player();
                let mut seat = TdSeat::new(&player, color);
                let played = play_game(&mut seat, color, start, opponent, observer, after_move)?;
                weights.learn(&seat.seen, played.score);
                Ok(played)
            }
            Self::Improved { weights, plies } => {
                let mut seat = LearnedSeat::new(weights, *plies, rng.clone());
                let played = play_game(&mut seat, color, start, opponent, observer, after_move)?;
                let episode = seat.finish(played.score, color);
                weights.learn_from_series(&episode);
                Ok(played)
            }
        }
    }
}

/// The circumstances of a game.
pub(super) struct Pairing<'a> {
    /// The learner's colour.
    pub(super) color: Color,
    pub(super) start: &'a Game,
    pub(super) observer: &'a dyn Observer,
    /// The source of the learner's random moves.
    pub(super) rng: ChaCha8Rng,
}
