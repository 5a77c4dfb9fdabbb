//! The rows of a data set, made in chunks, so that memory does not grow with their number.

use super::MAX_CLASSES;
use super::chunk::{CHUNK, CHUNKS, Chunk, in_order};
use super::division::{Assignment, Division, DivisionError, DivisionPart};
use super::schema::DatasetSchema;
use super::source::LabelSource;
use super::target::Label;
use lucena_attributes::{AttributeSet, Selection};
use lucena_base::named::named;
use lucena_base::progress::Stopped;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Side};
use lucena_model::{Class, Column};

/// The positions that become rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Positions {
    /// One per orbit: 28,056 for KRvK with the weak side to move.
    Canonical,
    /// All legal positions: 223,944 for KRvK with the weak side to move.
    Full,
}

named!(Positions { "canonical": Canonical, "full": Full });

/// The error for rows that do not make a data set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// The columns differ in length.
    #[error(
        "the columns and the classes differ in length: give each row a value for every attribute"
    )]
    UnequalColumns,
    /// A column name is not an identifier, or occurs twice.
    #[error("{0:?} cannot be the name of a column: use letters, digits and _, and each name once")]
    Name(String),
    /// There are more classes than can be numbered.
    #[error("there are {0} classes: use at most {MAX_CLASSES}")]
    TooManyClasses(usize),
    /// The attributes belong to another material.
    #[error("the attributes are for {attributes}, the table for {table}")]
    OtherMaterial {
        /// The material of the attributes.
        attributes: Material,
        /// The material of the table.
        table: Material,
    },
    /// The sample cannot be drawn.
    #[error(transparent)]
    Division(#[from] DivisionError),
    /// The observer asked to stop, or a table file can no longer be read.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The positions of an endgame with one side to move, described by attributes: canonical ones in the order of
/// their source, with each orbit's positions together.
///
/// Attributes describe the placement of the men, no matter who is to move. The class comes from the source: with a
/// tablebase of distances to mate, the result for the weak side.
///
/// ```
/// use lucena_attributes::{AttributeSet, Selection};
/// use lucena_dataset::{Positions, Rows};
/// use lucena_tablebase::Tablebase;
///
/// let material = "KRvK".parse()?;
/// let tablebase = Tablebase::solve(material);
/// let attributes = AttributeSet::new(material, Selection::Geometric);
/// let rows = Rows::new(&tablebase, &attributes, Positions::Canonical)?;
/// assert_eq!(rows.orbits_len(), 28_056);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Rows<'a> {
    source: &'a dyn LabelSource,
    attributes: &'a AttributeSet,
    positions: Positions,
    turn: Side,
    /// In the order of their numbers.
    labels: Vec<Label>,
    pub(super) heading: DatasetSchema,
    part: Option<(&'a Division, DivisionPart)>,
}

impl<'a> Rows<'a> {
    /// All positions with the weak side to move.
    ///
    /// # Errors
    /// If the attributes belong to another material, or a table file can no longer be read.
    pub fn new(
        source: &'a dyn LabelSource,
        attributes: &'a AttributeSet,
        positions: Positions,
    ) -> Result<Self, DatasetError> {
        Ok(Self::of_sides(source, attributes, positions, &[Side::Weak])?.swap_remove(0))
    }

    /// All positions with each of these sides to move. All have the same list of classes, so a class
    /// has one number no matter who is to move.
    ///
    /// # Errors
    /// If the attributes belong to another material, or a table file can no longer be read.
    pub fn of_sides(
        source: &'a dyn LabelSource,
        attributes: &'a AttributeSet,
        positions: Positions,
        turns: &[Side],
    ) -> Result<Vec<Self>, DatasetError> {
        let material = source.material();
        if attributes.material() != material {
            return Err(DatasetError::OtherMaterial {
                attributes: attributes.material(),
                table: material,
            });
        }
        let labels = source.labels(turns);
        source.check()?;
        if labels.len() > MAX_CLASSES {
            return Err(DatasetError::TooManyClasses(labels.len()));
        }
        let of = |&turn: &Side| {
            let heading = DatasetSchema::new(attributes, source, &labels, turn);
            let labels = labels.clone();
            Self { source, attributes, positions, turn, labels, heading, part: None }
        };
        Ok(turns.iter().map(of).collect())
    }

    /// Restricts the rows to a part of a division. The training set gets a last column with the fold
    /// numbers, `fold`, if there are folds.
    ///
    /// # Panics
    /// Panics later if the division has fewer orbits than the source.
    #[must_use]
    pub fn part(self, division: &'a Division, part: DivisionPart) -> Self {
        let heading = match (part, division.params.folds) {
            (DivisionPart::Train, Some(folds)) => {
                let meaning = "the fold of a cross-validation that holds the row out";
                self.heading.with(Column::new(FOLD, 0, (folds - 1) as u8, meaning))
            }
            _ => self.heading,
        };
        Self { heading, part: Some((division, part)), ..self }
    }

    /// The description of the columns and classes.
    pub fn heading(&self) -> &DatasetSchema {
        &self.heading
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The source of the positions and classes.
    pub fn source(&self) -> &'a dyn LabelSource {
        self.source
    }

    /// The positions of each orbit that become rows.
    pub fn positions(&self) -> Positions {
        self.positions
    }

    /// The number of orbits that make the rows.
    pub fn orbits_len(&self) -> usize {
        match self.part {
            None => self.source.orbits_len(self.turn()),
            Some(_) => self.orbits().count(),
        }
    }

    /// Returns true if there is a column of folds.
    pub fn has_folds(&self) -> bool {
        self.heading.columns.len() > self.attributes.attributes().len()
    }

    /// Returns true if the columns are the locations of the men and nothing else.
    pub fn are_locations(&self) -> bool {
        self.attributes.selections() == Some(Selection::Location.into()) && !self.has_folds()
    }

    /// The fold of an orbit, or `None` if the orbit is not among these rows.
    pub fn fold(&self, orbit: usize) -> Option<u8> {
        let Some((division, part)) = self.part else { return Some(0) };
        match (part, division.assignment(orbit)) {
            (DivisionPart::Train, Assignment::Train(fold)) => Some(fold),
            (DivisionPart::Fold(one), Assignment::Train(fold)) if fold == one => Some(fold),
            (DivisionPart::Test, Assignment::Test) => Some(0),
            _ => None,
        }
    }

    /// Applies `make` to chunks of rows in parallel, and `take` to the results in order.
    pub fn visit<R: Send, E>(
        &self,
        make: impl Fn(Chunk) -> R + Sync,
        take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut orbits = self.orbits();
        let some =
            || Some(orbits.by_ref().take(CHUNK).collect()).filter(|some: &Vec<_>| !some.is_empty());
        in_order(std::iter::from_fn(some), CHUNKS, |orbits| make(self.chunk(&orbits)), take)
    }

    /// The orbits of the rows, in order. They are read from the source, without making positions.
    pub fn orbits(&self) -> impl Iterator<Item = Orbit> + '_ {
        let all = self.source.orbits(self.turn).enumerate();
        all.filter_map(|(number, (place, label))| {
            let fold = self.fold(number)?;
            let class = self.labels.binary_search(&label).expect("it has been counted") as Class;
            Some(Orbit { number: number as u32, place, class, fold })
        })
    }

    /// The group that turns one position of an orbit into all its rows.
    pub fn group(&self) -> Group {
        match self.positions {
            Positions::Canonical => Group::Identity,
            Positions::Full => Group::new(self.source.material()),
        }
    }

    /// The rows of some orbits.
    pub fn chunk(&self, orbits: &[Orbit]) -> Chunk {
        let group = self.group();
        let rows = orbits.len() * group.symmetries().len();
        let mut chunk = Chunk::with_capacity(self.heading.columns.len(), rows);
        let mut positions = Vec::with_capacity(AT_HAND * group.symmetries().len());
        let attributes = self.attributes.attributes().len();
        for some in orbits.chunks(AT_HAND) {
            let done = chunk.rows();
            let Chunk { columns, targets, orbits } = &mut chunk;
            positions.clear();
            for &Orbit { number, place, class, fold } in some {
                // Attributes are evaluated with the weak side to move.
                let position = self.source.placement(place);
                match group {
                    Group::Identity => positions.push(position),
                    _ => positions.extend(group.orbit(&position)),
                }
                let rows = done + positions.len();
                targets.resize(rows, class);
                orbits.resize(rows, number);
                if let Some(folds) = columns.get_mut(attributes) {
                    folds.resize(rows, fold);
                }
            }
            self.attributes.extract_columns(&positions, columns);
        }
        chunk
    }

    /// The greatest number of rows of an orbit.
    pub fn orbit_len(&self) -> usize {
        self.group().symmetries().len()
    }

    /// The number of rows of the whole source, not only of the selected part, or a little more.
    pub fn whole_len(&self) -> usize {
        match self.positions {
            Positions::Canonical => self.source.orbits_len(self.turn),
            Positions::Full => self.source.positions_len(self.turn),
        }
    }
}

/// The name of the fold column.
const FOLD: &str = "fold";

/// The number of orbits evaluated together: few enough for their positions to stay in the cache.
const AT_HAND: usize = 256;

/// An orbit, before its positions are made.
#[derive(Clone, Copy)]
pub struct Orbit {
    number: u32,
    /// The place of its canonical position in the source.
    place: u64,
    class: Class,
    fold: u8,
}
