//! The result of a search: the move and its value, and the static evaluation of the board, term by
//! term.

use super::timed;
use lucena_base::plural::{capital, count, moves, plies as in_plies};
use lucena_chess::{Color, Game};
use lucena_explain::diagram::Mark;
use lucena_explain::{ReasonStep, ReasonedMove, Reasons};
use lucena_play::{Player, SearchPlayer};
use lucena_search::Value;
use lucena_search::evaluation::{Evaluation, TermValue};
use schemars::JsonSchema;
use serde::Serialize;

/// A move found by search, and the evaluation that the search uses. Values are in centipawns.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchMoveReport {
    /// The position, as a FEN.
    pub fen: String,
    /// The reason why the game is over although there is a move, such as the fifty-move rule, in a sentence; null
    /// if it goes on.
    pub drawn: Option<String>,
    /// The player.
    pub player: String,
    /// The move in UCI; null if there is none.
    #[serde(rename = "move")]
    pub uci: Option<String>,
    /// The move in standard algebraic notation.
    pub san: Option<String>,
    /// The value after the search, for the side to move; null if a mate was found.
    pub value: Option<i32>,
    /// Plies to the mate that was found, negative if the side to move is mated; null if none was.
    pub mate_plies: Option<i32>,
    /// The depth of the last completed search, in plies.
    pub depth: u8,
    /// Nodes searched.
    pub nodes: u64,
    /// The principal variation in standard algebraic notation.
    pub line: Vec<String>,
    /// The static evaluation of the board, for White.
    pub board: i32,
    /// The terms of the static evaluation; empty if the evaluation has none.
    pub parts: Vec<TermValue>,
    /// Seconds that the search took.
    pub seconds: f64,
}

/// Searches for a move, and evaluates the board without a search.
///
/// ```
/// use lucena_chess::Game;
/// use lucena_search::evaluation::CombinedEvaluation;
/// use lucena_play::SearchPlayer;
/// use lucena_report::explain_search;
/// use lucena_search::SearchParams;
/// use std::sync::Arc;
///
/// let evaluation = Arc::new(CombinedEvaluation::default());
/// let mut player = SearchPlayer::new(SearchParams::depth(2), evaluation.clone());
/// let report = explain_search(&mut player, &*evaluation, &Game::new());
/// assert_eq!((report.board, report.parts.len()), (0, 8));
/// ```
pub fn explain_search(
    player: &mut SearchPlayer,
    evaluation: &dyn Evaluation,
    game: &Game,
) -> SearchMoveReport {
    let (found, seconds) = timed(|| player.find(game, None));
    let board = evaluation.evaluate(game.board());
    let (value, mate_plies) = match found.value {
        Value::Hundredths(value) => (Some(value), None),
        Value::Mates(plies) => (None, Some(i32::from(plies))),
        Value::Mated(plies) => (None, Some(-i32::from(plies))),
        // This search has no source of outcomes.
        Value::Wins(_) | Value::Loses(_) => (None, None),
    };
    let mut after = game.clone();
    let line = found.line.iter().map_while(|&mv| {
        let san = after.san(mv).ok()?;
        after.play(mv).ok()?;
        Some(san)
    });
    SearchMoveReport {
        fen: game.to_string(),
        drawn: (found.mv.is_some() && game.status().is_over()).then(|| game.status().to_string()),
        player: player.name(),
        uci: found.mv.and_then(|mv| game.uci(mv).ok()),
        san: found.mv.and_then(|mv| game.san(mv).ok()),
        value,
        mate_plies,
        depth: found.depth,
        nodes: found.nodes,
        line: line.collect(),
        board: if game.turn() == Color::White { board } else { -board },
        parts: evaluation.terms(game.board()),
        seconds,
    }
}

impl SearchMoveReport {
    /// The reasons in the form that all players share: the line that the search expects, and the parts of its
    /// evaluation. `None` if there is no move.
    pub fn reasons(&self, game: &Game) -> Option<Reasons> {
        let (uci, san) = (self.uci.clone()?, self.san.clone()?);
        let mv = game.parse_move(&uci).ok()?;
        let mut after = game.clone();
        after.play(mv).ok()?;
        let parts = self.parts.iter().map(|part| ReasonStep {
            sentence: format!("{}: {} pawns for White.", capital(part.name), pawns(part.value)),
            figures: format!("{} points of {}", part.points, part.weight),
            marks: Vec::new(),
        });
        let drawn = self.drawn.as_ref();
        let drawn = drawn.map_or(String::new(), |drawn| format!(" The game is over. {drawn}"));
        Some(Reasons {
            reason: format!("The search expects {}.", self.line.join(" ")),
            kind: "search",
            source: self.player.clone(),
            player: self.player.clone(),
            heading: format!(
                "The evaluation without a search: {} pawns for White.",
                pawns(self.board)
            ),
            fen_after: after.to_string(),
            steps: parts.collect(),
            verdict: format!(
                "It looked {} deep, at {}.{drawn}",
                in_plies(self.depth.into()),
                count(self.nodes, "position", "positions")
            ),
            marks: vec![Mark::arrow(mv, &san)],
            played: ReasonedMove { uci, san, says: self.says() },
            ..Reasons::default()
        })
    }

    /// The value of the move in words.
    fn says(&self) -> String {
        match (self.mate_plies, self.value) {
            (Some(plies), _) if plies > 0 => {
                format!("mates in {}", moves(plies.unsigned_abs().div_ceil(2).into()))
            }
            (Some(plies), _) => {
                format!("is mated in {}", moves((plies.unsigned_abs() / 2).into()))
            }
            (None, Some(value)) => {
                format!("worth {:.2} pawns to the side to move", f64::from(value) / 100.0)
            }
            (None, None) => String::new(),
        }
    }
}

fn pawns(hundredths: i32) -> String {
    format!("{:+.2}", f64::from(hundredths) / 100.0)
}
