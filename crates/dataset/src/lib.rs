//! Data sets: rows of attribute values, each with the class that the tablebase gives it.

mod chunk;
mod counting_writer;
mod division;
pub mod krkopt;
mod lines;
mod part;
mod rows;
mod schema;
mod source;
pub mod sufficiency;
mod syzygy;
mod target;

pub use chunk::{CHUNK, CHUNKS, Chunk, in_order};
pub use counting_writer::{CountingWriter, FileSummary, WriteSummary, sha256};
pub use division::{
    Assignment, Division, DivisionError, DivisionParams, DivisionPart, ParseProportionError,
    Proportion, shuffled,
};
pub use lines::{Declaration, Lines};
pub use part::PartLabels;
pub use rows::{DatasetError, Orbit, Positions, Rows};
pub use schema::{DatasetSchema, MeasurementLevel, WrittenColumn};
pub use source::{LabelSource, WdlLabels};
pub use syzygy::{LabelParams, SyzygyLabels, SyzygyLabelsError};
pub use target::{Label, Target};

use lucena_attributes::{AttributeSet, Selections};
use lucena_base::plural::number;
use lucena_chess::{Material, QUICK_MEN, Side};
use lucena_model::{Class, Column, TreeHead, is_identifier};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::OnceLock;

/// The most classes that can be numbered.
const MAX_CLASSES: usize = Class::MAX as usize + 1;

/// Rows of small integers with a class each, stored by column. Learners need not know that they come
/// from chess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    heading: DatasetSchema,
    /// One column per attribute.
    columns: Vec<Vec<u8>>,
    targets: Vec<Class>,
    /// The orbit of each row: rows with the same number are the same position up to symmetry.
    orbits: Vec<u32>,
    sample: Option<Sample>,
    sha256: Digest,
}

/// A sample of orbits to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampleParams {
    /// The number of orbits, for each side to move.
    pub orbits: NonZeroUsize,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// A random sample of orbits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Sample {
    /// The number of orbits drawn.
    pub orbits: usize,
    /// The number of all orbits; null if they have not been counted.
    pub of: Option<usize>,
    /// The seed of the random numbers.
    pub seed: u64,
}

impl fmt::Display for Sample {
    /// Writes, for example, "a sample of 1,000 of 28,056 positions up to symmetry, by seed 1".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = self.of.map_or_else(String::new, |of| format!("of {} ", number(of)));
        let (orbits, seed) = (number(self.orbits), self.seed);
        write!(f, "a sample of {orbits} {of}positions up to symmetry, by seed {seed}")
    }
}

/// The error for an endgame with more positions than are held in memory as rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} has {men} men, and so too many positions to hold all of them in memory", men = .0.men())]
pub struct TooManyRows(pub Material);

impl Dataset {
    /// Checks that all positions of an endgame are few enough to be held in memory as rows. A sample always is.
    ///
    /// ```
    /// use lucena_dataset::Dataset;
    ///
    /// assert!(Dataset::check_in_memory("KQvKR".parse()?).is_ok());
    /// assert!(Dataset::check_in_memory("KBBvKN".parse()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the endgame has more than [`QUICK_MEN`] men.
    pub fn check_in_memory(material: Material) -> Result<(), TooManyRows> {
        if material.men() <= QUICK_MEN { Ok(()) } else { Err(TooManyRows(material)) }
    }

    /// The positions of an endgame with the weak side to move, described by attributes: canonical ones in the order
    /// of their source, with each orbit's positions together. These are all [`Rows`], in memory.
    ///
    /// ```
    /// use lucena_attributes::{AttributeSet, Selection};
    /// use lucena_dataset::{Dataset, Positions};
    /// use lucena_tablebase::Tablebase;
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
    /// If the attributes belong to another material.
    pub fn new(
        source: &dyn LabelSource,
        attributes: &AttributeSet,
        positions: Positions,
    ) -> Result<Self, DatasetError> {
        Self::with_turn(source, attributes, positions, Side::Weak)
    }

    /// The positions of an endgame like [`Dataset::new`], with the requested side to move.
    ///
    /// # Errors
    /// If the attributes belong to another material.
    pub fn with_turn(
        source: &dyn LabelSource,
        attributes: &AttributeSet,
        positions: Positions,
        turn: Side,
    ) -> Result<Self, DatasetError> {
        let rows = Rows::of_sides(source, attributes, positions, &[turn])?.swap_remove(0);
        Self::of_rows(rows, source.sample())
    }

    /// A sample of orbits with a side to move, drawn by a seed as in [`Division`]. The classes are those of all positions,
    /// whether or not a row has them.
    ///
    /// # Errors
    /// If the attributes belong to another material, or the sample is larger than the endgame.
    pub fn sampled(
        source: &dyn LabelSource,
        attributes: &AttributeSet,
        positions: Positions,
        turn: Side,
        sample: SampleParams,
    ) -> Result<Self, DatasetError> {
        let rows = Rows::of_sides(source, attributes, positions, &[turn])?.swap_remove(0);
        let (orbits, seed, of) = (sample.orbits.get(), sample.seed, source.orbits_len(turn));
        let params = DivisionParams { sample: Some(orbits), seed, ..DivisionParams::default() };
        let division = Division::new(params, of)?;
        let sample = Sample { orbits, of: Some(of), seed };
        Self::of_rows(rows.part(&division, DivisionPart::Train), Some(sample))
    }

    fn of_rows(rows: Rows<'_>, sample: Option<Sample>) -> Result<Self, DatasetError> {
        // An upper bound, so that no column is reallocated.
        let len =
            sample.map_or_else(|| rows.whole_len(), |sample| sample.orbits * rows.orbit_len());
        let mut all = Chunk::with_capacity(rows.heading().columns.len(), len);
        let appended: Result<(), Infallible> = rows.visit(
            |chunk| chunk,
            |chunk| {
                all.append(&chunk);
                Ok(())
            },
        );
        let Ok(()) = appended;
        rows.source().check()?;
        let Chunk { columns, targets, orbits } = all;
        let heading = rows.heading;
        Ok(Self { heading, columns, targets, orbits, sample, sha256: Digest::default() })
    }

    /// Rows from any source: named columns, and the class number of each row. Every row is an orbit of
    /// its own, and classes are named by their numbers.
    ///
    /// # Errors
    /// If there are more than 256 classes, the columns and the targets differ in length, or a name is
    /// not an identifier or occurs twice.
    pub fn from_columns(
        columns: Vec<(String, Vec<u8>)>,
        targets: &[usize],
    ) -> Result<Self, DatasetError> {
        if columns.iter().any(|(_, column)| column.len() != targets.len()) {
            return Err(DatasetError::UnequalColumns);
        }
        for (at, (name, _)) in columns.iter().enumerate() {
            let is_taken = columns[..at].iter().any(|(other, _)| other == name);
            if !is_identifier(name) || is_taken {
                return Err(DatasetError::Name(name.clone()));
            }
        }
        let classes = targets.iter().max().map_or(0, |greatest| greatest.saturating_add(1));
        if classes > MAX_CLASSES {
            return Err(DatasetError::TooManyClasses(classes));
        }
        let attribute = |(name, column): &(String, Vec<u8>)| {
            let (low, high) = (column.iter().min(), column.iter().max());
            Column::new(name, *low.unwrap_or(&0), *high.unwrap_or(&0), "")
        };
        let attributes: Vec<Column> = columns.iter().map(attribute).collect();
        let heading = DatasetSchema {
            name: String::new(),
            selections: None,
            part: Vec::new(),
            texts: attributes.iter().map(WrittenColumn::of_numbers).collect(),
            attributes: attributes.len(),
            columns: attributes,
            turn: Side::Weak,
            target: Target::default(),
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

    /// The subject of the rows: the material.
    pub fn name(&self) -> &str {
        &self.heading.name
    }

    /// The selections of the attributes; `None` if they were chosen otherwise.
    pub fn selections(&self) -> Option<Selections> {
        self.heading.selections
    }

    /// The attributes, one per column.
    pub fn attributes(&self) -> &[Column] {
        &self.heading.columns
    }

    /// The names of the classes.
    pub fn classes(&self) -> &[String] {
        &self.heading.classes
    }

    /// The parameters by which the rows differ from the usual ones, for the head of a tree: the class, unless it is
    /// the distance to mate, and the side to move, unless it is the weak one.
    pub fn parameters(&self) -> BTreeMap<String, String> {
        let class = (self.target() != Target::default()).then(|| self.target().to_string());
        let turn = (self.turn() == Side::Strong).then(|| TreeHead::STRONG_SIDE.to_owned());
        let part = (!self.part().is_empty()).then(|| self.part().join(TreeHead::AND));
        let named = [(TreeHead::CLASS, class), (TreeHead::TURN, turn), (TreeHead::PART, part)];
        named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    /// The conditions that all rows fulfil; none if they are not limited to a part of the endgame.
    pub fn part(&self) -> &[String] {
        &self.heading.part
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.heading.turn
    }

    /// What the classes say.
    pub fn target(&self) -> Target {
        self.heading.target
    }

    /// The plies of a class that is a distance; `None` for a draw, for a distance to zeroing beyond 100, which may be
    /// 100 plies fewer, or if the classes are not distances.
    ///
    /// # Panics
    /// If there is no class with this number.
    pub fn plies(&self, class: usize) -> Option<u16> {
        self.heading.plies[class]
    }

    /// The number of rows.
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

    /// The orbit number of each row. Rows with the same number are one position, turned and mirrored.
    /// Numbers ascend.
    pub fn orbits(&self) -> &[u32] {
        &self.orbits
    }

    /// The sample, or `None` if the rows are complete.
    pub fn sample(&self) -> Option<Sample> {
        self.sample
    }

    /// Copies the values of a row.
    pub fn row(&self, row: usize, values: &mut [u8]) {
        for (value, column) in values.iter_mut().zip(&self.columns) {
            *value = column[row];
        }
    }

    /// The SHA-256 of the output of [`Dataset::write_csv`], in hexadecimal.
    pub fn sha256(&self) -> &str {
        self.sha256.0.get_or_init(|| {
            let mut nowhere = io::sink();
            let mut tally = CountingWriter::new(&mut nowhere, 0);
            self.write_csv(&mut tally).expect("a sink takes all");
            tally.finish().expect("a sink takes all").sha256
        })
    }

    /// The rows as CSV, with a header line; the class is the last column.
    pub fn to_csv(&self) -> Vec<u8> {
        let mut csv = Vec::with_capacity(self.rows() * (2 * self.columns.len() + 10));
        self.write_csv(&mut csv).expect("writing to memory does not fail");
        csv
    }

    /// Writes the rows as CSV like [`Dataset::to_csv`], without holding the whole text in memory.
    ///
    /// # Errors
    /// If the writer fails.
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

    /// The rows from `first` on, at most [`CHUNK`].
    fn chunk(&self, first: usize) -> Chunk {
        let rows = first..self.rows().min(first + CHUNK);
        Chunk {
            columns: self.columns.iter().map(|column| column[rows.clone()].to_vec()).collect(),
            targets: self.targets[rows.clone()].to_vec(),
            orbits: self.orbits[rows].to_vec(),
        }
    }
}

/// The SHA-256 of the rows, computed on demand. It follows from the rows, so comparisons ignore it.
#[derive(Debug, Clone, Default)]
struct Digest(OnceLock<String>);

impl PartialEq for Digest {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Digest {}
