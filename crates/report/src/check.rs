//! The UCI data set krkopt, regenerated, and the differences of a file from it.

use super::ReportError;
use lucena_base::named::Named;
use lucena_base::plural::grouped;
use lucena_dataset::krkopt::{self, Comparison, DifferenceKind};
use lucena_tablebase::Tablebase;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// A file compared with the regenerated data set, or that data set compared with the published one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckReport {
    /// The comparison.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// The name of the file; `None` for the regenerated one.
    #[serde(skip)]
    file: Option<String>,
}

/// The most differences that are listed in sentences.
const MAX_LINES: usize = 100;

/// Compares a file, given with its name, with the regenerated data set; without a file, compares
/// the regenerated data set with the published one.
///
/// # Errors
/// If the table has no such data set, the file has no rows of one, or no file is given and none was published.
pub fn check(
    tablebase: &Tablebase,
    file: Option<(&str, &[u8])>,
) -> Result<CheckReport, ReportError> {
    let Some((name, bytes)) = file else {
        let mut comparison = krkopt::compare(tablebase, &krkopt::to_csv(tablebase)?)?;
        let material = tablebase.material();
        if material.to_string() != "KRvK" {
            return Err(ReportError::Unpublished(material));
        }
        comparison.identical = comparison.sha256 == krkopt::KRVK_SHA256;
        return Ok(CheckReport { comparison, file: None });
    };
    krkopt::check_material(tablebase.material())?;
    krkopt::check_file(bytes)?;
    let comparison = krkopt::compare(tablebase, bytes)?;
    Ok(CheckReport { comparison, file: Some(name.into()) })
}

impl CheckReport {
    /// Returns true if every row is right; a regenerated file must also equal the published one.
    pub fn passes(&self) -> bool {
        self.comparison.is_right() && (self.file.is_some() || self.comparison.identical)
    }

    /// Writes the report in sentences.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Comparison { rows, matching, sha256, differences, .. } = &self.comparison;
        for difference in differences.iter().take(MAX_LINES) {
            writeln!(out, "{difference}")?;
        }
        if differences.len() > MAX_LINES {
            let more = grouped((differences.len() - MAX_LINES) as u64);
            writeln!(out, "... and {more} more, which the report in JSON lists")?;
        }
        let (rows, right) = (grouped(*rows), grouped(*matching));
        let what = self.file.as_deref().unwrap_or("regenerated");
        writeln!(out, "{what}: {rows} rows, {right} right\nsha256 {sha256}")?;
        writeln!(out, "{}", self.verdict())
    }

    fn verdict(&self) -> String {
        match (&self.file, self.comparison.identical) {
            (None, true) => "identical to the published krkopt.data, byte for byte".into(),
            (None, false) => "NOT the published krkopt.data".into(),
            (Some(_), true) => "identical to the regenerated file, byte for byte".into(),
            (Some(_), false) if self.passes() => {
                "every row is right; their order or line ends differ from the regenerated file"
                    .into()
            }
            (Some(_), false) => {
                let Comparison { missing, extra, duplicate, wrong, malformed, .. } =
                    self.comparison;
                let counts = [missing, extra, duplicate, wrong, malformed];
                let counts = DifferenceKind::ALL.iter().zip(counts).filter(|&(_, count)| count > 0);
                let said: Vec<String> =
                    counts.map(|((kind, _), count)| format!("{} {kind}", grouped(count))).collect();
                format!("differs: {}", said.join(", "))
            }
        }
    }
}
