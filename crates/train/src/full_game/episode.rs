use super::super::score::GameScore;
use super::weights::{BoardFeatures, ChessWeights, NONE};
use lucena_chess::{Board, Color};
use std::cmp::Ordering;

/// A position after a move.
pub(super) struct Afterstate {
    features: BoardFeatures,
    /// The side that has just moved.
    mover: Color,
    was_drawn_by_lot: bool,
}

impl Afterstate {
    /// The position on a board; nothing is learned from a move that was drawn by lot.
    pub(super) fn new(board: &Board, mover: Color, was_drawn_by_lot: bool) -> Self {
        Self { features: BoardFeatures::new(board), mover, was_drawn_by_lot }
    }
}

/// A finished game, as training data.
pub(crate) struct Episode {
    pub(super) afterstates: Vec<Afterstate>,
    /// The result for White: 1, 0 or −1.
    pub(super) outcome: f32,
    /// The side that played random moves, if any.
    pub(super) random: Option<Color>,
}

impl Episode {
    /// The score against random moves; `None` for a game of the learner against itself.
    pub(super) fn score(&self) -> Option<GameScore> {
        let outcome = match self.random? {
            Color::White => -self.outcome,
            Color::Black => self.outcome,
        };
        Some(match outcome.partial_cmp(&0.0) {
            Some(Ordering::Greater) => GameScore::Won,
            Some(Ordering::Less) => GameScore::Lost,
            _ => GameScore::Drawn,
        })
    }
}

impl ChessWeights {
    /// Sets the number of games of the whole training.
    pub(crate) fn set_games(&mut self, games: u64) {
        self.params.games = games;
    }

    /// Learns from a game of a series, at the first rate.
    pub(crate) fn learn_from_series(&mut self, game: &Episode) {
        self.learn_from(game, self.params.rate.first as f32);
        self.done += 1;
    }

    /// TD(λ), from the last prediction to the first: each learns from the later differences, each
    /// discounted by another factor λ.
    pub(super) fn learn_from(&mut self, game: &Episode, rate: f32) {
        let lambda = self.params.lambda as f32;
        let mut change = NONE;
        let (mut next, mut differences) = (Some(game.outcome), 0.0);
        for afterstate in game.afterstates.iter().rev() {
            let sign = if afterstate.mover == Color::White { 1.0 } else { -1.0 };
            let prediction = sign * libm::tanhf(self.sum(&afterstate.features));
            differences = next.map_or(0.0, |next| next - prediction) + lambda * differences;
            let slope = sign * (1.0 - prediction * prediction);
            afterstate.features.add_to(&mut change, rate * differences * slope);
            next = Some(prediction);
            if afterstate.was_drawn_by_lot {
                // The result after an exploratory move says nothing about the position before it.
                (next, differences) = (None, 0.0);
            }
        }
        self.add(&change);
    }
}
