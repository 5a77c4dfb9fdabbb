#[cfg(not(feature = "dist"))]
use super::missing::WorkerArgs;
use super::output::{ProgressDisplay, ReportArgs, check_outputs, count, grouped, note_written};
use super::tables::TableArgs;
#[cfg(feature = "dist")]
use super::workers::WorkerArgs;
use super::{Failure, Result, one_of};
use lucena::chess::Material;
use lucena::report::{SideCounts, SolveReport};
use lucena::tablebase::{Dtz, Metric, Outcome, TableFolder, moves_in};
use lucena_files::check_folder;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

/// Solve an endgame, and count its won, drawn and lost positions
///
/// Distances are to mate, in plies (half moves), with best play by both sides. White has the strong side, the one named
/// first. Canonical positions count each orbit of the board's symmetries once. With --class dtz they are distances to
/// zeroing under the fifty-move rule: the plies to the next capture, pawn move or mate, from a clock of zero. A win that
/// comes too late under the rule is called cursed; for the loser it is a blessed loss. Both are draws. Their distances
/// are beyond 100, and stand for that many plies or 100 fewer.
///
/// An endgame of five men takes from seconds to hours, with the endgames that it leads to; the memory that it needs is
/// printed first. After Ctrl-C the next run continues.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena solve
  lucena solve KQvK --all-depths
  lucena solve KRvK --format json
  lucena solve KPvKP --class dtz      (under the fifty-move rule)
  lucena solve KRvKN --class dtz --out-syzygy tables   (read by other chess programs)
  lucena solve KRvK --out KRvK.table   (read by probe --table)
  lucena solve KBBvKN --processes 2
  lucena solve KRPvKR --hosts hosts.txt --here 1   (the same on each host, with its own line)")]
pub(super) struct Solve {
    /// The endgame: the men of both sides with a v between them
    #[arg(default_value = "KRvK")]
    material: Material,
    /// The distance: to mate, or to the next capture, pawn move or mate under the fifty-move rule
    #[arg(long = "class", alias = "metric", value_name = "CLASS", default_value = "dtm", value_parser = one_of::<Metric>())]
    metric: Metric,
    /// Also print the number of positions at each distance
    #[arg(long)]
    all_depths: bool,
    /// Write the table to a file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write Syzygy files of the endgame and of those that it leads to into a folder; needs --class dtz
    #[arg(long, value_name = "DIR")]
    out_syzygy: Option<PathBuf>,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ReportArgs,
}

impl Solve {
    pub(super) fn run(self) -> Result<()> {
        let started = Instant::now();
        #[cfg(not(feature = "dist"))]
        self.workers.check()?;
        #[cfg(feature = "dist")]
        if self.workers.is_worker() {
            return self.workers.work(self.material, &self.tables);
        }
        check_outputs(&[("--out", self.out.as_deref())])?;
        if self.out_syzygy.is_some() && self.metric != Metric::Dtz {
            return Err(Failure::usage(
                "Syzygy files hold distances to zeroing: add --class dtz, or leave out --out-syzygy",
            ));
        }
        self.out_syzygy.as_deref().map_or(Ok(()), check_folder)?;
        let folder = self.folder()?;
        let seconds_of_workers = started.elapsed().as_secs_f64();
        let (mut solved, tablebase) =
            SolveReport::new(&folder, self.material, &ProgressDisplay::new())?;
        solved.seconds += seconds_of_workers;
        if let Some(path) = &self.out {
            tablebase.save(path)?;
            note_written(path);
        }
        if let Some(folder) = &self.out_syzygy {
            tablebase.save_syzygy(folder, &ProgressDisplay::new(), note_written)?;
        }
        self.report.write(&solved, |out| {
            overview(&solved, out)?;
            if self.all_depths { depths(&solved, out) } else { Ok(()) }
        })
    }

    /// The folder of tables, after workers have solved their share if there are any.
    fn folder(&self) -> Result<TableFolder> {
        #[cfg(feature = "dist")]
        if self.workers.are_requested() {
            if self.metric == Metric::Dtz {
                return Err(Failure::usage(
                    "only distances to mate can be shared among workers: leave out --class dtz, or --processes and --hosts",
                ));
            }
            return self.workers.solve(self.material, &self.tables);
        }
        self.tables.folder_of(self.metric, &[self.material])
    }
}

/// Prints the number of positions of each outcome, and the longest distance.
fn overview(solved: &SolveReport, out: &mut dyn Write) -> io::Result<()> {
    let rule = if solved.metric == Metric::Dtz { " under the fifty-move rule" } else { "" };
    writeln!(out, "{}{rule}, positions of the full board (up to symmetry)\n", solved.material)?;
    write!(out, "{:8}", "to move")?;
    for (name, ..) in columns(&solved.white_to_move) {
        write!(out, " {name:>24}")?;
    }
    writeln!(out)?;
    for (name, side) in sides(solved) {
        write!(out, "{name:8}")?;
        for (_, full, canonical) in columns(side) {
            write!(out, " {:>24}", format!("{} ({})", grouped(full), grouped(canonical)))?;
        }
        writeln!(out)?;
    }
    writeln!(out)?;
    match (solved.longest_plies, solved.metric) {
        (Some(plies), Metric::Dtm) => {
            let moves = count(moves_in(plies).into(), "move", "moves");
            writeln!(out, "longest mate: {moves} ({})", count(plies.into(), "ply", "plies"))?;
        }
        (Some(plies), Metric::Dtz) => {
            let dtz = Dtz::from(Outcome::Win(plies));
            writeln!(out, "longest way to a capture, a pawn move or mate: {dtz}")?;
        }
        (None, Metric::Dtm) => writeln!(out, "nobody can force a mate")?,
        (None, Metric::Dtz) => writeln!(out, "nobody can win")?,
    }
    writeln!(out, "solved in {:.4} s", solved.seconds)
}

/// The columns of a side: the name, the positions, and the positions up to symmetry.
fn columns(side: &SideCounts) -> Vec<(&'static str, u64, u64)> {
    let (cursed, canonical_cursed) =
        (side.cursed_won.unwrap_or(0), side.canonical_cursed_won.unwrap_or(0));
    let (blessed, canonical_blessed) =
        (side.blessed_lost.unwrap_or(0), side.canonical_blessed_lost.unwrap_or(0));
    let mut columns = vec![
        ("legal", side.legal, side.canonical),
        ("won", side.won - cursed, side.canonical_won - canonical_cursed),
        ("won too late", cursed, canonical_cursed),
        ("drawn", side.drawn, side.canonical_drawn),
        ("lost too late", blessed, canonical_blessed),
        ("lost", side.lost - blessed, side.canonical_lost - canonical_blessed),
    ];
    if side.cursed_won.is_none() {
        columns.retain(|(name, ..)| !name.ends_with("late"));
    }
    columns
}

/// Prints the number of positions at each distance.
fn depths(solved: &SolveReport, out: &mut dyn Write) -> io::Result<()> {
    for (name, side) in sides(solved) {
        writeln!(out, "\n{name} to move")?;
        writeln!(out, "{:>6} {:>12} {:>12} {:>12}", "plies", "won", "lost", "canonical")?;
        for (&plies, &positions) in &side.histogram {
            let lost = side.lost_histogram.get(&plies).copied().unwrap_or_default();
            let canonical = side.canonical_histogram.get(&plies).copied().unwrap_or_default();
            let [won, lost, canonical] = [positions - lost, lost, canonical].map(grouped);
            writeln!(out, "{plies:>6} {won:>12} {lost:>12} {canonical:>12}")?;
        }
        let [drawn, canonical] = [side.drawn, side.canonical_drawn].map(grouped);
        writeln!(out, "{:>6} {drawn:>25} {canonical:>12}", "draw")?;
    }
    let longest = solved.longest_plies.map(|plies| Dtz::from(Outcome::Win(plies)));
    if solved.metric == Metric::Dtz && longest.is_some_and(Dtz::may_be_100_fewer) {
        writeln!(out, "\na number beyond 100 stands for that many plies or 100 fewer")?;
    }
    Ok(())
}

fn sides(solved: &SolveReport) -> [(&'static str, &SideCounts); 2] {
    [("White", &solved.white_to_move), ("Black", &solved.black_to_move)]
}
