use super::centre::steps_to_centre;
use super::{Player, RandomPlayer};
use lucena_chess::{Clock, Game, Move, Role, Square};

/// Plays any of the legal moves that leave its own king nearest the middle of the board. Its king
/// walks out among the enemy as soon as it can. The same seed plays the same moves.
///
/// ```
/// use lucena::chess::Game;
/// use lucena::player::{KingRefugee, Player};
///
/// let game: Game = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1".parse()?;
/// let mv = KingRefugee::new(1).play(&game, None).expect("there are moves");
/// assert!(["e1d2", "e1e2", "e1f2"].contains(&mv.to_string().as_str()));
/// # Ok::<(), lucena::chess::FenError>(())
/// ```
#[derive(Debug, Clone)]
pub struct KingRefugee {
    lots: RandomPlayer,
}

impl KingRefugee {
    /// A player with a seed.
    pub fn new(seed: u64) -> Self {
        Self { lots: RandomPlayer::new(seed) }
    }
}

impl Player for KingRefugee {
    fn name(&self) -> String {
        "king-refugee".into()
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        let mut moves = game.moves();
        let after = |&mv: &Move| steps_to_centre(king_after(game, mv));
        let nearest = moves.iter().map(after).min();
        moves.retain(|mv| Some(after(mv)) == nearest);
        self.lots.draw(&moves)
    }
}

/// Where the king of the side to move stands once a legal move is played.
fn king_after(game: &Game, mv: Move) -> Square {
    let (mut board, color) = (game.board().clone(), game.turn());
    if board.piece_on(mv.from) != Some(Role::King) {
        return board.king(color);
    }
    // Castling is written as the taking of a rook, which is not where the king goes.
    board.play_unchecked(mv);
    board.king(color)
}
