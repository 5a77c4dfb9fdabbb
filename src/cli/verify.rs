use super::Failure;
use super::output::{Report, count, grouped, note, timed, waiting};
use super::tables::Tables;
use lucena::chess::Material;
use serde::Serialize;
use std::io::{self, Write};

/// Check every entry of solved endgames from the rules alone
///
/// Each entry has to equal the best of its successors' entries: forward, position by position, apart
/// from how it was solved. What an endgame leads to is checked by itself, as the three-man endgames
/// are before those of four men. Endgames are read from the folder of tables, or solved and kept
/// there. The exit code is 1 if an entry is wrong.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena verify
  lucena verify KBNvK KPvK
  lucena verify --all                  all 35 endgames of three and four men")]
pub(super) struct Verify {
    /// The endgames
    #[arg(default_value = "KRvK", conflicts_with = "all")]
    materials: Vec<Material>,
    /// All endgames of three and four men
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

#[derive(Serialize)]
struct Verified {
    endgames: Vec<Endgame>,
    positions: u64,
    right: bool,
    seconds: f64,
}

#[derive(Serialize)]
struct Endgame {
    material: String,
    positions: u64,
    longest_plies: Option<u16>,
    solve_seconds: f64,
    verify_seconds: f64,
    /// What is wrong, if anything is.
    wrong: Option<String>,
}

impl Verify {
    pub(super) fn run(self) -> Result<(), Failure> {
        let materials =
            if self.all { [3, 4].map(Material::of_men).concat() } else { self.materials.clone() };
        let folder = self.tables.folder();
        let check = |&material: &Material| {
            let (tablebase, solve_seconds) = timed(|| Tables::fetch(&folder, material));
            let bar = waiting(format!("verifying {material}"));
            let (checked, verify_seconds) = timed(|| tablebase.verify_own());
            bar.finish_and_clear();
            let (positions, wrong) = match checked {
                Ok(positions) => (positions, None),
                Err(error) => (0, Some(error.to_string())),
            };
            let endgame = Endgame {
                material: material.to_string(),
                positions,
                longest_plies: tablebase.longest(),
                solve_seconds,
                verify_seconds,
                wrong,
            };
            if self.report.is_text() {
                note(&endgame.to_string());
            }
            endgame
        };
        let (endgames, seconds) = timed(|| materials.iter().map(check).collect::<Vec<_>>());
        let verified = Verified {
            positions: endgames.iter().map(|endgame| endgame.positions).sum(),
            right: endgames.iter().all(|endgame| endgame.wrong.is_none()),
            endgames,
            seconds,
        };
        self.report.write(&verified, |out| verified.text(out))?;
        if verified.right { Ok(()) } else { Err(Failure::Check) }
    }
}

impl Verified {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let verdict = if self.right { "every entry is right" } else { "there are wrong entries" };
        let (positions, seconds) = (grouped(self.positions), self.seconds);
        let endgames = count(self.endgames.len() as u64, "endgame", "endgames");
        writeln!(out, "{endgames}, {positions} positions: {verdict}, {seconds:.1} s")
    }
}

impl std::fmt::Display for Endgame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { material, solve_seconds, verify_seconds, .. } = self;
        if let Some(wrong) = &self.wrong {
            return write!(f, "{material}: {wrong}");
        }
        let longest = match self.longest_plies {
            Some(plies) => {
                format!("longest mate {}", count(plies.div_ceil(2).into(), "move", "moves"))
            }
            None => "nobody can force a mate".into(),
        };
        let positions = grouped(self.positions);
        write!(
            f,
            "{material:6} {positions:>10} positions right, {longest}; solved in {solve_seconds:.2} s, verified in {verify_seconds:.2} s"
        )
    }
}
