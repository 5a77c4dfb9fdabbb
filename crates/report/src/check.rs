//! The UCI data set krkopt, regenerated, and the differences of a file from it.

use super::ReportError;
use lucena_base::named::Named;
use lucena_base::plural::grouped;
use lucena_dataset::krkopt::{self, Comparison, Difference, DifferenceKind};
use lucena_tablebase::Tablebase;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// A file compared with the regenerated data set, or that data set compared with the published one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckReport {
    /// Rows of the file, readable or not.
    pub rows: u64,
    /// Rows that are right, each position counted once.
    pub matching: u64,
    /// Rows of the data set that the file lacks.
    pub missing: u64,
    /// Rows whose position is not in the data set.
    pub extra: u64,
    /// Rows whose position has occurred before.
    pub duplicate: u64,
    /// Rows whose depth differs from the table's.
    pub wrong: u64,
    /// Rows that cannot be read.
    pub malformed: u64,
    /// The SHA-256 of the file.
    pub sha256: String,
    /// True if the file equals the regenerated one, or the regenerated one the published one, byte
    /// for byte.
    pub identical: bool,
    /// The rows that are not right.
    pub differences: Vec<Difference>,
    /// The name of the file; `None` for the regenerated one.
    #[serde(skip)]
    file: Option<String>,
}

/// Compares a file, given with its name, with the regenerated data set; without a file, compares
/// the regenerated data set with the published one.
///
/// # Errors
/// If the table has no such data set, or no file is given and none was published.
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
        return Ok(CheckReport::new(comparison, None));
    };
    Ok(CheckReport::new(krkopt::compare(tablebase, bytes)?, Some(name.into())))
}

impl CheckReport {
    fn new(comparison: Comparison, file: Option<String>) -> Self {
        let count = |kind| comparison.count(kind);
        Self {
            missing: count(DifferenceKind::Missing),
            extra: count(DifferenceKind::Extra),
            duplicate: count(DifferenceKind::Duplicate),
            wrong: count(DifferenceKind::Wrong),
            malformed: count(DifferenceKind::Malformed),
            rows: comparison.rows,
            matching: comparison.matching,
            sha256: comparison.sha256,
            identical: comparison.identical,
            differences: comparison.differences,
            file,
        }
    }

    /// Returns true if every row is right; a regenerated file must also equal the published one.
    pub fn passes(&self) -> bool {
        self.differences.is_empty() && (self.file.is_some() || self.identical)
    }

    /// Writes the report in sentences.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for difference in &self.differences {
            writeln!(out, "{difference}")?;
        }
        let (rows, right) = (grouped(self.rows), grouped(self.matching));
        let what = self.file.as_deref().unwrap_or("regenerated");
        writeln!(out, "{what}: {rows} rows, {right} right\nsha256 {}", self.sha256)?;
        writeln!(out, "{}", self.verdict())
    }

    fn verdict(&self) -> String {
        match (&self.file, self.identical) {
            (None, true) => "identical to the published krkopt.data, byte for byte".into(),
            (None, false) => "NOT the published krkopt.data".into(),
            (Some(_), true) => "identical to the regenerated file, byte for byte".into(),
            (Some(_), false) if self.passes() => {
                "every row is right; their order or line ends differ from the regenerated file"
                    .into()
            }
            (Some(_), false) => {
                let Self { missing, extra, duplicate, wrong, malformed, .. } = *self;
                let counts = [missing, extra, duplicate, wrong, malformed];
                let counts = DifferenceKind::ALL.iter().zip(counts).filter(|&(_, count)| count > 0);
                let said: Vec<String> =
                    counts.map(|((kind, _), count)| format!("{} {kind}", grouped(count))).collect();
                format!("differs: {}", said.join(", "))
            }
        }
    }
}
