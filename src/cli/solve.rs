use super::Result;
#[cfg(not(feature = "dist"))]
use super::missing::WorkerArgs;
use super::output::{ProgressDisplay, ReportArgs, check_outputs, count, grouped, note_written};
use super::tables::TableArgs;
#[cfg(feature = "dist")]
use super::workers::WorkerArgs;
use lucena::chess::Material;
use lucena::report::{SideCounts, SolveReport};
use lucena::tablebase::{Outcome, TableFolder, moves_in};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

/// Solve an endgame, and count its won, drawn and lost positions
///
/// Distances are to mate, in plies (half moves), with best play by both sides. White has the strong side,
/// the one named first. Canonical positions count each orbit of the board's symmetries once.
///
/// An endgame of five men takes from seconds to hours, including the endgames that it leads to; the
/// memory that it needs is printed first. Ctrl-C loses at most the current ply: the next run continues
/// from there. Each solved endgame is kept in the folder of tables.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena solve
  lucena solve KQvK --all-depths
  lucena solve KRvK --format json
  lucena solve KRvK --out KRvK.table   (read by probe --table)
  lucena solve KBBvKN --processes 2
  lucena solve KRPvKR --hosts hosts.txt --here 1   (the same on each host, with its own line)")]
pub(super) struct Solve {
    /// The endgame: the men of both sides with a v between them
    #[arg(default_value = "KRvK")]
    material: Material,
    /// Also print the number of positions at each distance
    #[arg(long)]
    all_depths: bool,
    /// Write the table to a file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
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
        let folder = self.folder()?;
        let seconds_of_workers = started.elapsed().as_secs_f64();
        let (mut solved, tablebase) =
            SolveReport::new(&folder, self.material, &ProgressDisplay::new())?;
        solved.seconds += seconds_of_workers;
        if let Some(path) = &self.out {
            tablebase.save(path)?;
            note_written(path);
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
            return self.workers.solve(self.material, &self.tables);
        }
        self.tables.folder_for(&[self.material])
    }
}

/// Prints the number of positions of each outcome, and the longest mate.
fn overview(solved: &SolveReport, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}, positions of the full board (up to symmetry)\n", solved.material)?;
    writeln!(out, "{:8} {:>24} {:>24} {:>24} {:>24}", "to move", "legal", "won", "drawn", "lost")?;
    for (name, side) in sides(solved) {
        let full = [side.legal, side.won, side.drawn, side.lost].map(grouped);
        let [won, drawn, lost] = [side.canonical_won, side.canonical_drawn, side.canonical_lost];
        let canonical = [side.canonical, won, drawn, lost].map(grouped);
        write!(out, "{name:8}")?;
        for (full, canonical) in full.iter().zip(canonical) {
            write!(out, " {:>24}", format!("{full} ({canonical})"))?;
        }
        writeln!(out)?;
    }
    writeln!(out)?;
    match solved.longest_plies {
        Some(plies) => {
            let moves = count(moves_in(plies).into(), "move", "moves");
            writeln!(out, "longest mate: {moves} ({})", count(plies.into(), "ply", "plies"))?;
        }
        None => writeln!(out, "nobody can force a mate")?,
    }
    writeln!(out, "solved in {:.4} s", solved.seconds)
}

/// Prints the number of positions at each distance.
fn depths(solved: &SolveReport, out: &mut dyn Write) -> io::Result<()> {
    for (name, side) in sides(solved) {
        writeln!(out, "\n{name} to move")?;
        writeln!(out, "{:>6} {:>12} {:>12} {:>12}", "plies", "won", "lost", "canonical")?;
        for (&plies, &positions) in &side.histogram {
            let (won, lost) = match Outcome::mate_in(plies) {
                Outcome::Win(_) => (positions, 0),
                _ => (0, positions),
            };
            let canonical = side.canonical_histogram.get(&plies).copied().unwrap_or_default();
            let [won, lost, canonical] = [won, lost, canonical].map(grouped);
            writeln!(out, "{plies:>6} {won:>12} {lost:>12} {canonical:>12}")?;
        }
        let [drawn, canonical] = [side.drawn, side.canonical_drawn].map(grouped);
        writeln!(out, "{:>6} {drawn:>25} {canonical:>12}", "draw")?;
    }
    Ok(())
}

fn sides(solved: &SolveReport) -> [(&'static str, &SideCounts); 2] {
    [("White", &solved.white_to_move), ("Black", &solved.black_to_move)]
}
