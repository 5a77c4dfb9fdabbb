use super::output::{FileReportArgs, ProgressDisplay, count, grouped};
use super::syzygy::open_syzygy;
use super::tables::TableArgs;
use super::{Failure, Result, one_of};
use lucena::chess::{Material, QUICK_MEN};
use lucena::progress::Observer;
use lucena::report::{EndgameVerification, VerifyReport};
use lucena::tablebase::{Dtz, Metric, Outcome, Tablebase, moves_in};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, Write};

/// Check every entry of solved endgames from the rules alone
///
/// Each entry must equal the best of its successors' entries. The check goes forward, position by position,
/// and is independent of the solver. Only the named endgames are checked, not those that they lead to;
/// --all checks the endgames of three men before those of four. Endgames are loaded from the folder of
/// tables, or solved and kept there. The exit code is 1 if an entry is wrong.
///
/// With --syzygy, the checksums of Syzygy files are checked, and then every outcome and distance against those after
/// the moves, as far as rounding lets tell.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena verify
  lucena verify KBNvK KPvK
  lucena verify KPvKP --class dtz
  lucena verify KRvKN --syzygy tables  the Syzygy files in this folder
  lucena verify --all                  all 35 endgames of three and four men")]
pub(super) struct Verify {
    /// The endgames
    #[arg(default_value = "KRvK", conflicts_with = "all")]
    materials: Vec<Material>,
    /// All endgames of three and four men
    #[arg(long)]
    all: bool,
    /// The distance: to mate, or to the next capture, pawn move or mate under the fifty-move rule
    #[arg(long = "class", alias = "metric", value_name = "CLASS", default_value = "dtm", value_parser = one_of::<Metric>())]
    metric: Metric,
    /// Check the Syzygy files in these folders instead, with a colon between the folders (a semicolon on Windows)
    #[arg(
        id = "syzygy_files",
        long = "syzygy",
        value_name = "DIR[:DIR]",
        conflicts_with = "metric"
    )]
    syzygy: Option<OsString>,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: FileReportArgs,
}

impl Verify {
    pub(super) fn run(self) -> Result<()> {
        self.report.file().check()?;
        let mut materials =
            if self.all { [3, 4].map(Material::of_men).concat() } else { self.materials };
        let mut named = BTreeSet::new();
        materials.retain(|&material| named.insert(material));
        let bar = ProgressDisplay::new();
        let show = |endgame: &EndgameVerification| {
            if self.report.is_text() {
                bar.warn(&line(endgame, self.metric, self.syzygy.is_some()));
            }
        };
        if let Some(folders) = &self.syzygy {
            let tables = open_syzygy(folders)?;
            let verified = VerifyReport::of_syzygy(&tables, &materials, &bar, show)?;
            drop(bar);
            self.report.write(&verified, |out| text(&verified, out))?;
            return if verified.right { Ok(()) } else { Err(Failure::Check) };
        }
        let folder = self.tables.folder_of(self.metric, &materials)?;
        for &material in materials.iter().filter(|material| material.men() > QUICK_MEN) {
            let memory = self.tables.bytes_loaded(material) + Tablebase::memory_unpacked(material);
            self.tables.reserve(&format!("verifying {material}"), memory)?;
        }
        let verified = VerifyReport::new(&folder, &materials, &bar, show)?;
        drop(bar);
        self.report.write(&verified, |out| text(&verified, out))?;
        if verified.right { Ok(()) } else { Err(Failure::Check) }
    }
}

fn text(verified: &VerifyReport, out: &mut dyn Write) -> io::Result<()> {
    let verdict = if verified.right { "every entry is right" } else { "there are wrong entries" };
    let (positions, seconds) = (grouped(verified.positions), verified.seconds);
    let endgames = count(verified.endgames.len() as u64, "endgame", "endgames");
    writeln!(out, "{endgames}, {positions} positions: {verdict}, {seconds:.1} s")
}

/// The line for an endgame that has been checked.
fn line(endgame: &EndgameVerification, metric: Metric, is_syzygy: bool) -> String {
    let EndgameVerification { material, solve_seconds, verify_seconds, .. } = endgame;
    if let Some(wrong) = &endgame.wrong {
        return format!("{material}: {wrong}");
    }
    let longest = match (endgame.longest_plies, metric) {
        (Some(plies), Metric::Dtm) => {
            format!("longest mate {}", count(moves_in(plies).into(), "move", "moves"))
        }
        (Some(plies), Metric::Dtz) => {
            format!("longest distance {}", Dtz::from(Outcome::Win(plies)))
        }
        (None, Metric::Dtm) => "nobody can force a mate".into(),
        (None, Metric::Dtz) => "nobody can win".into(),
    };
    if is_syzygy {
        return format!(
            "{material:6} {:>10} positions right, verified in {verify_seconds:.2} s",
            grouped(endgame.positions)
        );
    }
    let positions = grouped(endgame.positions);
    format!(
        "{material:6} {positions:>10} positions right, {longest}; solved in {solve_seconds:.2} s, verified in {verify_seconds:.2} s"
    )
}
