//! The formats that rows are written in.

use lucena_base::named::named;
use lucena_chess::Side;
use lucena_dataset::krkopt::{self, KrkoptError};
use lucena_dataset::{Chunk, Declaration, Lines, Positions, Rows, Tally, Written};
use std::io::{self, Write};

/// A format that programs read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Comma-separated values with a line of names.
    Csv,
    /// ARFF with numbers as numbers, as Weka's J48 and OpenML take it.
    Arff,
    /// ARFF with nominal attributes alone, as Weka's Id3 takes it.
    ArffNominal,
    /// Apache Parquet.
    Parquet,
    /// LIBSVM's: the number of the class, then what is not zero.
    Libsvm,
    /// That of UCI's krkopt: the six squares and the depth, sorted, without names.
    Krkopt,
}

named!(Format {
    "csv": Csv,
    "arff": Arff,
    "arff-nominal": ArffNominal,
    "parquet": Parquet,
    "libsvm": Libsvm,
    "krkopt": Krkopt,
});

impl Format {
    /// Whether it has room for a column that is no attribute, as that of folds is.
    pub fn has_room_for_folds(self) -> bool {
        !matches!(self, Self::Libsvm | Self::Krkopt)
    }
}

/// Why rows cannot be written in a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// Parquet's writer was left out of this build.
    #[error(
        "this build cannot write Parquet: build it with the feature \"parquet\", or choose csv"
    )]
    NoParquet,
    /// The format has no room for a column that is no attribute.
    #[error(
        "{0} has no room for a column of folds: write each fold into a file of its own, or choose csv, arff or parquet"
    )]
    NoFolds(Format),
    /// The material has not krkopt's columns.
    #[error(transparent)]
    Krkopt(#[from] KrkoptError),
    /// krkopt has one position of each orbit.
    #[error("krkopt lists one position of each orbit: choose the canonical positions, or csv")]
    NotCanonical,
    /// krkopt has Black to move.
    #[error("krkopt has positions with Black to move: choose the turn \"black\", or csv")]
    NotBlackToMove,
    /// There are more parts than positions.
    #[error(
        "cannot write {orbits} positions up to symmetry in {parts} parts: ask for 1 to {orbits}"
    )]
    TooManyParts {
        /// How many parts are asked for.
        parts: usize,
        /// How many orbits there are.
        orbits: usize,
    },
    /// krkopt's columns are its own.
    #[error(
        "krkopt has the locations of the men and no other columns: choose the attributes \"location\", or csv"
    )]
    OtherColumns,
}

/// Rows, ready to be written in a format that has room for them.
pub struct Layout<'r> {
    rows: &'r Rows<'r>,
    body: Body,
}

/// What differs from format to format.
enum Body {
    Lines(Lines),
    #[cfg(feature = "parquet")]
    Parquet,
    Krkopt,
}

impl<'r> Layout<'r> {
    /// The rows in a format.
    ///
    /// # Errors
    /// When the format cannot hold them, or this build cannot write it.
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
                krkopt::check_material(rows.tablebase().material())?;
                if rows.positions() != Positions::Canonical {
                    return Err(FormatError::NotCanonical);
                }
                if rows.turn() != Side::Weak {
                    return Err(FormatError::NotBlackToMove);
                }
                if !rows.are_locations() {
                    return Err(FormatError::OtherColumns);
                }
                Body::Krkopt
            }
        };
        Ok(Self { rows, body })
    }
}

impl Layout<'_> {
    /// Writes all rows, some at a time.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<Written> {
        let rows = self.rows;
        let mut tally = Tally::new(out, rows.heading().classes().len());
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
            Body::Parquet => return super::parquet::write_file(rows, tally.into_inner()),
            Body::Krkopt => {
                let csv = krkopt::to_csv_of(rows.tablebase(), |orbit| rows.fold(orbit).is_some());
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
        tally.finish()
    }
}
