use super::super::checkpoint::{Learner, TrainError, load_checkpoint};
use super::super::score::GameScore;
use super::super::setting::OtherSetting;
use super::episode::{Afterstate, Episode};
use super::look_ahead::LearnedLookAhead;
use super::player::{best_move, ended};
use super::weights::{ChessParams, ChessWeights};
use lucena_chess::{Color, Game};
use lucena_play::random_move;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::path::Path;

/// Learns full games of chess by TD(λ), from games against itself and against random moves.
///
/// Outcomes are 1, 0 and −1. A prediction is from the point of view of the side that has just
/// moved; the end of a game is valued by the rules. Nothing is learned from exploratory moves. All
/// games of a round are played with the weights from before the round.
#[derive(Debug, Clone)]
pub struct ChessLearner {
    weights: ChessWeights,
}

/// The number of games in a round.
const ROUND: u64 = 64;

/// The number of plies after which a game is drawn.
const MAX_PLIES: usize = 400;

impl ChessLearner {
    /// A learner that starts with the given weights.
    pub fn new(weights: ChessWeights) -> Self {
        Self { weights }
    }

    /// A learner that resumes from a file, or starts with the given weights if there is no such
    /// file.
    ///
    /// # Errors
    /// If the file cannot be read, or is from a different training.
    pub fn resumed(weights: ChessWeights, path: Option<&Path>) -> Result<Self, TrainError> {
        let difference = |found: &ChessWeights| {
            OtherSetting::between(found.training_settings(), weights.training_settings())
        };
        let checkpoint = load_checkpoint(path, ChessWeights::from_bytes, difference)?;
        Ok(Self::new(checkpoint.unwrap_or(weights)))
    }

    /// The current weights.
    pub fn weights(&self) -> &ChessWeights {
        &self.weights
    }

    /// Plays a game; its number selects the random stream.
    fn play(&self, number: u64) -> Episode {
        let ChessParams { seed, explore, random, .. } = self.weights.params;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        // The side that plays random moves, if any.
        let random = rng
            .gen_bool(random)
            .then(|| if rng.gen_bool(0.5) { Color::White } else { Color::Black });
        let mut game = Game::new();
        let mut afterstates = Vec::new();
        loop {
            let mover = game.turn();
            let is_random = random == Some(mover);
            let was_drawn_by_lot = is_random || rng.gen_bool(explore);
            let mv = if was_drawn_by_lot {
                random_move(&game.moves(), &mut rng)
            } else {
                best_move(&self.weights, LearnedLookAhead::One, &game)
            };
            if mv.is_none_or(|mv| game.play(mv).is_err()) {
                return Episode { afterstates, outcome: 0.0, random };
            }
            if let Some(worth) = ended(&game) {
                let outcome = if mover == Color::White { worth } else { -worth };
                return Episode { afterstates, outcome, random };
            }
            if afterstates.len() >= MAX_PLIES {
                return Episode { afterstates, outcome: 0.0, random };
            }
            // The random side's moves are not exploratory: they are how that side plays, so they
            // are learned from.
            let was_drawn_by_lot = was_drawn_by_lot && !is_random;
            afterstates.push(Afterstate::new(game.board(), mover, was_drawn_by_lot));
        }
    }
}

impl Learner for ChessLearner {
    fn games_done(&self) -> u64 {
        self.weights.done
    }

    fn games(&self) -> u64 {
        self.weights.params.games
    }

    fn round(&mut self) -> Vec<GameScore> {
        let ChessParams { rate, games, .. } = self.weights.params;
        let first = self.weights.done;
        let numbers = first..(first + ROUND).min(games);
        let end = numbers.end;
        let played: Vec<Episode> =
            numbers.into_par_iter().map(|number| self.play(number)).collect();
        let rate = rate.at(first as f64 / games as f64) as f32;
        for game in &played {
            self.weights.learn_from(game, rate);
        }
        self.weights.done = end;
        played.iter().filter_map(Episode::score).collect()
    }

    fn has_numbers(&self) -> bool {
        self.weights.have_numbers()
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.weights.to_bytes()
    }
}
