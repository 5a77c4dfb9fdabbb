//! The file formats of data sets.

use lucena_attributes::ValueEncoding;
use lucena_base::named::named;
use lucena_chess::Side;
use lucena_dataset::krkopt::{self, KrkoptError};
use lucena_dataset::{Chunk, CountingWriter, Declaration, Lines, Positions, Rows, WriteSummary};
use lucena_tablebase::Tablebase;
use std::io::{self, Write};

named! {
    /// A file format.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Format {
        /// Comma-separated values with a header line.
        Csv = "csv",
        /// ARFF with numeric attributes, for Weka's J48 and OpenML.
        Arff = "arff",
        /// ARFF with nominal attributes only, for Weka's Id3.
        ArffNominal = "arff-nominal",
        /// Apache Parquet.
        Parquet = "parquet",
        /// LIBSVM: the class number, then the non-zero values.
        Libsvm = "libsvm",
        /// UCI's krkopt: the six coordinates and the depth, sorted, without a header.
        Krkopt = "krkopt",
    }
}

impl Format {
    /// The way in which the values of attributes are written.
    pub fn encoding(self) -> ValueEncoding {
        match self {
            Self::Libsvm => ValueEncoding::Code,
            Self::Csv | Self::Arff | Self::ArffNominal | Self::Parquet | Self::Krkopt => {
                ValueEncoding::Text
            }
        }
    }

    /// Returns true if the format allows a column that is not an attribute, such as the fold.
    pub fn has_room_for_folds(self) -> bool {
        !matches!(self, Self::Libsvm | Self::Krkopt)
    }
}

/// The error for rows that cannot be written in a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// This build has no Parquet writer.
    #[error("this program cannot write Parquet: build it with the feature parquet, or choose csv")]
    NoParquet,
    /// The format does not allow a column that is not an attribute.
    #[error(
        "{0} has no room for a column of folds: write each fold into its own file, or choose csv, arff or parquet"
    )]
    NoFolds(Format),
    /// The material does not have krkopt's columns.
    #[error(transparent)]
    Krkopt(#[from] KrkoptError),
    /// krkopt has one position per orbit.
    #[error("krkopt lists one position of each orbit: choose the canonical positions, or csv")]
    NotCanonical,
    /// krkopt has Black to move.
    #[error("krkopt has positions with Black to move: choose the turn \"black\", or csv")]
    NotBlackToMove,
    /// There are more parts than positions up to symmetry.
    #[error(
        "cannot write {orbits} positions up to symmetry in {parts} parts: ask for 1 to {orbits}"
    )]
    TooManyParts {
        /// The requested number of parts.
        parts: usize,
        /// The number of orbits.
        orbits: usize,
    },
    /// krkopt has fixed columns.
    #[error(
        "krkopt has the locations of the men and no other columns: choose the attributes \"location\", or csv"
    )]
    OtherColumns,
    /// krkopt has the whole endgame.
    #[error("krkopt has positions from the whole endgame: leave the conditions out, or choose csv")]
    NotWhole,
    /// krkopt has distances to mate.
    #[error("krkopt has distances to mate: choose the class dtm, or csv")]
    OtherClasses,
}

/// Rows, ready to be written in a format that can hold them.
pub struct FormattedRows<'r> {
    rows: &'r Rows<'r>,
    body: Body<'r>,
}

/// The part that depends on the format.
enum Body<'r> {
    Lines(Lines),
    #[cfg(feature = "parquet")]
    Parquet,
    Krkopt(&'r Tablebase),
}

impl<'r> FormattedRows<'r> {
    /// Prepares the rows for a format.
    ///
    /// # Errors
    /// If the format cannot hold the rows, or this build cannot write it.
    pub fn new(rows: &'r Rows<'r>, format: Format) -> Result<Self, FormatError> {
        let heading = rows.heading();
        if rows.has_folds() && !format.has_room_for_folds() {
            return Err(FormatError::NoFolds(format));
        }
        let body = match format {
            Format::Csv => Body::Lines(Lines::csv(heading)),
            Format::Arff => Body::Lines(Lines::arff(heading, Declaration::AsTheyAre)),
            Format::ArffNominal => Body::Lines(Lines::arff(heading, Declaration::Nominal)),
            #[cfg(feature = "parquet")]
            Format::Parquet => Body::Parquet,
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => return Err(FormatError::NoParquet),
            Format::Libsvm => Body::Lines(Lines::libsvm(heading)),
            Format::Krkopt => {
                krkopt::check_material(rows.source().material())?;
                if !heading.part.is_empty() {
                    return Err(FormatError::NotWhole);
                }
                let Some(tablebase) = rows.source().tablebase() else {
                    return Err(FormatError::OtherClasses);
                };
                if rows.positions() != Positions::Canonical {
                    return Err(FormatError::NotCanonical);
                }
                if rows.turn() != Side::Weak {
                    return Err(FormatError::NotBlackToMove);
                }
                if !rows.are_locations() {
                    return Err(FormatError::OtherColumns);
                }
                Body::Krkopt(tablebase)
            }
        };
        Ok(Self { rows, body })
    }

    /// Writes all rows, chunk by chunk.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<WriteSummary> {
        let rows = self.rows;
        let mut tally = CountingWriter::new(out, rows.heading().classes.len());
        match &self.body {
            Body::Lines(lines) => {
                tally.write_all(&lines.head)?;
                let make = |chunk: Chunk| (lines.of(&chunk), chunk.targets);
                rows.visit(make, |(text, targets)| {
                    tally.count(&targets);
                    tally.write_all(&text)
                })?;
            }
            #[cfg(feature = "parquet")]
            Body::Parquet => {
                let written = super::parquet::write_file(
                    rows,
                    Format::Parquet.encoding(),
                    tally.into_inner(),
                )?;
                rows.source().check().map_err(io::Error::other)?;
                return Ok(written);
            }
            Body::Krkopt(tablebase) => {
                let csv = krkopt::to_csv_of(tablebase, |orbit| rows.fold(orbit).is_some());
                rows.visit(
                    |chunk| chunk.targets,
                    |targets| {
                        tally.count(&targets);
                        Ok::<_, io::Error>(())
                    },
                )?;
                tally.write_all(&csv.expect("the material has been checked"))?;
            }
        }
        rows.source().check().map_err(io::Error::other)?;
        tally.finish()
    }
}
