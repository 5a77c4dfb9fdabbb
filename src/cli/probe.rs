use super::Failure;
use super::output::{Bar, Report, count};
use super::tables::Tables;
use lucena::chess::{Move, Position};
use lucena::report::{Probed, ProbedMove, probe_lines};
use lucena::tablebase::{Outcome, TableFile};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;

/// Look a position up: its outcome, its distance to mate, and every legal move, best first
///
/// The JSON has the shape of the Lichess tablebase answer: `dtm` is in plies and negative when the
/// side to move is mated; in `moves`, `category` and `dtm` are those of the position after the
/// move, seen from the opponent.
///
/// Of many positions, FENs from standard input, each is answered by a line of JSON: this object with
/// the `fen`, or the `fen` and an `error`. The exit code is then 2.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena probe '8/8/8/8/8/1k6/8/K1R5 w - - 0 1'
  lucena probe 8/8/8/8/8/1k6/8/K1R5 w --format json
  lucena probe --table KRvK.table 8/8/8/8/8/1k6/8/K1R5 w
  lucena probe - <fens.txt             a line of JSON for each FEN")]
pub(super) struct Probe {
    /// The position as a FEN; quoting it is not needed, and its last fields may be left out. A -
    /// stands for FENs from standard input, one a line
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

impl Probe {
    pub(super) fn run(self) -> Result<(), Failure> {
        if self.fen == ["-"] {
            return self.lines();
        }
        let position: Position = self.fen.join(" ").parse()?;
        let (outcome, moves) = match &self.table {
            Some(path) => {
                let file = TableFile::open(path)?;
                (file.probe(&position)?, file.probe_moves(&position)?)
            }
            None => {
                let (folder, bar) = (self.tables.folder(), Bar::new());
                (folder.probe(&position, &bar)?, folder.probe_moves(&position, &bar)?)
            }
        };
        let probed = Probed::new(&position, outcome, &moves);
        self.report.write(&probed, |out| text(out, &position, outcome, &moves, &probed))
    }

    /// Answers standard input. Whatever of it is there is answered and flushed before more is
    /// waited for, so that another program can ask line by line.
    fn lines(&self) -> Result<(), Failure> {
        if self.table.is_some() {
            return Err(Failure::usage(
                "--table is for one position: leave it out to ask about many",
            ));
        }
        let (folder, bar) = (self.tables.folder(), Bar::new());
        let mut input = BufReader::with_capacity(AT_ONCE, io::stdin().lock());
        let mut out = io::stdout().lock();
        let (mut asked, mut wrong) = (0, 0);
        loop {
            let bytes = next_lines(&mut input)?;
            if bytes.is_empty() {
                break;
            }
            let text = String::from_utf8_lossy(&bytes);
            let fens: Vec<&str> =
                text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            let (answers, wrong_here) = probe_lines(&folder, &fens, &bar)?;
            out.write_all(&answers)?;
            out.flush()?;
            asked += fens.len() as u64;
            wrong += wrong_here;
        }
        if wrong == 0 {
            return Ok(());
        }
        let lines = count(asked, "line", "lines");
        Err(Failure::usage(format!("{wrong} of {lines} cannot be answered: see their \"error\"")))
    }
}

/// So much input is read before it is answered, and a line is no longer than this.
const AT_ONCE: usize = 1 << 18;

/// The whole lines that have been read already, or else the next line as soon as it is there;
/// nothing at the end of the input.
fn next_lines(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let read = input.fill_buf()?;
    if let Some(last) = read.iter().rposition(|&byte| byte == b'\n') {
        let lines = read[..=last].to_vec();
        input.consume(lines.len());
        return Ok(lines);
    }
    let mut line = Vec::new();
    input.by_ref().take(AT_ONCE as u64).read_until(b'\n', &mut line)?;
    Ok(line)
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
