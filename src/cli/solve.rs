use super::Failure;
use super::output::{Report, count, grouped, note, timed};
use super::tables::Tables;
use lucena::chess::{Material, Side};
use lucena::symmetry::Group;
use lucena::tablebase::{Counts, Plies, Tablebase};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::PathBuf;

/// Solve an endgame: how many positions are won, drawn and lost, and how far from mate
///
/// Distances are to mate, in plies (half moves), with best play by both sides. White has the strong
/// side, the one named first. Canonical positions count each orbit of the eight symmetries once.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena solve
  lucena solve KQvK --all-depths
  lucena solve KRvK --format json
  lucena solve KRvK --out KRvK.table   (read by probe --table)")]
pub(super) struct Solve {
    /// The endgame, both sides with a v between them
    #[arg(default_value = "KRvK")]
    material: Material,
    /// Also print how many positions there are at each distance
    #[arg(long)]
    all_depths: bool,
    /// Write the table to a file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

#[derive(Serialize)]
struct Solved {
    material: String,
    white_to_move: SideCounts,
    black_to_move: SideCounts,
    longest_plies: Option<Plies>,
    seconds: f64,
}

#[derive(Serialize)]
struct SideCounts {
    legal: u64,
    canonical: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    histogram: BTreeMap<Plies, u64>,
    canonical_won: u64,
    canonical_drawn: u64,
    canonical_lost: u64,
    canonical_histogram: BTreeMap<Plies, u64>,
}

impl SideCounts {
    fn new(full: Counts, canonical: Counts) -> Self {
        Self {
            legal: full.legal(),
            canonical: canonical.legal(),
            won: full.won,
            drawn: full.drawn,
            lost: full.lost,
            histogram: full.histogram,
            canonical_won: canonical.won,
            canonical_drawn: canonical.drawn,
            canonical_lost: canonical.lost,
            canonical_histogram: canonical.histogram,
        }
    }
}

impl Solve {
    pub(super) fn run(self) -> Result<(), Failure> {
        let (tablebase, seconds) = timed(|| self.tables.solve(self.material));
        if let Some(path) = &self.out {
            tablebase.save(path)?;
            note(&format!("wrote {}", path.display()));
        }
        let solved = Solved::new(&tablebase, seconds);
        self.report.write(&solved, |out| solved.text(out, self.all_depths))
    }
}

impl Solved {
    fn new(tablebase: &Tablebase, seconds: f64) -> Self {
        let material = tablebase.material();
        let side = |side| {
            let full = tablebase.counts(side, Group::Identity);
            SideCounts::new(full, tablebase.counts(side, Group::of(material)))
        };
        Self {
            material: material.to_string(),
            white_to_move: side(Side::Strong),
            black_to_move: side(Side::Weak),
            longest_plies: tablebase.longest(),
            seconds,
        }
    }

    fn text(&self, out: &mut dyn Write, all_depths: bool) -> io::Result<()> {
        let sides = [("White", &self.white_to_move), ("Black", &self.black_to_move)];
        writeln!(out, "{}, positions of the full board (up to symmetry)", self.material)?;
        writeln!(out)?;
        let both =
            |full: u64, canonical: u64| format!("{} ({})", grouped(full), grouped(canonical));
        let heads = ["to move", "legal", "won", "drawn", "lost"];
        writeln!(
            out,
            "{:8} {:>24} {:>24} {:>24} {:>24}",
            heads[0], heads[1], heads[2], heads[3], heads[4]
        )?;
        for (name, side) in sides {
            writeln!(
                out,
                "{name:8} {:>24} {:>24} {:>24} {:>24}",
                both(side.legal, side.canonical),
                both(side.won, side.canonical_won),
                both(side.drawn, side.canonical_drawn),
                both(side.lost, side.canonical_lost),
            )?;
        }
        writeln!(out)?;
        match self.longest_plies {
            Some(plies) => {
                let moves = count(plies.div_ceil(2).into(), "move", "moves");
                writeln!(out, "longest mate: {moves} ({})", count(plies.into(), "ply", "plies"))?;
            }
            None => writeln!(out, "nobody can force a mate")?,
        }
        writeln!(out, "solved in {:.4} s", self.seconds)?;
        if all_depths {
            for (name, side) in sides {
                writeln!(
                    out,
                    "\n{name} to move\n{:>6} {:>12} {:>12} {:>12}",
                    "plies", "won", "lost", "canonical"
                )?;
                let depths: BTreeSet<Plies> = side.histogram.keys().copied().collect();
                for plies in depths {
                    let (won, lost) = if plies % 2 == 1 {
                        (side.histogram[&plies], 0)
                    } else {
                        (0, side.histogram[&plies])
                    };
                    let canonical = side.canonical_histogram[&plies];
                    writeln!(
                        out,
                        "{plies:>6} {:>12} {:>12} {:>12}",
                        grouped(won),
                        grouped(lost),
                        grouped(canonical)
                    )?;
                }
                writeln!(
                    out,
                    "{:>6} {:>25} {:>12}",
                    "draw",
                    grouped(side.drawn),
                    grouped(side.canonical_drawn)
                )?;
            }
        }
        Ok(())
    }
}
