use super::look_ahead::LearnedLookAhead;
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

impl LearnedPlayer {
    /// The chosen move; `None` if there is no legal move.
    pub fn choose(&self, game: &Game) -> Option<Move> {
        best_move(&self.weights, self.plies, game)
    }

    /// The prediction for each move in the order of [`Game::moves`]: the points expected from the game, from
    /// 0 to 1.
    pub fn predictions(&self, game: &Game) -> Vec<(Move, f32)> {
        let mut predictions = Vec::new();
        value_moves(&self.weights, self.plies, game, |mv, value| {
            predictions.push((mv, f32::midpoint(value, 1.0)));
        });
        predictions
    }
}

/// The move with the highest expected result.
pub(super) fn best_move(
    weights: &ChessWeights,
    plies: LearnedLookAhead,
    game: &Game,
) -> Option<Move> {
    let mut best: Option<(f32, Move)> = None;
    value_moves(weights, plies, game, |mv, value| {
        if best.is_none_or(|(most, _)| value > most) {
            best = Some((value, mv));
        }
    });
    best.map(|(_, mv)| mv)
}

/// Calls `visit` with the expected result of every move.
fn value_moves(
    weights: &ChessWeights,
    plies: LearnedLookAhead,
    game: &Game,
    mut visit: impl FnMut(Move, f32),
) {
    game.clone().after_each_move(|game, mv| {
        let value = match plies {
            LearnedLookAhead::One => expected(weights, game),
            LearnedLookAhead::Two => after_reply(weights, game),
        };
        visit(mv, value);
    });
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
        let plies = match self.plies {
            LearnedLookAhead::One => "",
            LearnedLookAhead::Two => ", two plies",
        };
        format!("learned{plies}")
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        self.choose(game)
    }
}
