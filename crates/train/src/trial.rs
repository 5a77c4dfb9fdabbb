//! The published study of TD(λ) in games of chess, with the controls that it lacked.

use super::error::{SettingError, check_rate, check_share};
use super::network::{Network, Shape};
use super::placement::Reading;
use super::score::{Score, Tally};
use super::td_player::{LookAhead, TdPlayer};
use lucena_base::work::{Stopped, Watch};
use lucena_play::RandomPlayer;
use std::fmt;

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
    pub reading: Reading,
    /// The number of games.
    pub games: u64,
}

/// An error that leaves a trial without a result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrialError {
    /// A setting is invalid.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The observer stopped the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Trial {
    /// The published settings for a look-ahead, with one of the readings.
    pub fn published(look_ahead: LookAhead, reading: Reading) -> Self {
        match look_ahead {
            LookAhead::OnePly => {
                Self { alpha: Some(0.3), beta: 5.0, lambda: 0.8, look_ahead, reading, games: 1_000 }
            }
            LookAhead::TwoPlies | LookAhead::TwoPliesOpen => {
                Self { alpha: Some(0.5), beta: 1.0, lambda: 0.8, look_ahead, reading, games: 100 }
            }
        }
    }

    /// The published result with this look-ahead: 1,000 games for one ply, 100 for two.
    pub fn published_tally(&self) -> Tally {
        match self.look_ahead {
            LookAhead::OnePly => Tally { won: 114, drawn: 842, lost: 44 },
            LookAhead::TwoPlies | LookAhead::TwoPliesOpen => Tally { won: 37, drawn: 62, lost: 1 },
        }
    }

    /// The published settings with both readings, each followed by a control that does not learn.
    pub fn all() -> Vec<Self> {
        let look_aheads = [LookAhead::OnePly, LookAhead::TwoPlies, LookAhead::TwoPliesOpen];
        let trials = look_aheads.into_iter().flat_map(|look_ahead| {
            [Reading::Text, Reading::Program].map(|reading| Self::published(look_ahead, reading))
        });
        trials.flat_map(|trial| [trial, Self { alpha: None, ..trial }]).collect()
    }

    /// Plays the games of a run in sequence and returns their scores. The seed determines the
    /// initial weights and the moves of the random opponent.
    ///
    /// # Errors
    /// If a setting is invalid, or the work was stopped.
    pub fn run(&self, seed: u64, watch: &dyn Watch) -> Result<Vec<Score>, TrialError> {
        self.check()?;
        let shape = Shape { inputs: Reading::INPUTS, hidden: PUBLISHED_HIDDEN };
        let network = Network::new(shape, self.beta as f32, seed);
        let &Self { reading, look_ahead, lambda, .. } = self;
        let mut player = TdPlayer { network, reading, look_ahead };
        let mut opponent = RandomPlayer::new(seed);
        let play = |_| {
            watch.go_on()?;
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
