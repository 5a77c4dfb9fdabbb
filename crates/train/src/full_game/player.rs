use super::weights::ChessWeights;
use lucena_chess::{Clock, Game, Move, Status};
use lucena_play::Player;

/// Plays full games by learned weights, looking one or two plies ahead: the move with the highest
/// prediction, or the highest prediction after the best reply. The end of the game is valued by the
/// rules. Among equal moves it plays the first in the order of [`Game::moves`].
#[derive(Debug, Clone)]
pub struct LearnedPlayer {
    /// The learned weights.
    pub weights: ChessWeights,
    /// The look-ahead.
    pub plies: LearnedLookAhead,
}

/// The look-ahead of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LearnedLookAhead {
    /// One ply: its own move.
    One,
    /// Two plies: its own move and the reply.
    Two,
}

lucena_base::named::named!(LearnedLookAhead { "1": One, "2": Two });

impl LearnedPlayer {
    /// The chosen move; `None` if there is no legal move.
    pub fn choose(&self, game: &Game) -> Option<Move> {
        best_move(&self.weights, self.plies, game)
    }
}

/// The move with the highest expected result.
pub(super) fn best_move(
    weights: &ChessWeights,
    plies: LearnedLookAhead,
    game: &Game,
) -> Option<Move> {
    let mut best: Option<(f32, Move)> = None;
    let mut game = game.clone();
    game.after_each_move(|game, mv| {
        let value = match plies {
            LearnedLookAhead::One => expected(weights, game),
            LearnedLookAhead::Two => after_reply(weights, game),
        };
        if best.is_none_or(|(most, _)| value > most) {
            best = Some((value, mv));
        }
    });
    best.map(|(_, mv)| mv)
}

/// The expected result for the side that has just moved.
fn expected(weights: &ChessWeights, game: &Game) -> f32 {
    ended(game).unwrap_or_else(|| weights.predict(game.board()))
}

/// The expected result for the side that has just moved, after the best reply.
fn after_reply(weights: &ChessWeights, game: &mut Game) -> f32 {
    if let Some(worth) = ended(game) {
        return worth;
    }
    let mut most = f32::NEG_INFINITY;
    game.after_each_move(|game, _| most = most.max(expected(weights, game)));
    -most
}

/// The result for the side that has just moved, if the game is over.
pub(super) fn ended(game: &Game) -> Option<f32> {
    match game.status() {
        Status::InProgress => None,
        Status::Checkmate { .. } => Some(1.0),
        _ => Some(0.0),
    }
}

impl Player for LearnedPlayer {
    fn name(&self) -> String {
        "learned".into()
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        self.choose(game)
    }
}
