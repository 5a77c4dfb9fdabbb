//! What `probe` answers, for one position and for as many as come along.

use crate::chess::{FenError, Move, Position, Role};
use crate::tablebase::{Outcome, TableFolder, Wdl};
use crate::work::{Stopped, Watch};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

/// What is known of a position, in the shape of the Lichess tablebase answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Probed {
    /// `win`, `draw` or `loss`, for the side to move.
    pub category: &'static str,
    /// Plies to mate, negative when the side to move is mated; nothing for a draw.
    pub dtm: Option<i32>,
    /// Whether the side to move is checkmated.
    pub checkmate: bool,
    /// Whether the side to move is stalemated.
    pub stalemate: bool,
    /// Whether the men are too few for any mate.
    pub insufficient_material: bool,
    /// The legal moves, the best first.
    pub moves: Vec<ProbedMove>,
}

/// What is known of the position after a move, seen from the opponent, who is then to move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProbedMove {
    /// The move as programs write it: `c1c8`.
    pub uci: String,
    /// The move as people write it: `Rc8#`.
    pub san: String,
    /// `win`, `draw` or `loss`, for the opponent.
    pub category: &'static str,
    /// Plies to mate, negative when the opponent is mated; nothing for a draw.
    pub dtm: Option<i32>,
    /// Whether a pawn moves or a man is taken.
    pub zeroing: bool,
    /// Whether the opponent is checkmated.
    pub checkmate: bool,
    /// Whether the opponent is stalemated.
    pub stalemate: bool,
    /// Whether the men that are left are too few for any mate.
    pub insufficient_material: bool,
}

impl Probed {
    /// The answer for a position, from its outcome and its legal moves with theirs, as a
    /// tablebase, a file or a folder of tables has them.
    ///
    /// ```
    /// use lucena::chess::Position;
    /// use lucena::report::Probed;
    /// use lucena::tablebase::Tablebase;
    ///
    /// let tablebase = Tablebase::solve("KRvK".parse()?);
    /// let position: Position = "8/8/8/8/8/k1K5/8/1R6 w - - 0 1".parse()?;
    /// let moves = tablebase.probe_moves(&position)?;
    /// let probed = Probed::new(&position, tablebase.probe(&position)?, &moves);
    /// assert_eq!((probed.category, probed.dtm), ("win", Some(1)));
    /// assert_eq!(probed.moves[0].san, "Ra1#");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(position: &Position, outcome: Outcome, moves: &[(Move, Outcome)]) -> Self {
        let mut after = Vec::with_capacity(moves.len());
        position.visit_steps(|step| after.push((position.to_move(step), position.after(step))));
        let probed = |&(mv, outcome): &(Move, Outcome)| {
            let found = after.iter().find(|(other, _)| *other == mv);
            found.map(|(_, after)| ProbedMove::new(position, mv, after, outcome, moves))
        };
        Self {
            category: category(outcome),
            dtm: dtm(outcome),
            checkmate: outcome == Outcome::Loss(0),
            stalemate: moves.is_empty() && outcome == Outcome::Draw,
            insufficient_material: position.is_insufficient_material(),
            moves: moves.iter().filter_map(probed).collect(),
        }
    }
}

impl ProbedMove {
    fn new(
        position: &Position,
        mv: Move,
        after: &Position,
        outcome: Outcome,
        all: &[(Move, Outcome)],
    ) -> Self {
        let by_pawn = role_on(position, mv) == Role::Pawn;
        let checkmate = outcome == Outcome::Loss(0);
        Self {
            uci: mv.to_string(),
            san: san(position, mv, after, checkmate, all),
            category: category(outcome),
            dtm: dtm(outcome),
            zeroing: by_pawn || after.material() != position.material(),
            checkmate,
            stalemate: outcome == Outcome::Draw && after.is_stalemate(),
            insufficient_material: after.is_insufficient_material(),
        }
    }
}

fn role_on(position: &Position, mv: Move) -> Role {
    let man = position.slot_on(mv.from).expect("a man stands where a legal move begins");
    position.material().role(man)
}

/// A legal move in standard algebraic notation. [`Position::san`] finds out anew what is known here:
/// the other moves, and whether it mates.
fn san(
    position: &Position,
    mv: Move,
    after: &Position,
    checkmate: bool,
    all: &[(Move, Outcome)],
) -> String {
    let letter = |role: Role| char::from(role).to_ascii_uppercase();
    let role = role_on(position, mv);
    let takes = after.occupied().len() < position.occupied().len();
    let mut san = String::with_capacity(8);
    if role != Role::Pawn {
        san.push(letter(role));
        // At most one man of the side has an equal.
        let rival = all.iter().map(|(other, _)| other).find(|other| {
            other.to == mv.to && other.from != mv.from && role_on(position, **other) == role
        });
        match rival {
            Some(rival) if rival.from.file() == mv.from.file() => {
                san.push(char::from(mv.from.rank()))
            }
            Some(_) => san.push(char::from(mv.from.file())),
            None => {}
        }
    } else if takes {
        san.push(char::from(mv.from.file()));
    }
    if takes {
        san.push('x');
    }
    san.push(char::from(mv.to.file()));
    san.push(char::from(mv.to.rank()));
    if let Some(role) = mv.promotion {
        san.extend(['=', letter(role)]);
    }
    if checkmate {
        san.push('#');
    } else if after.is_check() {
        san.push('+');
    }
    san
}

fn category(outcome: Outcome) -> &'static str {
    match outcome.wdl() {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    }
}

/// Plies to mate, negative when the side to move is mated; nothing for a draw.
pub fn dtm(outcome: Outcome) -> Option<i32> {
    match outcome {
        Outcome::Win(plies) => Some(plies.into()),
        Outcome::Draw => None,
        Outcome::Loss(plies) => Some(-i32::from(plies)),
    }
}

/// The answer to a line of input: what is known of the position, or what is wrong with the FEN.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer<'a> {
    Probed {
        fen: &'a str,
        #[serde(flatten)]
        probed: Probed,
    },
    Wrong {
        fen: &'a str,
        error: String,
    },
}

/// Answers FENs, one a line, with a JSON object a line in the same order: `fen` and what [`Probed`]
/// has, or `fen` and `error`. Also returns how many FENs make no sense.
///
/// ```
/// use lucena::{report::probe_lines, tablebase::TableFolder, work::Unwatched};
///
/// let folder = TableFolder::in_memory();
/// let fens = ["8/8/8/8/8/1k6/8/K1R5 w", "8/8/8 w"];
/// let (answers, wrong) = probe_lines(&folder, &fens, &Unwatched)?;
/// assert!(answers.starts_with(br#"{"fen":"8/8/8/8/8/1k6/8/K1R5 w","category":"win","dtm":"#));
/// assert_eq!(wrong, 1);
/// # Ok::<(), lucena::work::Stopped>(())
/// ```
///
/// # Errors
/// When a table has to be solved and that is stopped.
pub fn probe_lines(
    folder: &TableFolder,
    fens: &[&str],
    watch: &dyn Watch,
) -> Result<(Vec<u8>, u64), Stopped> {
    let parse = |fen: &&str| fen.parse::<Position>();
    let positions: Vec<Result<Position, FenError>> =
        fens.par_iter().with_min_len(SHARE).map(parse).collect();
    folder.prepare(positions.iter().flatten(), watch)?;
    let answer = |(fens, positions): (&[&str], &[Result<Position, FenError>])| {
        let mut answers = Vec::new();
        for (&fen, position) in fens.iter().zip(positions) {
            let answer = match position {
                Ok(position) => Answer::Probed { fen, probed: probe(folder, position, watch)? },
                Err(error) => Answer::Wrong { fen, error: error.to_string() },
            };
            serde_json::to_writer(&mut answers, &answer).expect("texts and numbers become JSON");
            answers.push(b'\n');
        }
        Ok(answers)
    };
    let shares = fens.par_chunks(SHARE).zip(positions.par_chunks(SHARE));
    let answers: Vec<Vec<u8>> = shares.map(answer).collect::<Result<_, Stopped>>()?;
    let wrong = positions.iter().filter(|position| position.is_err()).count();
    Ok((answers.concat(), wrong as u64))
}

/// So many lines are worth handing to another thread.
const SHARE: usize = 32;

fn probe(folder: &TableFolder, position: &Position, watch: &dyn Watch) -> Result<Probed, Stopped> {
    let outcome = folder.probe(position, watch)?;
    Ok(Probed::new(position, outcome, &folder.probe_moves(position, watch)?))
}
