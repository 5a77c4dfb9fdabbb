//! The moves of a game, as the table sees them.

use lucena_base::named::named;
use lucena_chess::{Game, Move, Position};
use lucena_tablebase::Outcome;

/// A move of a game that was played in an endgame, judged by the table.
#[derive(Debug, Clone)]
pub struct JudgedMove {
    /// Its number in the game, in plies, the first being 0.
    pub ply: usize,
    /// The position that it was played in.
    pub position: Position,
    /// The move.
    pub mv: Move,
    /// What best play makes of the position, for the side to move.
    pub before: Outcome,
    /// What best play makes of it after the move, for the opponent.
    pub after: Outcome,
    /// The best moves.
    pub best: Vec<Move>,
    /// How many legal moves keep the result that best play has.
    pub keeping: usize,
    /// How many legal moves there are.
    pub legal: usize,
}

/// What a move throws away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thrown {
    /// A win, for a draw.
    WinToDraw,
    /// A win, for a loss.
    WinToLoss,
    /// A draw.
    DrawToLoss,
}

named!(Thrown {
    "win to draw": WinToDraw,
    "win to loss": WinToLoss,
    "draw to loss": DrawToLoss,
});

/// Judges those moves of a game that were played in endgames that tables know. The others are left out.
/// `look` knows the legal moves of a position with their outcomes, the best first; nothing of a position
/// of which no table is at hand.
///
/// ```
/// use lucena::chess::Game;
/// use lucena::explain::{Thrown, judge_game};
/// use lucena::tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let mut game: Game = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1".parse()?;
/// for text in ["Rc3+", "Kxc3"] {
///     game.play(game.parse_move(text)?)?;
/// }
/// let judged = judge_game(&game, |position| tablebase.probe_moves(position).map(Some))?;
/// assert_eq!(judged.len(), 2);
/// assert_eq!(judged[0].thrown(), Some(Thrown::WinToDraw));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of looking up.
pub fn judge_game<E>(
    game: &Game,
    look: impl Fn(&Position) -> Result<Option<Vec<(Move, Outcome)>>, E>,
) -> Result<Vec<JudgedMove>, E> {
    let mut judged = Vec::new();
    for (ply, (board, mv)) in game.history().enumerate() {
        let Ok(position) = Position::from_board(board) else { continue };
        let Some(moves) = look(&position)? else { continue };
        // Whatever was played is legal, and the table knows every legal move.
        let Some(&(_, after)) = moves.iter().find(|(other, _)| *other == mv) else { continue };
        let Some(&(_, best)) = moves.first() else { continue };
        let keeps = |&&(_, outcome): &&(Move, Outcome)| outcome.wdl() == best.wdl();
        judged.push(JudgedMove {
            ply,
            position,
            mv,
            before: best.before_move(),
            after,
            best: moves.iter().take_while(|(_, after)| *after == best).map(|&(mv, _)| mv).collect(),
            keeping: moves.iter().filter(keeps).count(),
            legal: moves.len(),
        });
    }
    Ok(judged)
}

impl JudgedMove {
    /// What the move throws away, if anything.
    pub fn thrown(&self) -> Option<Thrown> {
        match (self.before, self.after) {
            (Outcome::Win(_), Outcome::Draw) => Some(Thrown::WinToDraw),
            (Outcome::Win(_), Outcome::Win(_)) => Some(Thrown::WinToLoss),
            (Outcome::Draw, Outcome::Win(_)) => Some(Thrown::DrawToLoss),
            _ => None,
        }
    }

    /// The plies by which the mate comes later than after the best move, or sooner where the side to move
    /// is mated. Nothing where nobody mates, or a result is thrown away.
    pub fn cost_plies(&self) -> Option<u16> {
        match (self.before, self.after) {
            (Outcome::Win(best), Outcome::Loss(after)) => Some(after + 1 - best),
            (Outcome::Loss(best), Outcome::Win(after)) => Some(best - 1 - after),
            _ => None,
        }
    }

    /// The same in moves: the mating side's.
    pub fn cost_moves(&self) -> Option<u16> {
        // The same side mates, so that the plies are even.
        self.cost_plies().map(|plies| plies / 2)
    }

    /// Whether no other move is better.
    pub fn is_best(&self) -> bool {
        self.best.contains(&self.mv)
    }

    /// The number of the numeric annotation glyph that says so: a blunder (4) throws a result away, a
    /// mistake (2) costs five moves or more, a dubious move (6) fewer; a move is singular (8) where no
    /// other keeps the result.
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

/// A move that costs so many moves is a mistake.
const MANY: u16 = 5;
