//! Many runs of trials in parallel, saved to a file as they end.

use super::score::Score;
use super::trial::{Trial, TrialError};
use lucena_base::named::Named;
use lucena_base::work::{Stopped, Watch, Whole};
use lucena_files::{LoadError, WriteError, load, write_file};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The runs of a trial: the score of each game of each run, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialRuns {
    /// The trial.
    pub trial: Trial,
    /// One run for each seed, from the first seed on.
    pub runs: Vec<Vec<Score>>,
}

/// An error that leaves trials without a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrialsError {
    /// A trial failed.
    #[error(transparent)]
    Trial(#[from] TrialError),
    /// No runs were requested.
    #[error("0 runs show nothing: ask for at least 1")]
    NoRuns,
    /// The file of earlier runs cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError<ParseRunsError>),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The observer stopped the work. The runs that have ended are in the file.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The file does not contain runs of trials.
#[derive(Debug, thiserror::Error)]
#[error(
    "it is not a file of trial runs: line {line} is not trial,seed,scores; remove the file, or name another"
)]
pub struct ParseRunsError {
    line: usize,
}

/// Scores by the text of the trial and the seed.
type Kept = BTreeMap<(String, u64), Vec<Score>>;

/// Runs each trial with the seeds `first`, `first + 1`, ..., all in parallel. With a file, runs
/// found in it are not repeated, and new ones are added to it.
///
/// # Errors
/// If a setting is invalid, there are no runs, the file cannot be used, or the work was stopped.
pub fn run_trials(
    trials: &[Trial],
    first: u64,
    runs: u64,
    path: Option<&Path>,
    watch: &dyn Watch,
) -> Result<Vec<TrialRuns>, TrialsError> {
    if runs == 0 {
        return Err(TrialsError::NoRuns);
    }
    let kept = match path.filter(|path| path.exists()) {
        Some(path) => load(path, parse)?,
        None => Kept::new(),
    };
    let seeds = first..first.saturating_add(runs);
    let all: Vec<(&Trial, u64)> =
        trials.iter().flat_map(|trial| seeds.clone().map(move |seed| (trial, seed))).collect();
    let whole = Whole::new(watch, "runs", all.len() as u64);
    let kept = Mutex::new(kept);
    let run = |&(trial, seed): &(&Trial, u64)| {
        let key = (trial.to_string(), seed);
        let earlier = lock(&kept).get(&key).cloned();
        let scores = match earlier {
            Some(scores) => scores,
            None => {
                let scores = trial.run(seed, watch)?;
                let mut kept = lock(&kept);
                kept.insert(key, scores.clone());
                if let Some(path) = path {
                    write_file(path, write(&kept).as_bytes())?;
                }
                scores
            }
        };
        whole.add(1);
        Ok(scores)
    };
    let scores: Result<Vec<Vec<Score>>, TrialsError> =
        all.par_iter().with_max_len(1).map(run).collect();
    let mut scores = match scores {
        Err(TrialsError::Trial(TrialError::Stopped(stopped))) => return Err(stopped.into()),
        scores => scores?.into_iter(),
    };
    let of_trial = |trial: &Trial| TrialRuns {
        trial: *trial,
        runs: scores.by_ref().take(runs as usize).collect(),
    };
    Ok(trials.iter().map(of_trial).collect())
}

/// Locks the runs. Ignores poisoning: no code that can panic leaves them half changed.
fn lock(kept: &Mutex<Kept>) -> std::sync::MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

const HEAD: &str = "trial,seed,scores";

/// The first letter of the score's name.
fn letter(score: Score) -> char {
    score.name().chars().next().expect("names are not empty")
}

fn write(kept: &Kept) -> String {
    let lines = kept.iter().map(|((trial, seed), scores)| {
        let scores: String = scores.iter().copied().map(letter).collect();
        format!("{trial},{seed},{scores}\n")
    });
    format!("{HEAD}\n{}", lines.collect::<String>())
}

fn parse(bytes: &[u8]) -> Result<Kept, ParseRunsError> {
    let text = std::str::from_utf8(bytes).map_err(|_| ParseRunsError { line: 1 })?;
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err(ParseRunsError { line: 1 });
    }
    let run = |(line, text): (usize, &str)| {
        let run = || {
            let (trial, rest) = text.split_once(',')?;
            let (seed, scores) = rest.split_once(',')?;
            let score = |found: char| {
                Score::ALL.iter().map(|&(_, score)| score).find(|&score| letter(score) == found)
            };
            let scores: Option<Vec<Score>> = scores.chars().map(score).collect();
            Some(((trial.into(), seed.parse().ok()?), scores?))
        };
        run().ok_or(ParseRunsError { line })
    };
    (2..).zip(lines).map(run).collect()
}
