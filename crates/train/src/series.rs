//! A learner that plays game after game against an opponent and learns after every one.

mod learner;

pub use learner::SeriesLearner;

use super::checkpoint::{TrainError, load_checkpoint};
use super::error::SettingError;
use super::learner_game::{AfterMove, SeriesGame};
use super::score::GameScore;
use super::series_record::{ColorOrder, SeriesRecord};
use super::setting::OtherSetting;
use learner::Pairing;
use lucena_base::plural::grouped;
use lucena_base::progress::{Observer, Progress, Stopped, timed};
use lucena_chess::{Color, Game};
use lucena_files::{is_stream, update_file, write_file};
use lucena_play::arena::{Entrant, Tally};
use lucena_play::{Forfeit, Player};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A series of games of a learner against an opponent.
///
/// ```
/// use lucena_chess::Game;
/// use lucena_play::RandomPlayer;
/// use lucena_train::{
///     BoardEncoding, ColorOrder, LookAhead, PublishedParams, PublishedWeights, Series, SeriesLearner,
/// };
/// use lucena_base::progress::NoObserver;
///
/// let params = PublishedParams::usual(LookAhead::OnePly, BoardEncoding::Program);
/// let learner = SeriesLearner::Published(Box::new(PublishedWeights::new(params)?));
/// let mut series = Series::new(learner, "random".into(), ColorOrder::White, Game::new())?;
/// series.play_next(&mut RandomPlayer::new(1), &NoObserver, &mut |_, _| Ok(()))?;
/// assert_eq!(series.record().games(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Series {
    learner: SeriesLearner,
    record: SeriesRecord,
    start: Game,
}

/// The games to play in a series, and where the learner is kept.
#[derive(Clone, Copy)]
pub struct SeriesPlan<'a> {
    /// The number of games that the series has at the end.
    pub games: u64,
    /// The opponent.
    pub opponent: &'a dyn Entrant,
    /// The least time for a move.
    pub least: Duration,
    /// The file to which the learner is written regularly, at the end, and when the work is stopped.
    pub path: Option<&'a Path>,
}

/// An event of a series, for those who watch.
#[derive(Debug)]
pub enum SeriesEvent<'a> {
    /// A position has come onto the board: the first of a game, or the next one.
    Position {
        /// The number of the game, from 1.
        number: u64,
        /// The learner's colour.
        color: Color,
        /// The game so far.
        game: &'a Game,
        /// True if it is over.
        is_over: bool,
    },
    /// A game has ended, and the learner has learned from it.
    End {
        /// The number of the game, from 1.
        number: u64,
        /// The learner's colour.
        color: Color,
        /// The game.
        played: &'a SeriesGame,
        /// All games so far.
        record: &'a SeriesRecord,
    },
}

/// The longest sleep between two checks whether the observer wants to stop.
const NAP: Duration = Duration::from_millis(20);

/// The time of a series over the time in which its file is written, at least.
const WRITING: u32 = 50;

impl Series {
    /// A series without games.
    ///
    /// # Errors
    /// If a setting is out of its range, or the game is already over in the position from which the
    /// games start.
    pub fn new(
        learner: SeriesLearner,
        opponent: String,
        colors: ColorOrder,
        start: Game,
    ) -> Result<Self, SettingError> {
        learner.check()?;
        let record = SeriesRecord::new(opponent, colors, &start)?;
        Ok(Self { learner, record, start })
    }

    /// Distinguishes opponents of the same name by the settings with which they play.
    #[must_use]
    pub fn with_settings_of(mut self, opponent: &dyn Entrant) -> Self {
        self.record.settings = Some(opponent.settings()).filter(|text| *text != opponent.name());
        self
    }

    /// Continues with the games in a file, if there is such a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is from a different training.
    pub fn resumed(self, path: Option<&Path>) -> Result<Self, TrainError> {
        let settings = |learner: &SeriesLearner, record: Option<&SeriesRecord>| {
            let conditions = SeriesRecord::settings(record);
            [learner.settings(), conditions.into()].concat()
        };
        let difference = |found: &SeriesLearner| {
            let wanted = settings(&self.learner, Some(&self.record));
            OtherSetting::between(settings(found, found.series()), wanted)
        };
        let parse = |bytes: &[u8]| self.learner.read_like(bytes);
        let found = load_checkpoint(path, parse, difference)?;
        let record = found.as_ref().and_then(|found| found.series().cloned());
        Ok(match (found, record) {
            (Some(learner), Some(record)) => {
                let learner = learner.with_games_of(&self.learner);
                Self { learner, record, ..self }
            }
            _ => self,
        })
    }

    /// The games so far.
    pub fn record(&self) -> &SeriesRecord {
        &self.record
    }

    /// The learner as it is now, with the record of its games.
    pub fn learner(&self) -> SeriesLearner {
        self.learner.clone().with_series(self.record.clone())
    }

    /// Plays the next game and learns from it. `after_move` is called with every position, the first
    /// one too.
    ///
    /// # Errors
    /// If the game was stopped, or the opponent can no longer play. The game does not count then.
    pub fn play_next(
        &mut self,
        opponent: &mut dyn Player,
        observer: &dyn Observer,
        after_move: &mut AfterMove<'_>,
    ) -> Result<SeriesGame, Forfeit> {
        let (rng, color) = (self.stream(), self.record.next_color());
        let pairing = Pairing { color, start: &self.start, observer, rng };
        let played = self.learner.play(&pairing, opponent, after_move)?;
        self.record.add(played.score);
        Ok(played)
    }

    /// Plays until the series has all its games. `watch` sees it as it goes.
    ///
    /// # Errors
    /// If no games are requested, the file cannot be written, the opponent can no longer play, or
    /// the work was stopped. The games that have ended are in the file.
    pub fn run(
        &mut self,
        plan: &SeriesPlan<'_>,
        observer: &dyn Observer,
        watch: &mut dyn FnMut(SeriesEvent<'_>),
    ) -> Result<(), TrainError> {
        if plan.games == 0 {
            return Err(SettingError::NoGames.into());
        }
        let outcome = self.play_all(plan, observer, watch);
        self.keep(plan.path)?;
        outcome
    }

    /// Plays the games that are left.
    fn play_all(
        &mut self,
        plan: &SeriesPlan<'_>,
        observer: &dyn Observer,
        watch: &mut dyn FnMut(SeriesEvent<'_>),
    ) -> Result<(), TrainError> {
        let (begun, mut writing) = (Instant::now(), Duration::ZERO);
        self.report(plan.games, observer);
        while self.record.games() < plan.games {
            self.play_against(plan, observer, watch)?;
            tell(&self.record, observer);
            self.report(plan.games, observer);
            if writing * WRITING <= begun.elapsed() {
                let update = |path| update_file(path, &self.learner().to_bytes());
                let (kept, seconds) = timed(|| plan.path.map_or(Ok(()), update));
                kept?;
                writing += Duration::from_secs_f64(seconds);
            }
        }
        Ok(())
    }

    /// Plays a game against a new player of the opponent.
    fn play_against(
        &mut self,
        &SeriesPlan { opponent, least, path, .. }: &SeriesPlan<'_>,
        observer: &dyn Observer,
        watch: &mut dyn FnMut(SeriesEvent<'_>),
    ) -> Result<(), TrainError> {
        observer.check()?;
        let (number, color) = (self.record.games() + 1, self.record.next_color());
        let mut player = opponent.seat(self.stream().r#gen())?;
        let (mut moved, before) = (Instant::now(), self.learner.clone());
        let mut after_move = |game: &Game, score: Option<GameScore>| {
            if game.history().len() > 0 {
                rest(least.saturating_sub(moved.elapsed()), observer)?;
            }
            watch(SeriesEvent::Position { number, color, game, is_over: score.is_some() });
            moved = Instant::now();
            Ok(())
        };
        let played = self.play_next(&mut *player, observer, &mut after_move);
        // A file that can no longer be read is no fault of the player.
        opponent.check_readable()?;
        let played = played.map_err(|forfeit| match forfeit {
            Forfeit::Stopped(stopped) => TrainError::Stopped(stopped),
            forfeit => TrainError::Opponent { name: opponent.name(), forfeit },
        })?;
        if !self.learner.has_numbers() {
            self.learner = before;
            self.record.remove_last();
            let kept = path.filter(|path| !is_stream(path)).map(Path::to_path_buf);
            return Err(TrainError::Diverged { games: number, kept });
        }
        watch(SeriesEvent::End { number, color, played: &played, record: &self.record });
        Ok(())
    }

    /// Reports the results so far.
    fn report(&self, games: u64, observer: &dyn Observer) {
        let Tally { won, drawn, lost } = self.record.tally();
        let [won, drawn, lost] = [won, drawn, lost].map(grouped);
        let what = format!("games ({won} won, {drawn} drawn, {lost} lost)");
        observer.report(Progress { what: &what, done: self.record.games(), total: Some(games) });
    }

    /// The random stream of the next game.
    fn stream(&self) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.learner.seed());
        rng.set_stream(self.record.games());
        rng
    }

    fn keep(&self, path: Option<&Path>) -> Result<(), TrainError> {
        if let Some(path) = path {
            write_file(path, &self.learner().to_bytes())?;
        }
        Ok(())
    }
}

/// Reports the share of points so far and in the last ten games.
fn tell(record: &SeriesRecord, observer: &dyn Observer) {
    observer.point(&[
        ("games", record.games() as f64),
        ("points so far, %", 100.0 * record.tally().score().unwrap_or(0.0)),
        ("points of the last ten, %", 100.0 * record.last_ten(record.games())),
    ]);
}

/// Waits, unless the observer stops the work.
fn rest(time: Duration, observer: &dyn Observer) -> Result<(), Stopped> {
    let begun = Instant::now();
    loop {
        let left = time.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Ok(());
        }
        observer.check()?;
        sleep(left.min(NAP));
    }
}
