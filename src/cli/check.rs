use super::Failure;
use super::output::{Report, grouped};
use super::tables::Tables;
use lucena::chess::Material;
use lucena::dataset::krkopt::{self, Comparison, Difference, Kind};
use lucena_files::read_file;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Regenerate the UCI krkopt data set, and compare a file with it row by row
///
/// Without a file, KRvK is checked against the published file's SHA-256. With one, every missing,
/// extra, duplicate, malformed and wrong row is listed with its line, its FEN and both depths; the
/// exit code is 1 if there is any.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena check
  lucena check --against krkopt.data
  lucena check --against krkopt.data --format json")]
pub(super) struct Check {
    /// The endgame, of three men
    #[arg(default_value = "KRvK")]
    material: Material,
    /// A file to compare, in the form of krkopt.data
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

#[derive(Serialize)]
struct Checked {
    rows: u64,
    matching: u64,
    missing: u64,
    extra: u64,
    duplicate: u64,
    wrong: u64,
    malformed: u64,
    sha256: String,
    identical: bool,
    differences: Vec<CheckedRow>,
}

#[derive(Serialize)]
struct CheckedRow {
    kind: &'static str,
    line: u64,
    fen: Option<String>,
    file_depth: Option<String>,
    table_depth: Option<String>,
    note: Option<String>,
}

impl Check {
    pub(super) fn run(self) -> Result<(), Failure> {
        let tablebase = self.tables.solve(self.material);
        let file = match &self.against {
            Some(path) => read_file(path)?,
            None => krkopt::to_csv(&tablebase)?,
        };
        let mut comparison = krkopt::compare(&tablebase, &file)?;
        if self.against.is_none() {
            // Our own rows can only be held against what was published.
            if self.material.to_string() != "KRvK" {
                return Err(Failure::usage(format!(
                    "no data set of {} has been published to check against: name a file with --against FILE",
                    self.material
                )));
            }
            comparison.identical = comparison.sha256 == krkopt::KRVK_SHA256;
        }
        let checked = Checked::new(&comparison);
        self.report.write(&checked, |out| self.text(out, &comparison))?;
        let passed = comparison.is_right() && (self.against.is_some() || comparison.identical);
        if passed { Ok(()) } else { Err(Failure::Check) }
    }

    fn text(&self, out: &mut dyn Write, comparison: &Comparison) -> io::Result<()> {
        for difference in &comparison.differences {
            writeln!(out, "{}", sentence(difference))?;
        }
        let Comparison { rows, matching, sha256, identical, .. } = comparison;
        let what =
            self.against.as_ref().map_or("regenerated".into(), |path| path.display().to_string());
        writeln!(out, "{what}: {} rows, {} right", grouped(*rows), grouped(*matching))?;
        writeln!(out, "sha256 {sha256}")?;
        match (&self.against, identical, comparison.is_right()) {
            (None, true, _) => {
                writeln!(out, "identical to the published krkopt.data, byte for byte")
            }
            (None, false, _) => writeln!(out, "NOT the published krkopt.data"),
            (Some(_), true, _) => writeln!(out, "identical to the regenerated file, byte for byte"),
            (Some(_), false, true) => {
                writeln!(
                    out,
                    "every row is right; their order or line ends differ from the regenerated file"
                )
            }
            (Some(_), false, false) => {
                let counts: Vec<String> = KINDS
                    .iter()
                    .filter(|&&kind| comparison.count(kind) > 0)
                    .map(|&kind| format!("{} {}", grouped(comparison.count(kind)), kind.name()))
                    .collect();
                writeln!(out, "differs: {}", counts.join(", "))
            }
        }
    }
}

const KINDS: [Kind; 5] =
    [Kind::Missing, Kind::Extra, Kind::Duplicate, Kind::Wrong, Kind::Malformed];

impl Checked {
    fn new(comparison: &Comparison) -> Self {
        let row = |difference: &Difference| CheckedRow {
            kind: difference.kind.name(),
            line: difference.line,
            fen: difference.fen.clone(),
            file_depth: difference.file_depth.map(|depth| depth.to_string()),
            table_depth: difference.table_depth.map(|depth| depth.to_string()),
            note: difference.note.clone(),
        };
        Self {
            rows: comparison.rows,
            matching: comparison.matching,
            missing: comparison.count(Kind::Missing),
            extra: comparison.count(Kind::Extra),
            duplicate: comparison.count(Kind::Duplicate),
            wrong: comparison.count(Kind::Wrong),
            malformed: comparison.count(Kind::Malformed),
            sha256: comparison.sha256.clone(),
            identical: comparison.identical,
            differences: comparison.differences.iter().map(row).collect(),
        }
    }
}

fn sentence(difference: &Difference) -> String {
    let Difference { kind, line, fen, file_depth, table_depth, note } = difference;
    let mut parts = vec![format!("line {line}: {}", kind.name())];
    parts.extend(fen.clone());
    let depths = [("file", file_depth), ("table", table_depth)];
    let says = |(who, depth): (&str, &Option<_>)| Some(format!("{who} says {}", depth.as_ref()?));
    parts.extend(depths.into_iter().filter_map(says));
    parts.extend(note.clone());
    parts.join(", ")
}
