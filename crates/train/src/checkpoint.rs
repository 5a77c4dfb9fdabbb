//! Training with checkpoints: progress is saved to a file, and training resumes from it.

use super::error::{ParseRunsError, ParseWeightsFileError, SettingError, check_rate};
use super::score::GameScore;
use super::setting::{OtherSetting, Setting};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_files::{LoadError, WriteError, is_stream, load, update_file, write_file};
use lucena_play::Forfeit;
use lucena_play::arena::EntrantError;
use std::path::{Path, PathBuf};

/// A learner that plays games in rounds.
pub trait Learner {
    /// The number of games played so far.
    fn games_done(&self) -> u64;

    /// The number of games to play.
    fn games(&self) -> u64;

    /// Plays some games and learns from them. Returns the learner's scores in the games that were
    /// not against itself, in order.
    fn round(&mut self) -> Vec<GameScore>;

    /// Returns true if all weights are numbers that can be added up.
    fn has_numbers(&self) -> bool;

    /// Everything needed to resume training, as the bytes of a file.
    fn to_bytes(&self) -> Vec<u8>;
}

/// An error in training, or in trials of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// A setting is invalid.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// No runs of the trials were requested.
    #[error("0 runs show nothing: ask for at least 1")]
    NoRuns,
    /// The file to resume from cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError<ParseWeightsFileError>),
    /// The file of earlier runs cannot be read.
    #[error(transparent)]
    LoadRuns(#[from] LoadError<ParseRunsError>),
    /// The file is from a different training.
    #[error(
        "{path} holds weights from a different training, which would be lost ({setting}): write to another file, or remove that one"
    )]
    OtherTraining {
        /// The file.
        path: PathBuf,
        /// The first setting that differs.
        setting: OtherSetting,
    },
    /// The opponent cannot take part.
    #[error(transparent)]
    Entrant(#[from] EntrantError),
    /// The opponent can no longer play. The games that have ended are in the file.
    #[error("{name} can no longer play: {forfeit}")]
    Opponent {
        /// The opponent.
        name: String,
        /// The reason.
        forfeit: Forfeit,
    },
    /// The weights have grown beyond all bounds. The file keeps the weights from before.
    #[error(
        "after {games} games the weights have grown beyond all numbers: lower the learning rate{}",
        way_on(.kept.as_deref())
    )]
    Diverged {
        /// The number of games played.
        games: u64,
        /// The file with the last usable weights, if there is one.
        kept: Option<PathBuf>,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The observer stopped the work. The progress so far, or the runs that have ended, are in the file.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Says where the last usable weights are.
fn way_on(path: Option<&Path>) -> String {
    path.map_or_else(String::new, |path| {
        format!("; {} keeps earlier weights, from which training can start", path.display())
    })
}

/// The number of rounds between two checkpoints.
const ROUNDS: u64 = 20;

/// Plays all remaining games. With a file, progress is written to it regularly, at the end, and
/// when the work is stopped; a pipe or a device is written once.
///
/// # Errors
/// If the file cannot be written, the work was stopped, or the weights grow beyond all numbers.
pub fn train(
    learner: &mut dyn Learner,
    path: Option<&Path>,
    observer: &dyn Observer,
) -> Result<(), TrainError> {
    let keep = |learner: &dyn Learner| match path {
        Some(path) => write_file(path, &learner.to_bytes()).map(drop),
        None => Ok(()),
    };
    let mut rounds = 0;
    while learner.games_done() < learner.games() {
        if let Err(stopped) = observer.check() {
            keep(learner)?;
            return Err(stopped.into());
        }
        let scores = learner.round();
        if !learner.has_numbers() {
            let kept = path.filter(is_file).map(Path::to_path_buf);
            return Err(TrainError::Diverged { games: learner.games_done(), kept });
        }
        rounds += 1;
        if let (Some(path), 0) = (path, rounds % ROUNDS) {
            update_file(path, &learner.to_bytes())?;
        }
        let (done, total) = (learner.games_done(), Some(learner.games()));
        observer.report(Progress { what: "games", done, total });
        tell_scores(&scores, done, observer);
    }
    Ok(keep(learner)?)
}

/// Reports the share of games won, in a round and in its last ten games.
fn tell_scores(scores: &[GameScore], done: u64, observer: &dyn Observer) {
    let share = |scores: &[GameScore]| {
        let won = scores.iter().filter(|score| **score == GameScore::Won).count();
        100.0 * won as f64 / scores.len() as f64
    };
    if !scores.is_empty() {
        let last = &scores[scores.len().saturating_sub(10)..];
        let point = [
            ("games", done as f64),
            ("won, %", share(scores)),
            ("won of the last ten, %", share(last)),
        ];
        observer.point(&point);
    }
}

/// Returns true if a file is there from which training can continue.
fn is_file(path: &&Path) -> bool {
    path.exists() && !is_stream(path)
}

/// Loads the checkpoint of the same training; `None` if there is no file yet. `difference` finds a setting in which a
/// checkpoint is from another.
pub(super) fn load_checkpoint<W>(
    path: Option<&Path>,
    parse: impl FnOnce(&[u8]) -> Result<W, ParseWeightsFileError>,
    difference: impl FnOnce(&W) -> Option<OtherSetting>,
) -> Result<Option<W>, TrainError> {
    let Some(path) = path.filter(is_file) else { return Ok(None) };
    let weights = load(path, parse)?;
    match difference(&weights) {
        None => Ok(Some(weights)),
        Some(setting) => Err(TrainError::OtherTraining { path: path.into(), setting }),
    }
}

/// A learning rate that decays exponentially from the first value to the last.
///
/// ```
/// use lucena_train::DecayingRate;
///
/// let rate = DecayingRate { first: 0.4, last: 0.1 };
/// assert_eq!(rate.at(0.0), 0.4);
/// assert!((rate.at(0.5) - 0.2).abs() < 1e-12);
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct DecayingRate {
    /// The rate at the start.
    pub first: f64,
    /// The rate at the end.
    pub last: f64,
}

impl DecayingRate {
    /// The rate after a share of the work, from 0 to 1.
    pub fn at(self, share: f64) -> f64 {
        self.first * libm::pow(self.last / self.first, share)
    }

    /// Both rates as settings.
    pub(super) fn settings(self) -> [Setting; 2] {
        let Self { first, last } = self;
        [
            Setting::new("learning rate at the start", first),
            Setting::new("learning rate at the end", last),
        ]
    }

    pub(super) fn check(self) -> Result<(), SettingError> {
        check_rate(self.first)?;
        check_rate(self.last)
    }
}
