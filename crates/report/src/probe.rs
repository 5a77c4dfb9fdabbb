//! The report of `probe`, for one position and for many, in the fields of the Lichess tablebase.

use lucena_base::named::{Named, named};
use lucena_base::plural::count;
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::{FIFTY_MOVE_PLIES, FenError, Move, Position, Role, Setup};
use lucena_tablebase::{Outcome, Plies, TableFolder};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
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
    /// The answer for the position of a FEN, after `clock` plies without a capture or pawn move: the
    /// fifty-move rule may come before the mate. The outcome, and the legal moves with their
    /// outcomes, are those that a tablebase, a file or a folder of tables returns.
    ///
    /// ```
    /// use lucena_chess::Position;
    /// use lucena_report::{Category, ProbeReport};
    /// use lucena_tablebase::Tablebase;
    ///
    /// let tablebase = Tablebase::solve("KRvK".parse()?);
    /// let position: Position = "8/8/8/8/8/k1K5/8/1R6 w - - 0 1".parse()?;
    /// let moves = tablebase.probe_moves(&position)?;
    /// let outcome = tablebase.probe(&position)?;
    /// let probed = ProbeReport::new(position.to_string(), &position, 0, outcome, &moves);
    /// assert_eq!((probed.standing.category, probed.standing.dtm), (Category::Win, Some(1)));
    /// assert_eq!(probed.moves[0].san, "Ra1#");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        fen: String,
        position: &Position,
        clock: u16,
        outcome: Outcome,
        moves: &[(Move, Position, Outcome)],
    ) -> Self {
        let probed = |valued: &(Move, Position, Outcome)| {
            let probed = ProbeMove::new(position, clock, valued, moves);
            (probed.rank(position, valued.0), probed)
        };
        let mut moves: Vec<_> = moves.iter().map(probed).collect();
        moves.sort_by_key(|&(rank, _)| rank);
        let moves: Vec<ProbeMove> = moves.into_iter().map(|(_, probed)| probed).collect();

        let over = || Category::new(outcome, clock.saturating_sub(1), clock);
        let best = moves.first().map(|best| best.standing.category.before_move());
        let standing = LichessEntry::new(position, outcome, best.unwrap_or_else(over));
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
        &(mv, ref after, outcome): &(Move, Position, Outcome),
        all: &[(Move, Position, Outcome)],
    ) -> Self {
        let conversion = after.material() != position.material();
        let zeroing = conversion || position.role_moved(mv) == Role::Pawn;
        let now = if zeroing { 0 } else { clock.saturating_add(1) };
        let standing = LichessEntry::new(after, outcome, Category::new(outcome, clock, now));
        let san = position.san_among(mv, after, all.iter().map(|&(mv, ..)| mv));
        Self { uci: mv.to_string(), san, zeroing, conversion, standing }
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
    observer: &dyn Observer,
) -> Result<ProbeReport, Stopped> {
    let outcome = folder.probe(position, observer)?;
    let moves = folder.probe_moves(position, observer)?;
    Ok(ProbeReport::new(fen, position, clock, outcome, &moves))
}

/// Answers FENs, one a line, with a JSON object a line in the same order: the fields of [`ProbeReport`],
/// or an `error`; in both, `lucena` has the `fen`. Also returns the number of invalid FENs.
///
/// # Errors
/// If a table has to be solved and that is stopped.
pub fn probe_lines(
    folder: &TableFolder,
    fens: &[&str],
    observer: &dyn Observer,
) -> Result<(Vec<u8>, u64), Stopped> {
    let asked: Vec<Parsed> = fens.par_iter().with_min_len(SHARE).map(|fen| parse(fen)).collect();
    folder.prepare(asked.iter().flatten().map(|(position, _)| position), observer)?;
    let answer = |(fens, asked): (&[&str], &[Parsed])| {
        let mut answers = Vec::new();
        for (&fen, asked) in fens.iter().zip(asked) {
            let written = match asked {
                Ok((position, clock)) => {
                    let probed = probe(folder, fen.into(), position, *clock, observer)?;
                    serde_json::to_writer(&mut answers, &probed)
                }
                Err(error) => {
                    let asked = json!({ "fen": beginning(fen) });
                    let wrong = json!({ "error": error.to_string(), "lucena": asked });
                    serde_json::to_writer(&mut answers, &wrong)
                }
            };
            written.expect("texts and numbers become JSON");
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

/// The value of a position, in the names of the Lichess tablebase. Distances are in plies, negative
/// if the side to move loses; 0 is a draw, null is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LichessEntry {
    /// True if the side to move is checkmated.
    pub checkmate: bool,
    /// True if the side to move is stalemated.
    pub stalemate: bool,
    /// Always false: no variants are played.
    pub variant_win: bool,
    /// Always false: no variants are played.
    pub variant_loss: bool,
    /// True if neither side has enough men to mate.
    pub insufficient_material: bool,
    /// Plies to the next capture, pawn move or mate: known only for a draw, a checkmate and a mate
    /// in one move, otherwise null.
    pub dtz: Option<i32>,
    /// Equal to `dtz`, which is never rounded here.
    pub precise_dtz: Option<i32>,
    /// Plies to mate, negative if the side to move is mated; 0 for a draw, null for a checkmate.
    pub dtm: Option<i32>,
    /// Plies to a win of antichess: always null.
    pub dtw: (),
    /// Moves to the next endgame: always null.
    pub dtc: (),
    /// The result for the side to move.
    pub category: Category,
}

named! {
    /// The result for the side to move under the fifty-move rule, worst first. It is a `maybe` if the
    /// mate comes too late by the clock of the FEN, unless a capture or pawn move resets the clock,
    /// which is not known; it is cursed or blessed if fifty moves have already passed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Category {
        /// Mated.
        Loss = "loss",
        /// Mated, unless fifty moves pass first.
        MaybeLoss = "maybe-loss",
        /// Would be mated, but fifty moves have passed.
        BlessedLoss = "blessed-loss",
        /// Drawn.
        Draw = "draw",
        /// Would mate, but fifty moves have passed.
        CursedWin = "cursed-win",
        /// Mates, unless fifty moves pass first.
        MaybeWin = "maybe-win",
        /// Mates.
        Win = "win",
    }
}

impl LichessEntry {
    fn new(position: &Position, outcome: Outcome, category: Category) -> Self {
        let dtz = match outcome {
            Outcome::Draw => Some(0),
            Outcome::Loss(0) => Some(-1),
            Outcome::Win(1) => Some(1),
            _ => None,
        };
        let dtm = match outcome {
            Outcome::Draw => Some(0),
            Outcome::Loss(0) => None,
            _ => outcome.dtm(),
        };
        Self {
            checkmate: outcome == Outcome::Loss(0),
            stalemate: outcome == Outcome::Draw && position.is_stalemate(),
            variant_win: false,
            variant_loss: false,
            insufficient_material: position.is_insufficient_material(),
            dtz,
            precise_dtz: dtz,
            dtm,
            dtw: (),
            dtc: (),
            category,
        }
    }

    /// The outcome for the side to move, apart from the fifty-move rule.
    pub fn outcome(&self) -> Outcome {
        match self.dtm {
            None => Outcome::Loss(0),
            Some(0) => Outcome::Draw,
            Some(plies) if plies > 0 => Outcome::Win(plies.unsigned_abs() as Plies),
            Some(plies) => Outcome::Loss(plies.unsigned_abs() as Plies),
        }
    }
}

impl Category {
    /// The category by the plies without a capture or pawn move `now` and `before` the last move: a draw
    /// could be claimed from [`FIFTY_MOVE_PLIES`] on.
    fn new(outcome: Outcome, before: u16, now: u16) -> Self {
        let is_over = before >= FIFTY_MOVE_PLIES;
        let plies = outcome.plies().unwrap_or(0);
        let is_late = now.saturating_add(plies) > FIFTY_MOVE_PLIES;
        let for_loser = match outcome {
            Outcome::Draw => return Self::Draw,
            _ if is_over => Self::BlessedLoss,
            // Checkmate on the board ends the game: no draw can be claimed.
            _ if is_late && plies > 0 => Self::MaybeLoss,
            _ => Self::Loss,
        };
        match outcome {
            Outcome::Win(_) => for_loser.before_move(),
            _ => for_loser,
        }
    }

    /// The category for the other side, which made the move to this position.
    #[must_use]
    pub fn before_move(self) -> Self {
        // What is worst for one side is best for the other.
        let (_, category) = Self::ALL[Self::ALL.len() - 1 - self as usize];
        category
    }

    /// Returns true if the side to move mates, apart from the fifty-move rule.
    pub fn is_won(self) -> bool {
        self > Self::Draw
    }
}
