//! The moves of a game, assessed by the table.

use lucena_base::named::named;
use lucena_chess::{Game, Move, Position};
use lucena_tablebase::Outcome;

/// A move of a game that was played in an endgame, assessed by the table.
#[derive(Debug, Clone)]
pub struct MoveAssessment {
    /// Its number in the game, in plies, from 0.
    pub ply: usize,
    /// The position before the move.
    pub position: Position,
    /// The move.
    pub mv: Move,
    /// The outcome of that position for the side to move.
    pub before: Outcome,
    /// The outcome after the move, for the opponent.
    pub after: Outcome,
    /// The best moves.
    pub best: Vec<Move>,
    /// The number of legal moves that keep the result.
    pub keeping: usize,
    /// The number of legal moves.
    pub legal: usize,
}

/// The result that a move throws away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LostResult {
    /// A win becomes a draw.
    WinToDraw,
    /// A win becomes a loss.
    WinToLoss,
    /// A draw becomes a loss.
    DrawToLoss,
}

named!(LostResult {
    "win to draw": WinToDraw,
    "win to loss": WinToLoss,
    "draw to loss": DrawToLoss,
});

/// Assesses those moves of a game that were played in endgames with tables; other moves are left
/// out. `look` returns the legal moves of a position with their outcomes, best first, or `None` if
/// there is no table.
///
/// # Errors
/// Those of `look`.
pub fn assess_game<E>(
    game: &Game,
    look: impl Fn(&Position) -> Result<Option<Vec<(Move, Position, Outcome)>>, E>,
) -> Result<Vec<MoveAssessment>, E> {
    let mut judged = Vec::new();
    for (ply, (board, mv)) in game.history().enumerate() {
        let Ok(position) = Position::from_board(board) else { continue };
        let Some(moves) = look(&position)? else { continue };
        // The move was played, so it is legal, and the table has every legal move.
        let Some(&(.., after)) = moves.iter().find(|(other, ..)| *other == mv) else { continue };
        let Some(&(.., best)) = moves.first() else { continue };
        judged.push(MoveAssessment {
            ply,
            position,
            mv,
            before: best.before_move(),
            after,
            best: moves.iter().take_while(|mv| mv.2 == best).map(|&(mv, ..)| mv).collect(),
            keeping: moves.iter().filter(|mv| mv.2.wdl() == best.wdl()).count(),
            legal: moves.len(),
        });
    }
    Ok(judged)
}

impl MoveAssessment {
    /// The result that the move throws away, if any.
    pub fn thrown(&self) -> Option<LostResult> {
        match (self.before, self.after) {
            (Outcome::Win(_), Outcome::Draw) => Some(LostResult::WinToDraw),
            (Outcome::Win(_), Outcome::Win(_)) => Some(LostResult::WinToLoss),
            (Outcome::Draw, Outcome::Win(_)) => Some(LostResult::DrawToLoss),
            _ => None,
        }
    }

    /// Plies lost against the best move: a later mate if the side to move wins, a sooner one if it
    /// is mated. `None` for a draw, or if a result is thrown away.
    pub fn cost_plies(&self) -> Option<u16> {
        match (self.before, self.after) {
            (Outcome::Win(best), Outcome::Loss(after)) => Some(after + 1 - best),
            (Outcome::Loss(best), Outcome::Win(after)) => Some(best - 1 - after),
            _ => None,
        }
    }

    /// The cost in moves of the mating side.
    pub fn cost_moves(&self) -> Option<u16> {
        // The same side mates before and after, so the difference in plies is even.
        self.cost_plies().map(|plies| plies / 2)
    }

    /// Returns true if no other move is better.
    pub fn is_best(&self) -> bool {
        self.best.contains(&self.mv)
    }

    /// The number of the numeric annotation glyph: a blunder (4) throws a result away, a mistake
    /// (2) costs five moves or more, a dubious move (6) fewer; a forced move (8) is the only one of
    /// several that keeps the result.
    pub fn glyph(&self) -> Option<u8> {
        match self.cost_moves() {
            _ if self.thrown().is_some() => Some(4),
            Some(MANY..) => Some(2),
            Some(1..) => Some(6),
            _ if self.keeping == 1 && self.legal > 1 => Some(8),
            _ => None,
        }
    }
}

/// A move that costs at least this many moves is a mistake.
const MANY: u16 = 5;
