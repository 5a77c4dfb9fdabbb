use super::Player;
use lucena_chess::{Clock, Game, Move, Role, Square};
use lucena_model::squares::centre_steps;
use lucena_proof::policy::{Policy, TreePolicy};
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
}

/// Returns a random move; `None` if there are no moves.
pub fn random_move(moves: &[Move], rng: &mut impl Rng) -> Option<Move> {
    // A 32-bit index draws the same numbers on every platform.
    (!moves.is_empty()).then(|| moves[rng.gen_range(0..moves.len() as u32) as usize])
}

impl Player for RandomPlayer {
    fn name(&self) -> String {
        "random".into()
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        random_move(&game.moves(), &mut self.rng)
    }
}

/// Plays one of the moves to which a tree gives the best grade, by lot. The same seed plays the same moves.
pub struct TiesAtRandom<'p> {
    policy: &'p TreePolicy<'p>,
    rng: ChaCha8Rng,
}

impl<'p> TiesAtRandom<'p> {
    /// Creates a player with a random seed.
    pub fn new(policy: &'p TreePolicy<'p>, seed: u64) -> Self {
        Self { policy, rng: ChaCha8Rng::seed_from_u64(seed) }
    }
}

impl Player for TiesAtRandom<'_> {
    fn name(&self) -> String {
        format!("{}, ties at random", Policy::name(self.policy))
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        let graded = self.policy.graded_moves(&game.position().ok()?);
        let best = graded.first()?.grade;
        let tied = graded.iter().take_while(|one| one.grade == best).map(|one| one.mv);
        random_move(&tied.collect::<Vec<_>>(), &mut self.rng)
    }
}

/// Plays a random move among those that leave its own king nearest the centre of the board: the king walks
/// out into the open as soon as it can. The same seed plays the same moves.
#[derive(Debug, Clone)]
pub struct CentralKingPlayer {
    rng: ChaCha8Rng,
}

impl CentralKingPlayer {
    /// Creates a player with a random seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: ChaCha8Rng::seed_from_u64(seed) }
    }
}

impl Player for CentralKingPlayer {
    fn name(&self) -> String {
        "king-refugee".into()
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        let mut moves = game.moves();
        let after = |&mv: &Move| centre_steps(king_after(game, mv) as u8);
        let nearest = moves.iter().map(after).min();
        moves.retain(|mv| Some(after(mv)) == nearest);
        random_move(&moves, &mut self.rng)
    }
}

/// Returns the square of the king of the side to move after a legal move.
fn king_after(game: &Game, mv: Move) -> Square {
    let (mut board, color) = (game.board().clone(), game.turn());
    if board.piece_on(mv.from) != Some(Role::King) {
        return board.king(color);
    }
    // Castling is encoded as the capture of a rook, whose square is not where the king goes.
    board.play_unchecked(mv);
    board.king(color)
}
