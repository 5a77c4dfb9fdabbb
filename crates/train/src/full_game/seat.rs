use super::super::learner_game::LearnerSeat;
use super::super::score::GameScore;
use super::episode::{Afterstate, Episode};
use super::look_ahead::LearnedLookAhead;
use super::player::{best_move, ended};
use super::weights::ChessWeights;
use lucena_chess::{Color, Game, Move};
use lucena_play::random_move;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// The improved player in a game that it is going to learn from. It learns from the moves of both
/// sides.
pub(crate) struct LearnedSeat<'w> {
    weights: &'w ChessWeights,
    plies: LearnedLookAhead,
    rng: ChaCha8Rng,
    /// True if the last move that it chose is a random one.
    was_drawn_by_lot: bool,
    afterstates: Vec<Afterstate>,
}

impl<'w> LearnedSeat<'w> {
    pub(crate) fn new(weights: &'w ChessWeights, plies: LearnedLookAhead, rng: ChaCha8Rng) -> Self {
        Self { weights, plies, rng, was_drawn_by_lot: false, afterstates: Vec::new() }
    }

    /// The game as training data.
    pub(crate) fn finish(self, score: GameScore, color: Color) -> Episode {
        let own = 2.0 * score.points() - 1.0;
        let outcome = if color == Color::White { own } else { -own };
        Episode { afterstates: self.afterstates, outcome, random: None }
    }
}

impl LearnerSeat for LearnedSeat<'_> {
    fn choose(&mut self, game: &Game) -> Option<Move> {
        self.was_drawn_by_lot = self.rng.gen_bool(self.weights.params.explore);
        if self.was_drawn_by_lot {
            random_move(&game.moves(), &mut self.rng)
        } else {
            best_move(self.weights, self.plies, game)
        }
    }

    fn see(&mut self, game: &Game, mover: Color) {
        // The opponent's moves are how it plays, so they are learned from.
        let was_drawn_by_lot = std::mem::take(&mut self.was_drawn_by_lot);
        if ended(game).is_none() {
            self.afterstates.push(Afterstate::new(game.board(), mover, was_drawn_by_lot));
        }
    }

    fn score(&self, game: &Game, color: Color, _quiet: u16) -> Option<GameScore> {
        let status = game.status();
        status.is_over().then(|| GameScore::from_status(status, color))
    }
}
