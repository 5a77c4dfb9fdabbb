use super::Player;
use lucena_chess::{Clock, Game, Move};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Plays any legal move, each as likely as any other. The same seed plays the same moves.
///
/// ```
/// use lucena::chess::Game;
/// use lucena::player::{Player, RandomPlayer};
///
/// let mv = RandomPlayer::new(1).play(&Game::new(), None);
/// assert_eq!(mv, RandomPlayer::new(1).play(&Game::new(), None));
/// assert!(mv.is_some_and(|mv| Game::new().moves().contains(&mv)));
/// ```
#[derive(Debug, Clone)]
pub struct RandomPlayer {
    rng: ChaCha8Rng,
}

impl RandomPlayer {
    /// A player with a seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// One of some moves; nothing where there are none.
    pub(super) fn draw(&mut self, moves: &[Move]) -> Option<Move> {
        // An index of 32 bits draws the same on every machine.
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
