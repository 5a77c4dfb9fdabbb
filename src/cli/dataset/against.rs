//! The UCI data set krkopt, compared with a file or with the published one.

use super::super::file_kind::wrong_kind;
use super::super::output::ReportArgs;
use super::super::tables::TableArgs;
use super::{Dataset, Failure, Result};
use lucena::chess::Material;
use lucena::dataset::Format;
use lucena::report;
use lucena::text::without_mark;
use lucena_files::load;
use lucena_model::FileKind;
use std::path::Path;

/// The word for the published file in place of a path.
const PUBLISHED: &str = "published";

/// A comparison of the regenerated data set with a file, or with the published one.
pub(in super::super) struct Comparison<'a> {
    pub(in super::super) material: Material,
    /// The file; `None` for the published one.
    pub(in super::super) file: Option<&'a Path>,
    pub(in super::super) tables: &'a TableArgs,
    pub(in super::super) report: &'a ReportArgs,
}

impl Comparison<'_> {
    /// Prints the comparison. A difference is a failure.
    pub(in super::super) fn run(&self) -> Result<()> {
        // The digest in the report is that of all bytes, so a byte order mark is kept.
        let whole = |bytes: &[u8]| without_mark(bytes).map(|_| bytes.to_vec());
        let read = |path: &Path| {
            let bytes = load(path, whole)?;
            match FileKind::recognize(&bytes) {
                None | Some(FileKind::Rows) => Ok((path.display().to_string(), bytes)),
                Some(found) => Err(wrong_kind(path, found)),
            }
        };
        let file = self.file.map(read).transpose()?;
        let tablebase = self.tables.solve_quick(self.material)?;
        let file = file.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        let compared = report::check(&tablebase, file)?;
        self.report.write(&compared, |out| compared.write_text(out))?;
        if compared.passes() { Ok(()) } else { Err(Failure::Check) }
    }
}

impl Dataset {
    pub(super) fn compare(&self, file: &Path) -> Result<()> {
        if let Some(format) = self.format.filter(|&format| format != Format::Krkopt) {
            return Err(Failure::usage(format!(
                "--against compares files in the format krkopt: write --format krkopt instead of --format {format}"
            )));
        }
        let file = Some(file).filter(|file| *file != Path::new(PUBLISHED));
        let (tables, report) = (&self.tables, &self.comparison.report());
        Comparison { material: self.material, file, tables, report }.run()
    }
}
