use super::file_kind::read_as;
use super::output::{GameReportArgs, OutArgs, ProgressDisplay, count};
use super::question_lines::{AnswerWriter, answer_in_batches};
use super::syzygy::SyzygyArgs;
use super::tables::TableArgs;
use super::{Failure, Result};
use lucena::chess::{Board, Game, Material, Position};
use lucena::report::{Mainline, ProbeAnswer, ProbeExtent, probe_lines};
use lucena::tablebase::{Dtz, Lookup, Outcome, ProbeError, ProbeTables, TableFolder, Tablebase};
use lucena_model::FileKind;
use std::path::PathBuf;

/// Look up a position: its outcome, its distance to mate, and every legal move
///
/// The JSON is the object that the Lichess tablebase answers at /standard, with lucena's additions in `lucena`. `dtm` is
/// in plies, and negative when the side to move is mated; in `moves`, everything except the move itself describes the
/// position after it, from the opponent's point of view. Unknown values are null, and an unknown outcome is no error.
///
/// The halfmove clock of the FEN counts: a win that comes too late under the fifty-move rule is a "cursed-win". `dtz`
/// decides this: the plies to the next capture, pawn move or mate; beyond 100, that many plies or 100 fewer. It is known
/// for up to four men, for five where solve --class dtz has made a table, and for seven with Syzygy files; otherwise such
/// a win is a "maybe-win".
///
/// The PGN is the line of best play to the mate, or until fifty moves have passed. FENs from standard input are answered
/// with a line of JSON each: this object, or one with an `error`; the exit code is then 2.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena probe '8/8/8/8/8/1k6/8/K1R5 w - - 0 1'
  lucena probe 8/8/8/8/8/1k6/8/K1R5 w --format json
  lucena probe 8/8/8/8/8/1k6/8/K1R5 w --format pgn --out line.pgn
  lucena probe --table KRvK.table 8/8/8/8/8/1k6/8/K1R5 w
  lucena probe --syzygy tables '6k1/8/8/3q4/8/2R5/1P6/1K6 w - - 0 1'
  lucena probe - <fens.txt             a line of JSON for each FEN
  lucena probe --no-moves --syzygy tables - <fens.txt")]
pub(super) struct Probe {
    /// The position as a FEN, without quotes and last fields if you like; or - for FENs from standard input
    #[arg(required = true)]
    fen: Vec<String>,
    /// Use a table saved by solve --out, instead of the folder of tables
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Look up the position alone, without its moves, which is quicker
    #[arg(long)]
    no_moves: bool,
    #[command(flatten)]
    syzygy: SyzygyArgs,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: GameReportArgs,
    #[command(flatten)]
    file: OutArgs,
}

impl Probe {
    pub(super) fn run(self) -> Result<()> {
        if self.no_moves && self.report.is_game() {
            return Err(Failure::usage(
                "a line of best play needs the moves: leave out --no-moves, or --format pgn",
            ));
        }
        self.file.check()?;
        if self.fen == ["-"] {
            return self.lines();
        }
        let fen = self.fen.join(" ");
        let game: Game = fen.parse()?;
        let endgame = game.position();
        match &self.table {
            Some(path) => {
                let file = read_as(path, &[FileKind::Table], || Tablebase::open(path))?;
                self.answer(fen, &game, &FileLookup { file, is_endgame: endgame.is_ok() })
            }
            None => {
                let (folder, syzygy) = (self.tables.folder(), self.syzygy.open()?);
                let may_solve = ProbeTables::may_solve(&game, syzygy.as_ref());
                let needed = endgame.as_ref().ok().filter(|_| may_solve).map(TableFolder::needed);
                let mut missing = needed.unwrap_or_default();
                missing.retain(|&material| !folder.has_table_quickly(material));
                let missing: Vec<Material> = missing.into_iter().collect();
                let (folder, bar) = (self.tables.folder_for(&missing)?, ProgressDisplay::new());
                let tables = ProbeTables::new(&folder, syzygy.as_ref());
                self.answer(fen, &game, &tables.lookup(&game, &bar))
            }
        }
    }

    fn extent(&self) -> ProbeExtent {
        if self.no_moves { ProbeExtent::Position } else { ProbeExtent::Moves }
    }

    /// Reports one position, given a function that looks positions up.
    fn answer(
        &self,
        fen: String,
        game: &Game,
        tables: &impl Lookup<Error: Into<Failure>>,
    ) -> Result<()> {
        if self.report.is_game() {
            let line = Mainline::new(game.clone(), tables).map_err(Into::into)?;
            return match line.pgn() {
                Some(pgn) => self.file.write(pgn.as_bytes()),
                None => Err(Failure::usage(format!(
                    "there is no line of best play, since the distance to mate is unknown. {}",
                    line.start.lucena.no_table.unwrap_or_default()
                ))),
            };
        }
        let probed = ProbeAnswer::new(fen, game, self.extent(), tables).map_err(Into::into)?;
        let report = self.report.report();
        self.file.write_report(&report, &probed, |out| probed.write_text(game, out))
    }

    /// Answers the FENs on standard input. All the input that is available is answered and flushed before
    /// waiting for more, so that another program can ask line by line.
    fn lines(&self) -> Result<()> {
        let for_one = [
            ("--table", self.table.is_some()),
            ("--out", self.file.is_named()),
            ("--format pgn", self.report.is_game()),
        ];
        if let Some((option, _)) = for_one.iter().find(|(_, is_given)| *is_given) {
            let refused = "is for one position: leave it out to ask about many";
            return Err(Failure::usage(format!("{option} {refused}")));
        }
        let (folder, bar) = (self.tables.folder(), ProgressDisplay::new());
        let syzygy = self.syzygy.open()?;
        let tables = ProbeTables::new(&folder, syzygy.as_ref());
        let (mut positions, mut wrong) = (0, 0);
        let mut answer = |fens: &[&str], writer: &AnswerWriter| {
            positions += fens.len() as u64;
            wrong += probe_lines(&tables, fens, self.extent(), &bar, |text| writer.write(text))?;
            Ok(())
        };
        answer_in_batches(&mut answer)?;
        if wrong == 0 {
            return Ok(());
        }
        let lines = count(positions, "line", "lines");
        Err(Failure::usage(format!("{wrong} of {lines} cannot be answered: see their \"error\"")))
    }
}

/// The table of a file.
struct FileLookup {
    file: Tablebase,
    is_endgame: bool,
}

impl FileLookup {
    fn unless_unknown<T>(&self, found: Result<Option<T>, ProbeError>) -> Result<Option<T>> {
        match found {
            // Moves from a position of no endgame lead to many.
            Err(ProbeError::Unknown(_)) if !self.is_endgame => Ok(None),
            found => Ok(found?),
        }
    }
}

impl Lookup for FileLookup {
    type Error = Failure;

    fn mate(&self, position: &Position) -> Result<Option<Outcome>> {
        self.unless_unknown(self.file.mate(position))
    }

    fn zeroing(&self, board: &Board, position: Option<&Position>) -> Result<Option<Dtz>> {
        self.unless_unknown(self.file.zeroing(board, position))
    }
}
