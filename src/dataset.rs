//! Rows of attribute values, each with the class that the tablebase gives it: what is learned from.

pub mod krkopt;

use crate::attributes::{AttributeSet, Depth};
use crate::chess::{Material, Position, Side};
use crate::named::named;
use crate::symmetry::Group;
use crate::tablebase::{Outcome, Tablebase};
use lucena_tree::{Class, Column};
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};
use std::io::{self, Write};
use std::sync::OnceLock;

/// Which positions, with the weak side to move, make the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Positions {
    /// One of each orbit: 28,056 of KRvK.
    Canonical,
    /// All legal ones: 223,944 of KRvK.
    Full,
}

named!(Positions { "canonical": Canonical, "full": Full });

/// Why there is no data set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// Columns of different lengths.
    #[error(
        "the columns and the classes are not all of one length: give each row a value for every attribute"
    )]
    UnequalColumns,
    /// A column whose name is no identifier, or another column's.
    #[error("{0:?} cannot be the name of a column: use letters, digits and _, and each name once")]
    Name(String),
    /// More classes than can be numbered.
    #[error("there are {0} classes, at most 256 can be told apart")]
    TooManyClasses(usize),
    /// The attributes are another material's.
    #[error("the attributes are for {attributes}, the table for {table}")]
    OtherMaterial {
        /// The material of the attributes.
        attributes: Material,
        /// The material of the table.
        table: Material,
    },
}

/// Rows of small integers with a class each, by column. What learns from it need not know that
/// they come from chess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    name: String,
    attributes: Vec<Column>,
    /// How each value of each attribute is written.
    texts: Vec<Vec<String>>,
    classes: Vec<String>,
    /// For each class the plies to mate, where it says mate.
    plies: Vec<Option<u16>>,
    /// One for each attribute.
    columns: Vec<Vec<u8>>,
    targets: Vec<Class>,
    /// Rows with the same number are the same position up to symmetry.
    orbits: Vec<u32>,
    sha256: Digest,
}

impl Dataset {
    /// The positions of a table's material with the weak side to move, by attributes; canonical
    /// ones in the order of the index, an orbit's positions together.
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
        let material = tablebase.material();
        if attributes.material() != material {
            return Err(DatasetError::OtherMaterial {
                attributes: attributes.material(),
                table: material,
            });
        }
        let (depths, rows) = depths(tablebase, positions);
        let mut columns = vec![vec![0; rows]; attributes.attributes().len()];
        let (mut targets, mut orbits) = (Vec::with_capacity(rows), Vec::with_capacity(rows));

        let turned = match positions {
            Positions::Canonical => Group::Identity,
            Positions::Full => Group::of(material),
        };
        let orbit = |(orbit, (position, outcome)): (usize, (Position, Outcome))| {
            let class = depths.binary_search(&outcome.into()).expect("it has been counted");
            let rows = turned.orbit(&position).into_iter();
            rows.map(move |position| (position, class as Class, orbit as u32))
        };
        let canonical = tablebase.canonical_positions(Side::Weak);
        let mut positions = canonical.enumerate().flat_map(orbit);
        // All attributes of a position at once: they share what they look at.
        let chunks = chunks(&mut columns, rows).into_iter().map(|columns| {
            let chunk = positions.by_ref().take(CHUNK).map(|(position, class, orbit)| {
                targets.push(class);
                orbits.push(orbit);
                position
            });
            (chunk.collect::<Vec<Position>>(), columns)
        });
        chunks.par_bridge().for_each_with(vec![0; attributes.attributes().len()], |row, chunk| {
            let (positions, mut columns) = chunk;
            for (at, position) in positions.iter().enumerate() {
                attributes.extract(position, row);
                for (column, &value) in columns.iter_mut().zip(&*row) {
                    column[at] = value;
                }
            }
        });

        let describe = |attribute: &crate::attributes::Attribute| {
            let (low, high) = attribute.domain();
            Column::new(attribute.name(), low, high, attribute.meaning())
        };
        let texts = |attribute: &crate::attributes::Attribute| -> Vec<String> {
            (0..=attribute.domain().1).map(|value| attribute.show(value)).collect()
        };
        Ok(Self {
            name: material.to_string(),
            attributes: attributes.attributes().iter().map(describe).collect(),
            texts: attributes.attributes().iter().map(texts).collect(),
            classes: depths.iter().map(Depth::to_string).collect(),
            plies: depths.iter().map(|depth| depth.plies()).collect(),
            columns,
            targets,
            orbits,
            sha256: Digest::default(),
        })
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
        Ok(Self {
            name: String::new(),
            texts: attributes.iter().map(texts).collect(),
            attributes,
            classes: (0..classes).map(|class| class.to_string()).collect(),
            plies: vec![None; classes],
            columns: columns.into_iter().map(|(_, column)| column).collect(),
            targets: targets.iter().map(|&class| class as Class).collect(),
            orbits: (0..targets.len() as u32).collect(),
            sha256: Digest::default(),
        })
    }

    /// What the rows are about: the material.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The attributes, a column each.
    pub fn attributes(&self) -> &[Column] {
        &self.attributes
    }

    /// The names of the classes.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The plies to mate that a class stands for; nothing for a draw, or where classes are no
    /// distances.
    ///
    /// # Panics
    /// When there is no class of this number.
    pub fn plies(&self, class: usize) -> Option<u16> {
        self.plies[class]
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

    /// Copies the values of a row.
    pub fn row(&self, row: usize, values: &mut [u8]) {
        for (value, column) in values.iter_mut().zip(&self.columns) {
            *value = column[row];
        }
    }

    /// The SHA-256 of [`Dataset::write_csv`], in hexadecimal.
    pub fn sha256(&self) -> &str {
        self.sha256.0.get_or_init(|| {
            let mut hasher = Hasher(Sha256::new());
            self.write_csv(&mut hasher).expect("hashing does not fail");
            hexadecimal(&hasher.0.finalize())
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
        let names = self.attributes.iter().map(|attribute| attribute.name.as_str());
        writer.write_all(&csv_record(names.chain([Depth::NAME]), b'\n'))?;
        // A value is written in the same way in each row, so that it is put into csv once.
        let cells = |texts: &Vec<String>| {
            texts.iter().map(|text| csv_record([text.as_str()], b',')).collect()
        };
        let cells: Vec<Vec<Vec<u8>>> = self.texts.iter().map(cells).collect();
        let ends: Vec<Vec<u8>> =
            self.classes.iter().map(|class| csv_record([class.as_str()], b'\n')).collect();
        let lines = |&first: &usize| {
            let mut lines = Vec::new();
            for row in first..self.rows().min(first + CHUNK) {
                for (column, cells) in self.columns.iter().zip(&cells) {
                    lines.extend_from_slice(&cells[usize::from(column[row])]);
                }
                lines.extend_from_slice(&ends[usize::from(self.targets[row])]);
            }
            lines
        };
        let chunks: Vec<usize> = (0..self.rows()).step_by(CHUNK).collect();
        for chunks in chunks.chunks(4 * rayon::current_num_threads()) {
            let lines: Vec<Vec<u8>> = chunks.par_iter().map(lines).collect();
            lines.iter().try_for_each(|lines| writer.write_all(lines))?;
        }
        writer.flush()
    }
}

/// How many rows one thread takes at a time.
const CHUNK: usize = 4096;

/// The classes of a table's positions, in order, and how many rows there will be: known before the
/// first row is made, so that no column is ever longer than its rows.
fn depths(tablebase: &Tablebase, positions: Positions) -> (Vec<Depth>, usize) {
    let group = match positions {
        Positions::Canonical => Group::of(tablebase.material()),
        Positions::Full => Group::Identity,
    };
    let counts = tablebase.counts(Side::Weak, group);
    let lost = counts.histogram.keys().rfind(|&plies| plies.is_multiple_of(2));
    let longest = lost.and_then(|&plies| Outcome::Loss(plies).moves()).unwrap_or(0);
    let depths = Depth::up_to(longest).chain((counts.won > 0).then_some(Depth::Lost));
    (depths.collect(), counts.legal() as usize)
}

/// The columns cut into pieces of [`CHUNK`] rows: the pieces of the same rows together.
fn chunks(columns: &mut [Vec<u8>], rows: usize) -> Vec<Vec<&mut [u8]>> {
    let width = columns.len();
    let mut chunks: Vec<Vec<&mut [u8]>> =
        (0..rows.div_ceil(CHUNK)).map(|_| Vec::with_capacity(width)).collect();
    for column in columns {
        for (chunk, part) in chunks.iter_mut().zip(column.chunks_mut(CHUNK)) {
            chunk.push(part);
        }
    }
    chunks
}

impl From<Outcome> for Depth {
    /// The depth of a position, by what becomes of the weak side, which is to move.
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(_) => Self::Lost,
            Outcome::Draw | Outcome::Loss(_) => outcome.moves().map_or(Self::Draw, Self::Mated),
        }
    }
}

/// Fields as they stand in csv, with what follows them.
fn csv_record<'a>(fields: impl IntoIterator<Item = &'a str>, end: u8) -> Vec<u8> {
    let terminator = csv::Terminator::Any(end);
    let mut writer = csv::WriterBuilder::new().terminator(terminator).from_writer(Vec::new());
    let in_memory = "writing to memory does not fail";
    writer.write_record(fields).expect(in_memory);
    writer.into_inner().expect(in_memory)
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

/// Takes what is written into a SHA-256.
struct Hasher(Sha256);

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
