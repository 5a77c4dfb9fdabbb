//! The published study of TD(λ) in games of chess, with the controls that it lacked.

use super::checkpoint::TrainError;
use super::encoding::BoardEncoding;
use super::error::{ParseRunsError, SettingError, check_rate, check_share};
use super::network::{Network, Shape};
use super::score::GameScore;
use super::td_player::{LookAhead, TdPlayer};
use lucena_base::progress::{Observer, SharedProgress};
use lucena_base::text::{entries, trim};
use lucena_files::{load_text, write_file};
use lucena_play::RandomPlayer;
use lucena_play::arena::Tally;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The number of hidden units of the published network.
pub const PUBLISHED_HIDDEN: usize = 27;

/// A series of games of a network against random moves, with or without learning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// The learning rate α; `None` for a control that does not learn.
    pub alpha: Option<f64>,
    /// The steepness β of the units.
    pub beta: f64,
    /// The trace decay λ, from 0 to 1.
    pub lambda: f64,
    /// The look-ahead of the network.
    pub look_ahead: LookAhead,
    /// The mapping from men to inputs.
    pub reading: BoardEncoding,
    /// The number of games.
    pub games: u64,
}

impl Trial {
    /// The published settings for a look-ahead, with one of the readings. Those for more than two plies are those for two.
    pub fn published(look_ahead: LookAhead, reading: BoardEncoding) -> Self {
        match look_ahead {
            LookAhead::OnePly => {
                Self { alpha: Some(0.3), beta: 5.0, lambda: 0.8, look_ahead, reading, games: 1_000 }
            }
            _ => Self { alpha: Some(0.5), beta: 1.0, lambda: 0.8, look_ahead, reading, games: 100 },
        }
    }

    /// The published result with this look-ahead: 1,000 games for one ply, 100 for two.
    pub fn published_tally(&self) -> Tally {
        match self.look_ahead {
            LookAhead::OnePly => Tally { won: 114, drawn: 842, lost: 44 },
            _ => Tally { won: 37, drawn: 62, lost: 1 },
        }
    }

    /// The published settings with both readings, each followed by a control that does not learn.
    pub fn all() -> Vec<Self> {
        let look_aheads = [LookAhead::OnePly, LookAhead::TwoPlies, LookAhead::TwoPliesOpen];
        let trials = look_aheads.into_iter().flat_map(|look_ahead| {
            [BoardEncoding::Text, BoardEncoding::Program]
                .map(|reading| Self::published(look_ahead, reading))
        });
        trials.flat_map(|trial| [trial, Self { alpha: None, ..trial }]).collect()
    }

    /// Plays the games of a run in sequence and returns their scores. The seed determines the
    /// initial weights and the moves of the random opponent.
    ///
    /// # Errors
    /// If a setting is invalid, or the work was stopped.
    pub fn run(&self, seed: u64, observer: &dyn Observer) -> Result<Vec<GameScore>, TrainError> {
        self.check()?;
        let shape = Shape { inputs: BoardEncoding::INPUTS, hidden: PUBLISHED_HIDDEN };
        let network = Network::new(shape, self.beta as f32, seed);
        let &Self { reading, look_ahead, lambda, .. } = self;
        let mut player = TdPlayer { network, reading, look_ahead };
        let mut opponent = RandomPlayer::new(seed);
        let play = |_| {
            observer.check()?;
            let game = player.play_game(&mut opponent);
            if let Some(alpha) = self.alpha {
                let outcome = game.score.points();
                player.network.learn_game(&game.seen, outcome, alpha as f32, lambda as f32);
            }
            Ok(game.score)
        };
        (0..self.games).map(play).collect()
    }

    fn check(&self) -> Result<(), SettingError> {
        self.alpha.map_or(Ok(()), check_rate)?;
        check_share("a λ", self.lambda)?;
        if !(self.beta.is_finite() && self.beta > 0.0) {
            return Err(SettingError::Steepness(self.beta));
        }
        if self.games == 0 { Err(SettingError::NoGames) } else { Ok(()) }
    }
}

impl fmt::Display for Trial {
    /// All settings: `one text alpha=0.3 beta=5 lambda=0.8 games=1000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { alpha, beta, lambda, look_ahead, reading, games } = self;
        let alpha = alpha.map_or("none".into(), |alpha| alpha.to_string());
        write!(f, "{look_ahead} {reading} alpha={alpha} beta={beta} lambda={lambda} games={games}")
    }
}

/// The runs of a trial: the score of each game of each run, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialRuns {
    /// The trial.
    pub trial: Trial,
    /// One run for each seed, from the first seed on.
    pub runs: Vec<Vec<GameScore>>,
}

/// Scores by the text of the trial and the seed.
type ScoreCache = BTreeMap<(String, u64), Vec<GameScore>>;

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
    observer: &dyn Observer,
) -> Result<Vec<TrialRuns>, TrainError> {
    if runs == 0 {
        return Err(TrainError::NoRuns);
    }
    let cache = match path.filter(|path| path.exists()) {
        Some(path) => load_text(path, parse)?,
        None => ScoreCache::new(),
    };
    let seeds = first..first.saturating_add(runs);
    let all: Vec<(&Trial, u64)> =
        trials.iter().flat_map(|trial| seeds.clone().map(move |seed| (trial, seed))).collect();
    let progress = SharedProgress::new(observer, "runs", all.len() as u64);
    let cache = Mutex::new(cache);
    let run = |&(trial, seed): &(&Trial, u64)| {
        let key = (trial.to_string(), seed);
        let earlier = lock(&cache).get(&key).cloned();
        let scores = match earlier {
            Some(scores) => scores,
            None => {
                let scores = trial.run(seed, observer)?;
                let mut cache = lock(&cache);
                cache.insert(key, scores.clone());
                if let Some(path) = path {
                    write_file(path, write(&cache).as_bytes())?;
                }
                scores
            }
        };
        progress.add(1);
        Ok(scores)
    };
    let scores: Result<Vec<Vec<GameScore>>, TrainError> =
        all.par_iter().with_max_len(1).map(run).collect();
    let mut scores = scores?.into_iter();
    let of_trial = |trial: &Trial| TrialRuns {
        trial: *trial,
        runs: scores.by_ref().take(runs as usize).collect(),
    };
    Ok(trials.iter().map(of_trial).collect())
}

/// Locks the runs. Ignores poisoning: no code that can panic leaves them half changed.
fn lock(cache: &Mutex<ScoreCache>) -> std::sync::MutexGuard<'_, ScoreCache> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}

const HEAD: &str = "trial,seed,scores";

fn write(cache: &ScoreCache) -> String {
    let lines = cache.iter().map(|((trial, seed), scores)| {
        let scores: String = scores.iter().map(|score| score.letter()).collect();
        format!("{trial},{seed},{scores}\n")
    });
    format!("{HEAD}\n{}", lines.collect::<String>())
}

fn parse(text: &str) -> Result<ScoreCache, ParseRunsError> {
    let mut lines = entries(text);
    if lines.next().is_none_or(|(_, head)| head != HEAD) {
        return Err(ParseRunsError { line: 1 });
    }
    let run = |(line, text): (usize, &str)| {
        let run = || {
            let [trial, seed, scores] =
                text.split(',').map(trim).collect::<Vec<_>>().try_into().ok()?;
            let scores: Option<Vec<GameScore>> = scores.chars().map(GameScore::of_letter).collect();
            Some(((trial.into(), seed.parse().ok()?), scores?))
        };
        run().ok_or(ParseRunsError { line })
    };
    lines.map(run).collect()
}
