//! What a search has found: the move, what it is worth, and what the board itself is worth, part by
//! part.

use super::timed;
use lucena_base::words::{grouped, plies as in_plies};
use lucena_chess::{Color, Game};
use lucena_play::{Player, SearchPlayer};
use lucena_search::Value;
use lucena_search::evaluation::Evaluation;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// A move that was searched for, and the judgement that the search goes by. Values are in hundredths of
/// a pawn.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Searched {
    /// The position, as a FEN.
    pub fen: String,
    /// The player.
    pub player: String,
    /// The move, in UCI; null where there is none.
    #[serde(rename = "move")]
    pub uci: Option<String>,
    /// The same in standard algebraic notation.
    pub san: Option<String>,
    /// What the position is worth to the side to move after the search; null where a mate was seen.
    pub value: Option<i32>,
    /// Plies to the mate that was seen, negative where the side to move is mated; null where none was.
    pub mate_plies: Option<i32>,
    /// The depth that was searched to its end, in plies.
    pub depth: u8,
    /// Positions that were looked at.
    pub nodes: u64,
    /// What is expected to be played, in standard algebraic notation.
    pub line: Vec<String>,
    /// What the board is worth to White without a search.
    pub board: i32,
    /// What that is added up from; empty where the evaluation cannot tell.
    pub parts: Vec<JudgedPart>,
    /// Seconds that the search took.
    pub seconds: f64,
}

/// One thing that is counted on a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JudgedPart {
    /// What is counted.
    pub part: &'static str,
    /// White's points less Black's.
    pub points: i32,
    /// What a point weighs in this phase of the game: 100 for a hundredth of a pawn.
    pub weight: i32,
    /// Points by weight, for White.
    pub value: i32,
}

/// Searches for a move, and tells what the board is worth without a search.
///
/// ```
/// use lucena::chess::Game;
/// use lucena::evaluation::Complete;
/// use lucena::player::SearchPlayer;
/// use lucena::report::searched;
/// use lucena::search::SearchParams;
/// use std::sync::Arc;
///
/// let evaluation = Arc::new(Complete::default());
/// let mut player = SearchPlayer::new(SearchParams::depth(2), evaluation.clone());
/// let report = searched(&mut player, &*evaluation, &Game::new());
/// assert_eq!((report.board, report.parts.len()), (0, 8));
/// ```
pub fn searched(player: &mut SearchPlayer, evaluation: &dyn Evaluation, game: &Game) -> Searched {
    let (found, seconds) = timed(|| player.find(game, None));
    let board = evaluation.evaluate(game.board());
    let (value, mate_plies) = match found.value {
        Value::Hundredths(value) => (Some(value), None),
        Value::Mates(plies) => (None, Some(i32::from(plies))),
        Value::Mated(plies) => (None, Some(-i32::from(plies))),
    };
    let mut after = game.clone();
    let line = found.line.iter().map_while(|&mv| {
        let san = after.san(mv).ok()?;
        after.play(mv).ok()?;
        Some(san)
    });
    let parts = evaluation.terms(game.board()).into_iter().map(|term| JudgedPart {
        part: term.name,
        points: term.points,
        weight: term.weight,
        value: term.value,
    });
    Searched {
        fen: game.to_string(),
        player: player.name(),
        uci: found.mv.and_then(|mv| game.uci(mv).ok()),
        san: found.mv.and_then(|mv| game.san(mv).ok()),
        value,
        mate_plies,
        depth: found.depth,
        nodes: found.nodes,
        line: line.collect(),
        board: if game.turn() == Color::White { board } else { -board },
        parts: parts.collect(),
        seconds,
    }
}

impl Searched {
    /// The report in sentences, with the parts as a table.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.san {
            Some(san) => {
                let value = match (self.value, self.mate_plies) {
                    (_, Some(plies @ 0..)) => {
                        format!("mates in {}", in_plies(plies.unsigned_abs().into()))
                    }
                    (_, Some(plies)) => {
                        format!("is mated in {}", in_plies(plies.unsigned_abs().into()))
                    }
                    (value, None) => pawns(value.unwrap_or_default()),
                };
                writeln!(out, "{san}: {value}, {} deep", in_plies(self.depth.into()))?;
                writeln!(out, "expected: {}", self.line.join(" "))?;
            }
            None => writeln!(out, "there is no legal move")?,
        }
        writeln!(out, "{} nodes in {:.2} s", grouped(self.nodes), self.seconds)?;
        writeln!(out, "\nThe board itself, for White: {}", pawns(self.board))?;
        if !self.parts.is_empty() {
            writeln!(out, "\n  {:18}{:>7}{:>9}{:>8}", "part", "points", "weight", "pawns")?;
        }
        for JudgedPart { part, points, weight, value } in &self.parts {
            writeln!(out, "  {part:18}{points:>+7}{weight:>8} %{:>8}", pawns(*value))?;
        }
        Ok(())
    }
}

fn pawns(hundredths: i32) -> String {
    format!("{:+.2}", f64::from(hundredths) / 100.0)
}
