//! The moves of a game, assessed by the table.

use super::error::ExplainError;
use super::known_rule::KnownRule;
use super::move_value::{as_dtm, as_text, as_texts};
use lucena_base::named::named;
use lucena_chess::{Game, HalfmoveClock, Material, Move, Position};
use lucena_tablebase::{Category, MoveVerdicts, Outcome, Verdict, Wdl};
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
    /// The result before the move under the fifty-move rule.
    pub category_before: Category,
    /// The opponent's result after it under the fifty-move rule.
    pub category_after: Category,
    /// Plies lost against the best move: a later mate if the side to move wins, a sooner one if it
    /// is mated; null for a draw, also by the fifty-move rule, or if a result is thrown away.
    pub cost_plies: Option<u16>,
    /// The cost in moves.
    pub cost_moves: Option<u16>,
    /// The result that the move throws away under the fifty-move rule; null if it keeps the result.
    pub thrown: Option<LostResult>,
    /// The number of the numeric annotation glyph in the PGN; null if there is none.
    pub glyph: Option<u8>,
    /// The best moves, in UCI.
    #[serde(serialize_with = "as_texts")]
    #[schemars(with = "Vec<String>")]
    pub best: Vec<Move>,
    /// A rule without exceptions that decides the position after the move, unless it decides the position before it too; null
    /// if none is known.
    pub known_rule: Option<KnownRule>,
    /// The position before the move.
    #[serde(skip)]
    pub position: Position,
    /// The value of the position after the best moves, for the opponent.
    #[serde(skip)]
    pub after_best: Verdict,
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

/// Assesses those moves of a game that were played in endgames with tables, under the fifty-move rule; other
/// moves are left out. `look` returns the verdicts on a position and its moves, or `None` if there is no table.
///
/// # Errors
/// Those of `look`.
pub fn assess_game<E: From<ExplainError>>(
    game: &Game,
    look: impl Fn(&Position, HalfmoveClock) -> Result<Option<MoveVerdicts>, E>,
) -> Result<Vec<MoveAssessment>, E> {
    let mut judged = Vec::new();
    let mut replayed = game.start();
    for (ply, (_, mv)) in (1..).zip(game.history()) {
        if let Ok(position) = replayed.position()
            && let Some(verdicts) = look(&position, replayed.halfmove_clock())?
        {
            judged.extend(MoveAssessment::new(ply, &replayed, mv, &verdicts)?);
        }
        replayed.play(mv).map_err(ExplainError::from)?;
    }
    Ok(judged)
}

impl MoveAssessment {
    /// Assesses a move among all moves of a position; `None` if it is not legal there.
    fn new(
        ply: usize,
        game: &Game,
        mv: Move,
        verdicts: &MoveVerdicts,
    ) -> Result<Option<Self>, ExplainError> {
        let (position, before, moves) = (verdicts.position(), verdicts.before(), verdicts.moves());
        let Some((after, &(.., best))) = verdicts.after(mv).zip(verdicts.best()) else {
            return Ok(None);
        };
        let thrown = match (before.category.wdl(), after.category.wdl()) {
            (Some(Wdl::Win), Some(Wdl::Draw)) => Some(LostResult::WinToDraw),
            (Some(Wdl::Win), Some(Wdl::Win)) => Some(LostResult::WinToLoss),
            (Some(Wdl::Draw), Some(Wdl::Win)) => Some(LostResult::DrawToLoss),
            _ => None,
        };
        let plies = best.outcome.plies().zip(after.outcome.plies());
        let cost_plies = plies.and_then(|(best, after)| match before.category.wdl() {
            _ if thrown.is_some() => None,
            Some(Wdl::Win) => Some(after.saturating_sub(best)),
            Some(Wdl::Loss) => Some(best.saturating_sub(after)),
            _ => None,
        });
        // The same side mates before and after, so the difference in plies is even.
        let cost_moves = cost_plies.map(|plies| plies / 2);
        let result = best.category.wdl();
        let keeping = moves.iter().filter(|(.., after)| after.category.wdl() == result).count();
        let is_best = |after: Verdict| match result {
            Some(Wdl::Draw) => after.category.wdl() == result,
            _ => after == best,
        };
        let known_rule = KnownRule::of(position, before.category);
        let known_rule =
            KnownRule::reached(known_rule.as_ref(), &position.play(mv)?, after.category);
        Ok(Some(Self {
            ply,
            number: game.move_number(),
            fen: game.to_string(),
            material: position.material(),
            mv,
            san: position.san(mv)?,
            before: before.outcome,
            after: after.outcome,
            category_before: before.category,
            category_after: after.category,
            cost_plies,
            cost_moves,
            thrown,
            glyph: match cost_moves {
                _ if thrown.is_some() => Some(BLUNDER),
                Some(MISTAKE_MOVES..) => Some(MISTAKE),
                Some(DUBIOUS_MOVES..) => Some(DUBIOUS),
                _ if keeping == 1 && moves.len() > 1 => Some(FORCED),
                _ => None,
            },
            best: moves.iter().filter(|value| is_best(value.2)).map(|&(mv, ..)| mv).collect(),
            known_rule,
            position: *position,
            after_best: best,
        }))
    }

    /// The value of the position before the move.
    pub fn verdict_before(&self) -> Verdict {
        Verdict { category: self.category_before, outcome: self.before }
    }

    /// The value of the position after it, for the opponent.
    pub fn verdict_after(&self) -> Verdict {
        Verdict { category: self.category_after, outcome: self.after }
    }

    /// Returns true if no other move is better.
    pub fn is_best(&self) -> bool {
        self.best.contains(&self.mv)
    }
}

/// The numeric annotation glyphs: a move that throws a result away, one that costs [`MISTAKE_MOVES`] moves
/// or more, one that costs [`DUBIOUS_MOVES`] or more, and the only one of several that keeps the result.
const BLUNDER: u8 = 4;
const MISTAKE: u8 = 2;
const DUBIOUS: u8 = 6;
const FORCED: u8 = 8;

/// A move that costs at least this many moves is a mistake.
const MISTAKE_MOVES: u16 = 5;

/// A move that costs at least this many moves, and is no mistake, is dubious. Who mates a move later has done nothing
/// dubious.
const DUBIOUS_MOVES: u16 = 2;
