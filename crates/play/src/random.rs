use super::Player;
use lucena_chess::{Clock, Game, Move};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Plays a uniformly random legal move. The same seed plays the same moves.
#[derive(Debug, Clone)]
pub struct RandomPlayer {
    rng: ChaCha8Rng,
}

impl RandomPlayer {
    /// Creates a player with a random seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// Returns a random move; `None` if there are no moves.
    pub(super) fn draw(&mut self, moves: &[Move]) -> Option<Move> {
        // A 32-bit index draws the same numbers on every platform.
        let drawn = (!moves.is_empty()).then(|| self.rng.gen_range(0..moves.len() as u32))?;
        moves.get(drawn as usize).copied()
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> String {
        "random".into()
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        self.draw(&game.moves())
    }
}
