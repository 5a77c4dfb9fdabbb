use super::look_ahead::LearnedLookAhead;
use super::weights::ChessWeights;
use lucena_chess::{Clock, Game, Move, Status};
use lucena_play::Player;

/// Plays full games by learned weights, looking up to six plies ahead: the move with the highest
/// prediction, or the highest prediction after the best replies. The end of the game is valued by the
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
            f32::NEG_INFINITY
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
        let most = best.map_or(f32::NEG_INFINITY, |(most, _)| most);
        if best.is_none() || value > most {
            best = Some((value, mv));
        }
        most.max(value)
    });
    best.map(|(_, mv)| mv)
}

/// Calls `visit` with the expected result of every move. It returns the result below which those of later moves need not
/// be exact.
fn value_moves(
    weights: &ChessWeights,
    plies: LearnedLookAhead,
    game: &Game,
    mut visit: impl FnMut(Move, f32) -> f32,
) {
    let mut floor = f32::NEG_INFINITY;
    game.clone().after_each_move(|game, mv| {
        floor = visit(mv, expected(weights, game, plies.plies(), (floor, f32::INFINITY)));
    });
}

/// The expected result for the side that has just moved, with best play for some plies, of which its move was the first.
/// It is exact within the window, and a bound elsewhere: this is alpha-beta.
fn expected(weights: &ChessWeights, game: &mut Game, plies: u8, (low, high): (f32, f32)) -> f32 {
    if let Some(worth) = ended(game) {
        return worth;
    }
    if plies == 1 {
        return weights.predict(game.board());
    }
    let mut most = f32::NEG_INFINITY;
    game.after_each_move(|game, _| {
        if -most > low {
            let window = (most.max(-high), -low);
            most = most.max(expected(weights, game, plies - 1, window));
        }
    });
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
        match self.plies {
            LearnedLookAhead::One => "learned".into(),
            plies => format!("learned, {} plies", plies.word()),
        }
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        self.choose(game)
    }
}
