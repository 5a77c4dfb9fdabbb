use super::Failure;
use super::output::{Report, count};
use super::tables::Tables;
use lucena::chess::{Move, Position, Role};
use lucena::tablebase::{Outcome, Tablebase, Wdl};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Look a position up: its outcome, its distance to mate, and every legal move, best first
///
/// The JSON has the shape of the Lichess tablebase answer: `dtm` is in plies and negative when the
/// side to move is mated; in `moves`, `category` and `dtm` are those of the position after the
/// move, seen from the opponent.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena probe '8/8/8/8/8/1k6/8/K1R5 w - - 0 1'
  lucena probe 8/8/8/8/8/1k6/8/K1R5 w --format json
  lucena probe --table KRvK.table 8/8/8/8/8/1k6/8/K1R5 w")]
pub(super) struct Probe {
    /// The position as a FEN; quoting it is not needed, and its last fields may be left out
    #[arg(required = true)]
    fen: Vec<String>,
    /// Ask a table saved by solve --out instead of solving anew
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

#[derive(Serialize)]
struct Probed {
    category: &'static str,
    dtm: Option<i32>,
    checkmate: bool,
    stalemate: bool,
    insufficient_material: bool,
    moves: Vec<ProbedMove>,
}

#[derive(Serialize)]
struct ProbedMove {
    uci: String,
    san: String,
    category: &'static str,
    dtm: Option<i32>,
    zeroing: bool,
    checkmate: bool,
    stalemate: bool,
    insufficient_material: bool,
}

impl Probe {
    pub(super) fn run(self) -> Result<(), Failure> {
        let position: Position = self.fen.join(" ").parse()?;
        let tablebase = match &self.table {
            Some(path) => Tablebase::load(path)?,
            None => self.tables.solve(position.material()),
        };
        let outcome = tablebase.probe(&position)?;
        let moves = tablebase.probe_moves(&position)?;
        let probed = Probed {
            category: category(outcome),
            dtm: dtm(outcome),
            checkmate: position.is_checkmate(),
            stalemate: position.is_stalemate(),
            insufficient_material: position.is_insufficient_material(),
            moves: moves
                .iter()
                .map(|&(mv, outcome)| ProbedMove::new(&position, mv, outcome))
                .collect::<Result<_, _>>()?,
        };
        self.report.write(&probed, |out| text(out, &position, outcome, &moves, &probed))
    }
}

impl ProbedMove {
    fn new(position: &Position, mv: Move, outcome: Outcome) -> Result<Self, Failure> {
        let after = position.play(mv)?;
        let by_pawn = position.men().any(|(man, at)| at == mv.from && man.role == Role::Pawn);
        Ok(Self {
            uci: mv.to_string(),
            san: position.san(mv)?,
            category: category(outcome),
            dtm: dtm(outcome),
            zeroing: by_pawn || after.material() != position.material(),
            checkmate: after.is_checkmate(),
            stalemate: after.is_stalemate(),
            insufficient_material: after.is_insufficient_material(),
        })
    }
}

fn category(outcome: Outcome) -> &'static str {
    match outcome.wdl() {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    }
}

/// Plies, negative when the side to move is mated.
pub(super) fn dtm(outcome: Outcome) -> Option<i32> {
    match outcome {
        Outcome::Win(plies) => Some(plies.into()),
        Outcome::Draw => None,
        Outcome::Loss(plies) => Some(-i32::from(plies)),
    }
}

fn text(
    out: &mut dyn Write,
    position: &Position,
    outcome: Outcome,
    moves: &[(Move, Outcome)],
    probed: &Probed,
) -> io::Result<()> {
    writeln!(out, "{position:#}\n")?;
    let plies = match outcome.plies() {
        Some(plies) => format!(" ({})", count(plies.into(), "ply", "plies")),
        None => String::new(),
    };
    let stalemate = if probed.stalemate { " by stalemate" } else { "" };
    let turn = position.color_to_move();
    writeln!(out, "{}, {turn:?} to move: {outcome}{stalemate}{plies}", position.material())?;
    if !moves.is_empty() {
        writeln!(out)?;
    }
    for (&(_, outcome), mv) in moves.iter().zip(&probed.moves) {
        let note = match mv {
            ProbedMove { stalemate: true, .. } => ", stalemate",
            ProbedMove { san, .. } if san.contains('x') => ", takes",
            _ => "",
        };
        writeln!(out, "  {:6} {}{note}", mv.san, outcome.before_move())?;
    }
    Ok(())
}
