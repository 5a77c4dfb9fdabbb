//! The rows of a table, made some at a time: memory does not grow with their number.

use super::chunk::{CHUNK, Chunk, in_order};
use super::division::{Division, Part, Place};
use super::heading::Heading;
use crate::attributes::{AttributeSet, Depth, Selection};
use crate::chess::{Material, Position, Side};
use crate::named::named;
use crate::symmetry::Group;
use crate::tablebase::{Outcome, Tablebase};
use lucena_tree::{Class, Column};

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

/// The positions of a table's material with the weak side to move, by attributes; canonical ones in
/// the order of the index, an orbit's positions together.
///
/// ```
/// use lucena::attributes::{AttributeSet, Selection};
/// use lucena::dataset::{Format, Positions, Rows};
/// use lucena::tablebase::Tablebase;
///
/// let material = "KRvK".parse()?;
/// let tablebase = Tablebase::solve(material);
/// let attributes = AttributeSet::new(material, Selection::Geometric);
/// let rows = Rows::new(&tablebase, &attributes, Positions::Canonical)?;
/// let written = rows.laid_out(Format::Csv)?.write(&mut std::io::sink())?;
/// assert_eq!(written.rows, 28_056);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Rows<'a> {
    pub(super) tablebase: &'a Tablebase,
    attributes: &'a AttributeSet,
    pub(super) positions: Positions,
    /// In the order of the classes.
    depths: Vec<Depth>,
    pub(super) heading: Heading,
    pub(super) part: Option<(&'a Division, Part)>,
}

impl<'a> Rows<'a> {
    /// All positions of a kind.
    ///
    /// # Errors
    /// When the attributes are another material's.
    pub fn new(
        tablebase: &'a Tablebase,
        attributes: &'a AttributeSet,
        positions: Positions,
    ) -> Result<Self, DatasetError> {
        let material = tablebase.material();
        if attributes.material() != material {
            return Err(DatasetError::OtherMaterial {
                attributes: attributes.material(),
                table: material,
            });
        }
        let depths = depths(tablebase);
        let heading = Heading::new(attributes, &depths);
        Ok(Self { tablebase, attributes, positions, depths, heading, part: None })
    }

    /// Those alone that a division gives to a part. What is learned from has a last column of the numbers
    /// of folds, `fold`, where there are any.
    ///
    /// # Panics
    /// Later, when the division is of fewer orbits than the table has.
    #[must_use]
    pub fn part(self, division: &'a Division, part: Part) -> Self {
        let heading = match (part, division.params().folds) {
            (Part::Train, Some(folds)) => {
                let meaning = "the fold of a cross-validation that holds the row out";
                self.heading.with(Column::new(FOLD, 0, (folds - 1) as u8, meaning))
            }
            _ => self.heading,
        };
        Self { heading, part: Some((division, part)), ..self }
    }

    /// What the rows are made of.
    pub fn heading(&self) -> &Heading {
        &self.heading
    }

    pub(super) fn into_heading(self) -> Heading {
        self.heading
    }

    /// Whether there is a column of folds.
    pub(super) fn has_folds(&self) -> bool {
        self.heading.columns.len() > self.attributes.attributes().len()
    }

    /// Whether the columns say where the men stand, and nothing else.
    pub(super) fn are_locations(&self) -> bool {
        self.attributes.selection() == Some(Selection::Location) && !self.has_folds()
    }

    /// The fold of an orbit, if the orbit belongs to these rows.
    pub(super) fn fold(&self, orbit: usize) -> Option<u8> {
        let Some((division, part)) = self.part else { return Some(0) };
        match (part, division.place(orbit)) {
            (Part::Train, Place::Train(fold)) => Some(fold),
            (Part::Fold(one), Place::Train(fold)) if fold == one => Some(fold),
            (Part::Test, Place::Test) => Some(0),
            _ => None,
        }
    }

    /// Makes something of the rows, some at a time and side by side, and takes it in their order.
    pub(super) fn visit<R: Send, E>(
        &self,
        make: impl Fn(Chunk) -> R + Sync,
        take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let canonical = self.tablebase.canonical_positions(Side::Weak).enumerate();
        let mut orbits = canonical.filter_map(|(number, (position, outcome))| {
            Some(Orbit { number, position, outcome, fold: self.fold(number)? })
        });
        let some =
            || Some(orbits.by_ref().take(CHUNK).collect()).filter(|some: &Vec<_>| !some.is_empty());
        in_order(std::iter::from_fn(some), |orbits| make(self.chunk(&orbits)), take)
    }

    /// The rows of some orbits: all attributes of a position at once, since they share what they look
    /// at.
    fn chunk(&self, orbits: &[Orbit]) -> Chunk {
        let group = match self.positions {
            Positions::Canonical => Group::Identity,
            Positions::Full => Group::of(self.tablebase.material()),
        };
        let rows = orbits.len() * group.symmetries().len();
        let mut chunk = Chunk::with_capacity(self.heading.columns.len(), rows);
        let mut row = vec![0; self.heading.columns.len()];
        for Orbit { number, position, outcome, fold } in orbits {
            let class = self.depths.binary_search(&(*outcome).into()).expect("it has been counted");
            if let Some(last) = row.last_mut() {
                // Where there is a column of folds it is the last one, and no attribute.
                *last = *fold;
            }
            for position in group.orbit(position) {
                self.attributes.extract(&position, &mut row);
                for (column, &value) in chunk.columns.iter_mut().zip(&row) {
                    column.push(value);
                }
                chunk.targets.push(class as Class);
                chunk.orbits.push(*number as u32);
            }
        }
        chunk
    }

    /// How many rows there are in all, whatever part of them is meant.
    pub(super) fn whole_len(&self) -> usize {
        let group = match self.positions {
            Positions::Canonical => return self.tablebase.canonical_len(Side::Weak),
            Positions::Full => Group::Identity,
        };
        self.tablebase.counts(Side::Weak, group).legal() as usize
    }
}

/// The name of the column of folds.
const FOLD: &str = "fold";

/// A position that stands for its orbit.
struct Orbit {
    number: usize,
    position: Position,
    outcome: Outcome,
    fold: u8,
}

/// The classes of a table's positions, in order: known before the first row is made.
fn depths(tablebase: &Tablebase) -> Vec<Depth> {
    let counts = tablebase.counts(Side::Weak, Group::of(tablebase.material()));
    let lost = counts.histogram.keys().rfind(|&plies| plies.is_multiple_of(2));
    let longest = lost.and_then(|&plies| Outcome::Loss(plies).moves()).unwrap_or(0);
    Depth::up_to(longest).chain((counts.won > 0).then_some(Depth::Lost)).collect()
}
