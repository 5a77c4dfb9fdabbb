//! The moves of a game, assessed by the table.

use super::error::ExplainError;
use super::move_value::{as_dtm, as_text, as_texts};
use lucena_base::named::named;
use lucena_chess::{Game, Material, Move, Position};
use lucena_tablebase::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

/// A move of a game that was played in an endgame, assessed by the table.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MoveAssessment {
    /// Its number in the game, in plies, from 1.
    pub ply: usize,
    /// The move number, as written in a game.
    pub number: u16,
    /// The position before it, as a FEN.
    pub fen: String,
    /// The endgame, such as KRvK.
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub material: Material,
    /// The move in UCI.
    #[serde(rename = "move", serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub mv: Move,
    /// The move in standard algebraic notation.
    pub san: String,
    /// Plies to mate before the move.
    #[serde(rename = "dtm_before", serialize_with = "as_dtm")]
    #[schemars(with = "Option<i32>")]
    pub before: Outcome,
    /// Plies to mate after the move, from the opponent's point of view.
    #[serde(rename = "dtm_after", serialize_with = "as_dtm")]
    #[schemars(with = "Option<i32>")]
    pub after: Outcome,
    /// Plies lost against the best move: a later mate if the side to move wins, a sooner one if it
    /// is mated; null for a draw, or if a result is thrown away.
    pub cost_plies: Option<u16>,
    /// The cost in moves.
    pub cost_moves: Option<u16>,
    /// The result that the move throws away; null if it keeps the result.
    pub thrown: Option<LostResult>,
    /// The number of the numeric annotation glyph in the PGN; null if there is none.
    pub glyph: Option<u8>,
    /// The best moves, in UCI.
    #[serde(serialize_with = "as_texts")]
    #[schemars(with = "Vec<String>")]
    pub best: Vec<Move>,
    /// The position before the move.
    #[serde(skip)]
    pub position: Position,
}

named! {
    /// The result that a move throws away.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum LostResult {
        /// A win becomes a draw.
        WinToDraw = "win to draw",
        /// A win becomes a loss.
        WinToLoss = "win to loss",
        /// A draw becomes a loss.
        DrawToLoss = "draw to loss",
    }
}

/// Assesses those moves of a game that were played in endgames with tables; other moves are left
/// out. `look` returns the legal moves of a position with their outcomes, best first, or `None` if
/// there is no table.
///
/// # Errors
/// Those of `look`.
pub fn assess_game<E: From<ExplainError>>(
    game: &Game,
    look: impl Fn(&Position) -> Result<Option<Vec<(Move, Position, Outcome)>>, E>,
) -> Result<Vec<MoveAssessment>, E> {
    let mut judged = Vec::new();
    let mut replayed = game.start();
    for (ply, (_, mv)) in (1..).zip(game.history()) {
        if let Ok(position) = replayed.position()
            && let Some(moves) = look(&position)?
        {
            judged.extend(MoveAssessment::new(ply, &replayed, position, mv, &moves)?);
        }
        replayed.play(mv).map_err(ExplainError::from)?;
    }
    Ok(judged)
}

impl MoveAssessment {
    /// Assesses a move among all moves of a position with their outcomes, best first.
    fn new(
        ply: usize,
        game: &Game,
        position: Position,
        mv: Move,
        moves: &[(Move, Position, Outcome)],
    ) -> Result<Option<Self>, ExplainError> {
        // The move was played, so it is legal, and the table has every legal move.
        let Some(&(.., after)) = moves.iter().find(|(other, ..)| *other == mv) else {
            return Ok(None);
        };
        let outcome = moves[0].2;
        let before = outcome.before_move();
        let thrown = match (before, after) {
            (Outcome::Win(_), Outcome::Draw) => Some(LostResult::WinToDraw),
            (Outcome::Win(_), Outcome::Win(_)) => Some(LostResult::WinToLoss),
            (Outcome::Draw, Outcome::Win(_)) => Some(LostResult::DrawToLoss),
            _ => None,
        };
        let cost_plies = match (before, after) {
            (Outcome::Win(best), Outcome::Loss(after)) => Some(after + 1 - best),
            (Outcome::Loss(best), Outcome::Win(after)) => Some(best - 1 - after),
            _ => None,
        };
        // The same side mates before and after, so the difference in plies is even.
        let cost_moves = cost_plies.map(|plies| plies / 2);
        let keeping = moves.iter().filter(|mv| mv.2.wdl() == outcome.wdl()).count();
        Ok(Some(Self {
            ply,
            number: game.move_number(),
            fen: game.to_string(),
            material: position.material(),
            mv,
            san: position.san(mv)?,
            before,
            after,
            cost_plies,
            cost_moves,
            thrown,
            glyph: match cost_moves {
                _ if thrown.is_some() => Some(BLUNDER),
                Some(MANY..) => Some(MISTAKE),
                Some(1..) => Some(DUBIOUS),
                _ if keeping == 1 && moves.len() > 1 => Some(FORCED),
                _ => None,
            },
            best: moves.iter().take_while(|mv| mv.2 == outcome).map(|&(mv, ..)| mv).collect(),
            position,
        }))
    }

    /// Returns true if no other move is better.
    pub fn is_best(&self) -> bool {
        self.best.contains(&self.mv)
    }
}

/// The numeric annotation glyphs: a move that throws a result away, one that costs [`MANY`] moves
/// or more, one that costs fewer, and the only one of several that keeps the result.
const BLUNDER: u8 = 4;
const MISTAKE: u8 = 2;
const DUBIOUS: u8 = 6;
const FORCED: u8 = 8;

/// A move that costs at least this many moves is a mistake.
const MANY: u16 = 5;
