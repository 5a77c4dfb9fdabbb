//! Training that is kept in a file while it goes on, and goes on from there.

use super::error::SettingError;
use super::file::ParseTrainedError;
use super::score::Score;
use lucena_base::work::{Progress, Stopped, Watch};
use lucena_files::{LoadError, WriteError, load, write_file};
use std::path::{Path, PathBuf};

/// What learns in rounds of games.
pub trait Learner {
    /// How many games have been played.
    fn games_done(&self) -> u64;

    /// How many games are to be played.
    fn games(&self) -> u64;

    /// Plays some games and learns from them; what those came to that were not against itself, for who
    /// learns, in their order.
    fn round(&mut self) -> Vec<Score>;

    /// All that is needed to go on from here, as a file.
    fn to_bytes(&self) -> Vec<u8>;
}

/// Why training came to nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// It makes no sense as it was asked for.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// What is to be gone on from cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError<ParseTrainedError>),
    /// The file is of another training.
    #[error("{} holds weights that were trained in another way, and would be lost: write to another file, or take that one away", .0.display())]
    OtherTraining(PathBuf),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Whoever watched did not want to wait. What has been learned so far is in the file.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// After so many rounds the file is written.
const ROUNDS: u64 = 20;

/// Plays all games that are left. With a file, what has been learned is written to it at the end,
/// when the work is stopped, and now and then.
///
/// # Errors
/// When the file cannot be written, or the work was stopped.
pub fn train(
    learner: &mut dyn Learner,
    path: Option<&Path>,
    watch: &dyn Watch,
) -> Result<(), TrainError> {
    let keep = |learner: &dyn Learner| match path {
        Some(path) => write_file(path, &learner.to_bytes()).map(|_| ()),
        None => Ok(()),
    };
    let mut rounds = 0;
    while learner.games_done() < learner.games() {
        if let Err(stopped) = watch.go_on() {
            keep(learner)?;
            return Err(stopped.into());
        }
        let scores = learner.round();
        rounds += 1;
        if rounds % ROUNDS == 0 {
            keep(learner)?;
        }
        let (done, total) = (learner.games_done(), Some(learner.games()));
        watch.tell(Progress { what: "games", done, total });
        tell_scores(&scores, done, watch);
    }
    Ok(keep(learner)?)
}

/// Tells how much was won, of a round and of its last ten games.
fn tell_scores(scores: &[Score], done: u64, watch: &dyn Watch) {
    let share = |scores: &[Score]| {
        let won = scores.iter().filter(|score| **score == Score::Won).count();
        100.0 * won as f64 / scores.len() as f64
    };
    if !scores.is_empty() {
        let last = &scores[scores.len().saturating_sub(10)..];
        let point = [
            ("games", done as f64),
            ("won, %", share(scores)),
            ("won of the last ten, %", share(last)),
        ];
        watch.point(&point);
    }
}

/// What was kept in a file by the same training; nothing where there is no file yet.
pub(super) fn kept<W>(
    path: Option<&Path>,
    parse: impl FnOnce(&[u8]) -> Result<W, ParseTrainedError>,
    is_the_same: impl FnOnce(&W) -> bool,
) -> Result<Option<W>, TrainError> {
    let Some(path) = path.filter(|path| path.exists()) else { return Ok(None) };
    let weights = load(path, parse)?;
    if is_the_same(&weights) {
        Ok(Some(weights))
    } else {
        Err(TrainError::OtherTraining(path.into()))
    }
}
