use super::output::ReportArgs;
use super::tables::TableArgs;
use super::{Failure, Result};
use lucena::chess::{Material, ParseMaterialError};
use lucena::report;
use lucena::text::without_mark;
use lucena_files::{LoadError, load};
use std::path::{Path, PathBuf};

/// Regenerate the UCI krkopt data set, and compare it with the published one or with a file
///
/// Without a file, KRvK is checked against the SHA-256 of the published file. With a file, every
/// missing, extra, duplicate, malformed and wrong row is listed with its line, its FEN and both
/// depths. The exit code is 1 if there is any such row.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena check
  lucena check --against krkopt.data
  lucena check --against krkopt.data --format json")]
pub(super) struct Check {
    /// The endgame, of three men
    #[arg(default_value = "KRvK", value_parser = parse_endgame)]
    material: Material,
    /// A file to compare, in the format of krkopt.data
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// The error for what is not an endgame.
#[derive(Debug, thiserror::Error)]
enum ParseEndgameError {
    #[error("it is not an endgame; to compare a file, write --against {0}")]
    File(String),
    #[error(transparent)]
    Material(#[from] ParseMaterialError),
}

/// Parses the endgame. A file in its place gets advice.
fn parse_endgame(text: &str) -> Result<Material, ParseEndgameError> {
    match text.parse() {
        Err(_) if text.contains(['.', '/', '\\']) || Path::new(text).exists() => {
            Err(ParseEndgameError::File(text.into()))
        }
        parsed => Ok(parsed?),
    }
}

impl Check {
    pub(super) fn run(self) -> Result<()> {
        // The digest in the report is that of all bytes, so a byte order mark is kept.
        let whole = |bytes: &[u8]| without_mark(bytes).map(|_| bytes.to_vec());
        let read = |path: &PathBuf| {
            let bytes = load(path, whole)?;
            Ok::<_, LoadError<_>>((path.display().to_string(), bytes))
        };
        let file = self.against.as_ref().map(read).transpose()?;
        let tablebase = self.tables.solve_quick(self.material)?;
        let file = file.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        let compared = report::check(&tablebase, file)?;
        self.report.write(&compared, |out| compared.write_text(out))?;
        if compared.passes() { Ok(()) } else { Err(Failure::Check) }
    }
}
