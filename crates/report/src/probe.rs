//! The report of `probe`, for one position and for many.

use super::lichess::{HalfmoveClock, LichessEntry};
use lucena_base::plural::count;
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::{FenError, Move, Position, Role, Setup};
use lucena_tablebase::{Outcome, TableFolder};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Reverse;
use std::io::{self, Write};

/// The table's answer for a position: the object that the Lichess tablebase returns at `/standard`,
/// with the same names, and lucena's own fields in one object beside them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProbeReport {
    /// The position's value for the side to move.
    #[serde(flatten)]
    pub standing: LichessEntry,
    /// The legal moves, best first: in the order of Lichess, as far as the distances known here
    /// decide it.
    pub moves: Vec<ProbeMove>,
    /// The fields that Lichess does not have.
    pub lucena: ProbeExtras,
}

/// A legal move, and the value of the position after it for the opponent, who is then to move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProbeMove {
    /// The move in UCI: `c1c8`.
    pub uci: String,
    /// The move in standard algebraic notation: `Rc8#`.
    pub san: String,
    /// True if a pawn moves or a man is taken.
    pub zeroing: bool,
    /// True if the move leads to another endgame: a man is taken, or a pawn promoted.
    pub conversion: bool,
    /// The value of the position after it.
    #[serde(flatten)]
    pub standing: LichessEntry,
}

/// lucena's own fields about a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProbeExtras {
    /// The position, as it was given.
    pub fen: String,
    /// The endgame, such as KRvK.
    pub material: String,
    /// The outcome of best play in moves: mate in 9, mated in 3, checkmate or draw.
    pub outcome: String,
}

impl ProbeReport {
    /// The answer for a position, from its outcome and its legal moves with their outcomes, as a
    /// tablebase, a file or a folder of tables returns them.
    ///
    /// ```
    /// use lucena_chess::Position;
    /// use lucena_report::{Category, ProbeReport};
    /// use lucena_tablebase::Tablebase;
    ///
    /// let tablebase = Tablebase::solve("KRvK".parse()?);
    /// let position: Position = "8/8/8/8/8/k1K5/8/1R6 w - - 0 1".parse()?;
    /// let moves = tablebase.probe_moves(&position)?;
    /// let probed = ProbeReport::new(&position, tablebase.probe(&position)?, &moves);
    /// assert_eq!((probed.standing.category, probed.standing.dtm), (Category::Win, Some(1)));
    /// assert_eq!(probed.moves[0].san, "Ra1#");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(position: &Position, outcome: Outcome, moves: &[(Move, Position, Outcome)]) -> Self {
        Self::at_clock(position.to_string(), position, 0, outcome, moves)
    }

    /// The answer for the position of a FEN, after `clock` plies without a capture or pawn move: the
    /// fifty-move rule may come before the mate.
    pub fn at_clock(
        fen: String,
        position: &Position,
        clock: u16,
        outcome: Outcome,
        moves: &[(Move, Position, Outcome)],
    ) -> Self {
        let probed = |(mv, after, outcome): &(Move, Position, Outcome)| {
            let probed = ProbeMove::new(position, clock, *mv, after, *outcome, moves);
            (probed.rank(position, *mv), probed)
        };
        let mut moves: Vec<_> = moves.iter().map(probed).collect();
        moves.sort_by_key(|&(rank, _)| rank);
        let moves: Vec<ProbeMove> = moves.into_iter().map(|(_, probed)| probed).collect();

        let mut standing = LichessEntry::new(position, outcome, HalfmoveClock::of_position(clock));
        if let Some(best) = moves.first() {
            standing.category = best.standing.category.before_move();
        }
        let (material, outcome) = (position.material().to_string(), outcome.to_string());
        Self { standing, moves, lucena: ProbeExtras { fen, material, outcome } }
    }

    /// Writes the answer for a position in sentences, below a board.
    pub fn write_text(&self, position: &Position, out: &mut dyn Write) -> io::Result<()> {
        let outcome = self.standing.outcome();
        writeln!(out, "{position:#}\n")?;
        let plies = match outcome.plies() {
            Some(plies) => format!(" ({})", count(plies.into(), "ply", "plies")),
            None => String::new(),
        };
        let stalemate = if self.standing.stalemate { " by stalemate" } else { "" };
        let (material, turn) = (position.material(), position.color_to_move());
        writeln!(out, "{material}, {turn:?} to move: {outcome}{stalemate}{plies}")?;
        if !self.moves.is_empty() {
            writeln!(out)?;
        }
        for ProbeMove { san, standing, .. } in &self.moves {
            let note = match standing {
                LichessEntry { stalemate: true, .. } => ", stalemate",
                _ if san.contains('x') => ", takes",
                _ => "",
            };
            writeln!(out, "  {san:6} {}{note}", standing.outcome().before_move())?;
        }
        Ok(())
    }
}

impl ProbeMove {
    fn new(
        position: &Position,
        clock: u16,
        mv: Move,
        after: &Position,
        outcome: Outcome,
        all: &[(Move, Position, Outcome)],
    ) -> Self {
        let conversion = after.material() != position.material();
        let zeroing = conversion || position.role_moved(mv) == Role::Pawn;
        let standing = LichessEntry::new(after, outcome, HalfmoveClock::after_move(clock, zeroing));
        Self {
            uci: mv.to_string(),
            san: position.san_among(mv, after, all.iter().map(|&(mv, ..)| mv)),
            zeroing,
            conversion,
            standing,
        }
    }

    /// The sort key of the move in Lichess's order: less comes first. Distances that are not known
    /// here are left out.
    fn rank(&self, position: &Position, mv: Move) -> impl Ord + Copy + use<> {
        let LichessEntry { category, checkmate, stalemate, insufficient_material, dtm, .. } =
            self.standing;
        let taken = position.men().find(|&(_, square)| square == mv.to).map(|(man, _)| man.role);
        // The winner plays such a move early, the loser late; the category is the opponent's.
        let is_late = |does: bool| does == category.is_won();
        (
            category,
            (!checkmate, !stalemate, !insufficient_material),
            (Reverse(dtm.filter(|&dtm| dtm < 0)), dtm.filter(|&dtm| dtm > 0).map(Reverse)),
            (is_late(self.conversion), is_late(self.zeroing)),
            (
                Reverse(taken.map(|role| role as usize)),
                Reverse(mv.promotion.map(|role| role as usize)),
            ),
        )
    }
}

/// Probes the position of a FEN, after `clock` plies without a capture or pawn move, in a folder of
/// tables.
///
/// # Errors
/// If a table has to be solved and that is stopped.
pub fn probe(
    folder: &TableFolder,
    fen: String,
    position: &Position,
    clock: u16,
    watch: &dyn Observer,
) -> Result<ProbeReport, Stopped> {
    let outcome = folder.probe(position, watch)?;
    let moves = folder.probe_moves(position, watch)?;
    Ok(ProbeReport::at_clock(fen, position, clock, outcome, &moves))
}

/// The answer to a line of input: the position's value, or the error in the FEN.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer<'a> {
    Probed(Box<ProbeReport>),
    Wrong { error: String, lucena: ProbeInput<'a> },
}

/// The input.
#[derive(Serialize)]
struct ProbeInput<'a> {
    fen: &'a str,
}

/// Answers FENs, one a line, with a JSON object a line in the same order: the fields of [`ProbeReport`],
/// or an `error`; in both, `lucena` has the `fen`. Also returns the number of invalid FENs.
///
/// # Errors
/// If a table has to be solved and that is stopped.
pub fn probe_lines(
    folder: &TableFolder,
    fens: &[&str],
    watch: &dyn Observer,
) -> Result<(Vec<u8>, u64), Stopped> {
    let asked: Vec<Parsed> = fens.par_iter().with_min_len(SHARE).map(|fen| parse(fen)).collect();
    folder.prepare(asked.iter().flatten().map(|(position, _)| position), watch)?;
    let answer = |(fens, asked): (&[&str], &[Parsed])| {
        let mut answers = Vec::new();
        for (&fen, asked) in fens.iter().zip(asked) {
            let answer = match asked {
                Ok((position, clock)) => {
                    Answer::Probed(Box::new(probe(folder, fen.into(), position, *clock, watch)?))
                }
                Err(error) => Answer::Wrong {
                    error: error.to_string(),
                    lucena: ProbeInput { fen: beginning(fen) },
                },
            };
            serde_json::to_writer(&mut answers, &answer).expect("texts and numbers become JSON");
            answers.push(b'\n');
        }
        Ok(answers)
    };
    let shares = fens.par_chunks(SHARE).zip(asked.par_chunks(SHARE));
    let answers: Vec<Vec<u8>> = shares.map(answer).collect::<Result<_, Stopped>>()?;
    let wrong = asked.iter().filter(|asked| asked.is_err()).count();
    Ok((answers.concat(), wrong as u64))
}

/// The number of lines handed to a thread at once.
const SHARE: usize = 32;

/// A position, and the plies since the last capture or pawn move; or the error in the FEN.
type Parsed = Result<(Position, u16), FenError>;

fn parse(fen: &str) -> Parsed {
    let setup: Setup = fen.parse()?;
    Ok((setup.position()?, setup.clock()))
}

/// The part of an invalid line that is echoed. A FEN is much shorter than this limit.
fn beginning(line: &str) -> &str {
    line.char_indices().nth(200).map_or(line, |(end, _)| &line[..end])
}
