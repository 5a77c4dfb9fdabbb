//! Rows of attribute values, each with the class that the tablebase gives it: what is learned from.

mod arff;
mod chunk;
mod csv;
mod division;
mod heading;
pub mod krkopt;
mod libsvm;
mod lines;
mod rows;
pub mod sufficiency;
mod written;

pub use arff::Declaration;
pub use chunk::{CHUNK, CHUNKS, Chunk, in_order};
pub use division::{
    Division, DivisionError, DivisionParams, ParseProportionError, Part, Place, Proportion,
    shuffled,
};
pub use heading::{Heading, Measure};
pub use lines::Lines;
pub use rows::{DatasetError, Orbit, Positions, Rows};
pub use written::{Tally, Written, WrittenFile, sha256};

use lucena_attributes::AttributeSet;
use lucena_base::words::number;
use lucena_tablebase::Tablebase;
use lucena_tree::{Class, Column};
use schemars::JsonSchema;
use serde::Serialize;
use std::convert::Infallible;
use std::fmt;
use std::io::{self, Write};
use std::sync::OnceLock;

/// Rows of small integers with a class each, by column. What learns from it need not know that
/// they come from chess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    heading: Heading,
    /// One for each attribute.
    columns: Vec<Vec<u8>>,
    targets: Vec<Class>,
    /// Rows with the same number are the same position up to symmetry.
    orbits: Vec<u32>,
    sample: Option<Sample>,
    sha256: Digest,
}

/// Orbits that were drawn from all of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Sample {
    /// How many orbits were drawn.
    pub orbits: usize,
    /// How many there are.
    pub of: usize,
    /// Where the random numbers started.
    pub seed: u64,
}

impl fmt::Display for Sample {
    /// What it is, for people: "a sample of 1,000 of 28,056 positions up to symmetry, by seed 1".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [orbits, of] = [self.orbits, self.of].map(number);
        write!(f, "a sample of {orbits} of {of} positions up to symmetry, by seed {}", self.seed)
    }
}

impl Dataset {
    /// The positions of a table's material with the weak side to move, by attributes; canonical
    /// ones in the order of the index, an orbit's positions together. It is all of [`Rows`], in memory.
    ///
    /// ```
    /// use lucena::attributes::{AttributeSet, Selection};
    /// use lucena::dataset::{Dataset, Positions};
    /// use lucena::tablebase::Tablebase;
    ///
    /// let material = "KRvK".parse()?;
    /// let tablebase = Tablebase::solve(material);
    /// let attributes = AttributeSet::new(material, Selection::Geometric);
    /// let dataset = Dataset::new(&tablebase, &attributes, Positions::Canonical)?;
    /// assert_eq!(dataset.rows(), 28_056);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the attributes are another material's.
    pub fn new(
        tablebase: &Tablebase,
        attributes: &AttributeSet,
        positions: Positions,
    ) -> Result<Self, DatasetError> {
        Ok(Self::of_rows(Rows::new(tablebase, attributes, positions)?, None))
    }

    /// The same of so many orbits that are drawn by a seed: those that [`Division`] draws. The classes are
    /// those of all positions, whether or not a row has them.
    ///
    /// ```
    /// use lucena::attributes::{AttributeSet, Selection};
    /// use lucena::dataset::{Dataset, Positions};
    /// use lucena::tablebase::Tablebase;
    ///
    /// let material = "KRvK".parse()?;
    /// let tablebase = Tablebase::solve(material);
    /// let attributes = AttributeSet::new(material, Selection::Geometric);
    /// let dataset = Dataset::sampled(&tablebase, &attributes, Positions::Canonical, 1_000, 1)?;
    /// assert_eq!(dataset.rows(), 1_000);
    /// assert_eq!(dataset.sample().map(|sample| sample.of), Some(28_056));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the attributes are another material's, or more orbits are to be drawn than there are, or none.
    pub fn sampled(
        tablebase: &Tablebase,
        attributes: &AttributeSet,
        positions: Positions,
        orbits: usize,
        seed: u64,
    ) -> Result<Self, DatasetError> {
        let rows = Rows::new(tablebase, attributes, positions)?;
        let of = tablebase.canonical_len(rows.turn());
        let params = DivisionParams { sample: Some(orbits), seed, ..DivisionParams::default() };
        let division = Division::new(params, of)?;
        let sample = Sample { orbits, of, seed };
        Ok(Self::of_rows(rows.part(&division, Part::Train), Some(sample)))
    }

    fn of_rows(rows: Rows<'_>, sample: Option<Sample>) -> Self {
        // No column is ever longer than its rows.
        let len =
            sample.map_or_else(|| rows.whole_len(), |sample| sample.orbits * rows.orbit_len());
        let mut all = Chunk::with_capacity(rows.heading().columns().len(), len);
        let appended: Result<(), Infallible> = rows.visit(
            |chunk| chunk,
            |chunk| {
                all.append(&chunk);
                Ok(())
            },
        );
        let Ok(()) = appended;
        let Chunk { columns, targets, orbits } = all;
        let heading = rows.into_heading();
        Self { heading, columns, targets, orbits, sample, sha256: Digest::default() }
    }

    /// Rows that come from anywhere: columns with a name each, and the number of each row's class.
    /// Every row is an orbit of its own, a class is called by its number.
    ///
    /// # Errors
    /// When there are more than 256 classes, a column is not as long as the others, or its name is
    /// no identifier or another column's.
    pub fn from_columns(
        columns: Vec<(String, Vec<u8>)>,
        targets: &[usize],
    ) -> Result<Self, DatasetError> {
        if columns.iter().any(|(_, column)| column.len() != targets.len()) {
            return Err(DatasetError::UnequalColumns);
        }
        for (at, (name, _)) in columns.iter().enumerate() {
            let is_taken = columns[..at].iter().any(|(other, _)| other == name);
            if !Column::is_name(name) || is_taken {
                return Err(DatasetError::Name(name.clone()));
            }
        }
        let classes = targets.iter().max().map_or(0, |greatest| greatest.saturating_add(1));
        if classes > usize::from(Class::MAX) + 1 {
            return Err(DatasetError::TooManyClasses(classes));
        }
        let attribute = |(name, column): &(String, Vec<u8>)| {
            let (low, high) = (column.iter().min(), column.iter().max());
            Column::new(name, *low.unwrap_or(&0), *high.unwrap_or(&0), "")
        };
        let attributes: Vec<Column> = columns.iter().map(attribute).collect();
        let texts = |attribute: &Column| (0..=attribute.high).map(|v| v.to_string()).collect();
        let heading = Heading {
            name: String::new(),
            texts: attributes.iter().map(texts).collect(),
            attributes: attributes.len(),
            columns: attributes,
            classes: (0..classes).map(|class| class.to_string()).collect(),
            plies: vec![None; classes],
        };
        Ok(Self {
            heading,
            columns: columns.into_iter().map(|(_, column)| column).collect(),
            targets: targets.iter().map(|&class| class as Class).collect(),
            orbits: (0..targets.len() as u32).collect(),
            sample: None,
            sha256: Digest::default(),
        })
    }

    /// What the rows are made of.
    pub fn heading(&self) -> &Heading {
        &self.heading
    }

    /// What the rows are about: the material.
    pub fn name(&self) -> &str {
        &self.heading.name
    }

    /// The attributes, a column each.
    pub fn attributes(&self) -> &[Column] {
        &self.heading.columns
    }

    /// The names of the classes.
    pub fn classes(&self) -> &[String] {
        &self.heading.classes
    }

    /// The plies to mate that a class stands for; nothing for a draw, or where classes are no
    /// distances.
    ///
    /// # Panics
    /// When there is no class of this number.
    pub fn plies(&self, class: usize) -> Option<u16> {
        self.heading.plies[class]
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.targets.len()
    }

    /// The values of one attribute, row by row.
    pub fn column(&self, attribute: usize) -> &[u8] {
        &self.columns[attribute]
    }

    /// The classes, row by row.
    pub fn targets(&self) -> &[Class] {
        &self.targets
    }

    /// For each row the number of its orbit: rows with one number are one position, turned and
    /// mirrored. Numbers ascend.
    pub fn orbits(&self) -> &[u32] {
        &self.orbits
    }

    /// What was drawn; nothing where the rows are all that there are.
    pub fn sample(&self) -> Option<Sample> {
        self.sample
    }

    /// Copies the values of a row.
    pub fn row(&self, row: usize, values: &mut [u8]) {
        for (value, column) in values.iter_mut().zip(&self.columns) {
            *value = column[row];
        }
    }

    /// The SHA-256 of [`Dataset::write_csv`], in hexadecimal.
    pub fn sha256(&self) -> &str {
        self.sha256.0.get_or_init(|| {
            let mut nowhere = io::sink();
            let mut tally = Tally::new(&mut nowhere, 0);
            self.write_csv(&mut tally).expect("a sink takes all");
            tally.finish().expect("a sink takes all").sha256
        })
    }

    /// The rows as csv, with a line of names; the class is the last column.
    pub fn to_csv(&self) -> Vec<u8> {
        let mut csv = Vec::with_capacity(self.rows() * (2 * self.columns.len() + 10));
        self.write_csv(&mut csv).expect("writing to memory does not fail");
        csv
    }

    /// Writes the rows as csv, as [`Dataset::to_csv`] has them, without holding all of it.
    ///
    /// ```
    /// use lucena::dataset::Dataset;
    ///
    /// let dataset = Dataset::from_columns(vec![("x".into(), vec![3, 1])], &[0, 2])?;
    /// let mut csv = Vec::new();
    /// dataset.write_csv(&mut csv).expect("writing to memory does not fail");
    /// assert_eq!(csv, b"x,optimalDepth\n3,0\n1,2\n");
    /// # Ok::<(), lucena::dataset::DatasetError>(())
    /// ```
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_csv(&self, mut writer: impl Write) -> io::Result<()> {
        let lines = Lines::csv(&self.heading);
        writer.write_all(&lines.head)?;
        let chunks = (0..self.rows()).step_by(CHUNK);
        in_order(
            chunks,
            CHUNKS,
            |first| lines.of(&self.chunk(first)),
            |text| writer.write_all(&text),
        )?;
        writer.flush()
    }

    /// Some rows from one on.
    fn chunk(&self, first: usize) -> Chunk {
        let rows = first..self.rows().min(first + CHUNK);
        Chunk {
            columns: self.columns.iter().map(|column| column[rows.clone()].to_vec()).collect(),
            targets: self.targets[rows.clone()].to_vec(),
            orbits: self.orbits[rows].to_vec(),
        }
    }
}

/// The SHA-256 of the rows, once somebody has asked for it. It says nothing that the rows do not
/// say: it is equal to any other.
#[derive(Debug, Clone, Default)]
struct Digest(OnceLock<String>);

impl PartialEq for Digest {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Digest {}
