//! Rows of attribute values, each with the class that the tablebase gives it: what is learned from.

pub mod krkopt;

use crate::attributes::{AttributeSet, Depth};
use crate::chess::{Material, Side};
use crate::symmetry::Group;
use crate::tablebase::{Outcome, Tablebase};
use lucena_codegen::{Attribute, Class};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

/// Which positions, with the weak side to move, make the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Positions {
    /// One of each orbit: 28,056 of KRvK.
    Canonical,
    /// All legal ones: 223,944 of KRvK.
    Full,
}

impl Positions {
    /// All choices with the name of each.
    pub const NAMES: [(&'static str, Self); 2] =
        [("canonical", Self::Canonical), ("full", Self::Full)];
}

/// Why there is no data set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// The class of a row is what becomes of the weak side, and that is to win.
    #[error("{0} has positions that the weak side wins, which the class {name} cannot say", name = Depth::NAME)]
    WeakSideWins(Material),
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
    attributes: Vec<Attribute>,
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
    sha256: String,
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
    /// When the weak side wins somewhere, or the attributes are another material's.
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
        let group = Group::of(material);
        let (mut rows, mut targets, mut orbits) = (Vec::new(), Vec::new(), Vec::new());
        let mut longest = 0;
        for (orbit, (position, outcome)) in tablebase.canonical_positions(Side::Weak).enumerate() {
            let depth = match outcome {
                Outcome::Win(_) => return Err(DatasetError::WeakSideWins(material)),
                Outcome::Draw => Depth::Draw,
                Outcome::Loss(plies) => {
                    longest = longest.max(plies / 2);
                    Depth::Mated(plies / 2)
                }
            };
            match positions {
                Positions::Canonical => rows.push(position),
                Positions::Full => rows.extend(group.orbit(&position)),
            }
            targets.resize(rows.len(), depth.number() as Class);
            orbits.resize(rows.len(), orbit as u32);
        }
        let column = |attribute: &crate::attributes::Attribute| -> Vec<u8> {
            rows.iter().map(|position| attribute.value(position)).collect()
        };
        let describe = |attribute: &crate::attributes::Attribute| {
            let (low, high) = attribute.domain();
            Attribute::new(attribute.name(), low, high, attribute.meaning())
        };
        let texts = |attribute: &crate::attributes::Attribute| -> Vec<String> {
            (0..=attribute.domain().1).map(|value| attribute.show(value)).collect()
        };
        let mut dataset = Self {
            name: material.to_string(),
            attributes: attributes.attributes().iter().map(describe).collect(),
            texts: attributes.attributes().iter().map(texts).collect(),
            classes: Depth::up_to(longest).map(|depth| depth.to_string()).collect(),
            plies: Depth::up_to(longest).map(Depth::plies).collect(),
            columns: attributes.attributes().par_iter().map(column).collect(),
            targets,
            orbits,
            sha256: String::new(),
        };
        dataset.sha256 = sha256(&dataset.to_csv());
        Ok(dataset)
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
            if !Attribute::is_name(name) || is_taken {
                return Err(DatasetError::Name(name.clone()));
            }
        }
        let classes = targets.iter().max().map_or(0, |greatest| greatest.saturating_add(1));
        if classes > usize::from(Class::MAX) + 1 {
            return Err(DatasetError::TooManyClasses(classes));
        }
        let attribute = |(name, column): &(String, Vec<u8>)| {
            let (low, high) = (column.iter().min(), column.iter().max());
            Attribute::new(name, *low.unwrap_or(&0), *high.unwrap_or(&0), "")
        };
        let attributes: Vec<Attribute> = columns.iter().map(attribute).collect();
        let texts = |attribute: &Attribute| (0..=attribute.high).map(|v| v.to_string()).collect();
        let mut dataset = Self {
            name: String::new(),
            texts: attributes.iter().map(texts).collect(),
            attributes,
            classes: (0..classes).map(|class| class.to_string()).collect(),
            plies: vec![None; classes],
            columns: columns.into_iter().map(|(_, column)| column).collect(),
            targets: targets.iter().map(|&class| class as Class).collect(),
            orbits: (0..targets.len() as u32).collect(),
            sha256: String::new(),
        };
        dataset.sha256 = sha256(&dataset.to_csv());
        Ok(dataset)
    }

    /// What the rows are about: the material.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The attributes, a column each.
    pub fn attributes(&self) -> &[Attribute] {
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

    /// The SHA-256 of [`Dataset::to_csv`], in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The rows as csv, with a line of names; the class is the last column.
    pub fn to_csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::with_capacity(
            self.rows() * (2 * self.columns.len() + 10),
        ));
        let in_memory = "writing to memory does not fail";
        let names = self.attributes.iter().map(|attribute| attribute.name.as_str());
        writer.write_record(names.chain([Depth::NAME])).expect(in_memory);
        let mut record = csv::ByteRecord::new();
        for (row, &target) in self.targets.iter().enumerate() {
            record.clear();
            for (column, texts) in self.columns.iter().zip(&self.texts) {
                record.push_field(texts[usize::from(column[row])].as_bytes());
            }
            record.push_field(self.classes[usize::from(target)].as_bytes());
            writer.write_byte_record(&record).expect(in_memory);
        }
        writer.into_inner().expect(in_memory)
    }
}

/// The SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
