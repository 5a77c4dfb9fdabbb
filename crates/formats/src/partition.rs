//! Rows in many Parquet files, for engines that read many files at once. Values that all rows of a file
//! share are in the names of its folders, as in Hive.

use super::format::{Format, FormatError};
use super::parquet::{even, write_files};
use lucena_chess::{Material, Side};
use lucena_dataset::{FileSummary, Rows};
use std::io::{self, Write};
use std::num::NonZeroUsize;

/// Rows to be written in parts: files that hold the rows in order. All mirror images of a position are
/// in one part.
///
/// ```
/// use lucena_attributes::{AttributeSet, Selection};
/// use lucena_chess::Side;
/// use lucena_dataset::{Positions, Rows};
/// use lucena_formats::PartitionedRows;
/// use lucena_tablebase::Tablebase;
/// use std::num::NonZeroUsize;
///
/// let material = "KRvK".parse()?;
/// let tablebase = Tablebase::solve(material);
/// let attributes = AttributeSet::new(material, Selection::Location);
/// let sides = Rows::of_sides(&tablebase, &attributes, Positions::Canonical, &[Side::Strong])?;
/// let parts = PartitionedRows::new(&sides[0], NonZeroUsize::new(4).expect("more than none"))?;
/// let written = parts.write(|_name| Ok(std::io::sink()))?;
/// assert_eq!(written[3].name, "material=KRvK/turn=white/part-00003.parquet");
/// let rows: Vec<u64> = written.iter().map(|file| file.written.rows).collect();
/// assert_eq!(rows, [5_489, 5_490, 5_490, 5_490]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PartitionedRows<'r> {
    rows: &'r Rows<'r>,
    number: usize,
    orbits: usize,
}

impl<'r> PartitionedRows<'r> {
    /// Divides the rows into a number of parts.
    ///
    /// # Errors
    /// If a part would be empty.
    pub fn new(rows: &'r Rows<'r>, number: NonZeroUsize) -> Result<Self, FormatError> {
        let (number, orbits) = (number.get(), rows.orbits_len());
        if number > orbits {
            return Err(FormatError::TooManyParts { parts: number, orbits });
        }
        Ok(Self { rows, number, orbits })
    }

    /// The folder of a material's parts, for either side to move.
    pub fn folder(material: Material) -> String {
        format!("material={material}")
    }

    /// The names of the parts, in the order of their rows.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let folder = Self::folder(self.rows.source().material());
        let turn = match self.rows.turn() {
            Side::Strong => "white",
            Side::Weak => "black",
        };
        // Enough digits for the names to sort in the order of the rows.
        let digits = (self.number - 1).to_string().len().max(5);
        (0..self.number)
            .map(move |number| format!("{folder}/turn={turn}/part-{number:0digits$}.parquet"))
    }

    /// Writes all parts in order, while later ones are being made. `create` is called with the name of
    /// each part, folders included, before its first byte is written.
    ///
    /// # Errors
    /// If `create` or one of its writers fails.
    pub fn write<W: Write>(
        &self,
        mut create: impl FnMut(&str) -> io::Result<W>,
    ) -> io::Result<Vec<FileSummary>> {
        let mut names = self.names();
        let mut begun = Vec::with_capacity(self.number);
        let sizes = even(self.orbits, self.number).map(|orbits| orbits.len());
        let written = write_files(self.rows, Format::Parquet.encoding(), sizes, || {
            let name = names.next().expect("each part has a name");
            let file = create(&name);
            begun.push(name);
            file
        })?;
        self.rows.source().check().map_err(io::Error::other)?;
        let file = |(name, written)| FileSummary { name, written };
        Ok(begun.into_iter().zip(written).map(file).collect())
    }
}
