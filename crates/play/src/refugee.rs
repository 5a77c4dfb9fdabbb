use super::centre::steps_to_centre;
use super::{Player, RandomPlayer};
use lucena_chess::{Clock, Game, Move, Role, Square};

/// Plays a random move among those that leave its own king nearest the centre of the board: the king walks
/// out into the open as soon as it can. The same seed plays the same moves.
#[derive(Debug, Clone)]
pub struct KingRefugee {
    lots: RandomPlayer,
}

impl KingRefugee {
    /// Creates a player with a random seed.
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
