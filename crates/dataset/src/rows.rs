//! The rows of a table, made some at a time: memory does not grow with their number.

use super::chunk::{CHUNK, CHUNKS, Chunk, in_order};
use super::division::{Division, DivisionError, Part, Place};
use super::heading::Heading;
use lucena_attributes::{AttributeSet, Selection};
use lucena_base::named::named;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Side};
use lucena_tablebase::{DistanceClass, Index, Outcome, Tablebase};
use lucena_tree::{Class, Column};
use std::collections::BTreeSet;

/// Which positions make the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Positions {
    /// One of each orbit: 28,056 of KRvK with the weak side to move.
    Canonical,
    /// All legal ones: 223,944 of KRvK with the weak side to move.
    Full,
}

named!(Positions { "canonical": Canonical, "full": Full });

/// Why there is no data set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
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
    /// No such sample can be drawn.
    #[error(transparent)]
    Division(#[from] DivisionError),
}

/// The positions of a table's material with one side to move, by attributes; canonical ones in the order
/// of the index, an orbit's positions together.
///
/// Attributes say how the men stand, whoever is to move. The class is what becomes of the weak side:
/// [`DistanceClass::of`].
///
/// ```
/// use lucena::attributes::{AttributeSet, Selection};
/// use lucena::dataset::{Positions, Rows};
/// use lucena::dataset::{Format, Layout};
/// use lucena::tablebase::Tablebase;
///
/// let material = "KRvK".parse()?;
/// let tablebase = Tablebase::solve(material);
/// let attributes = AttributeSet::new(material, Selection::Geometric);
/// let rows = Rows::new(&tablebase, &attributes, Positions::Canonical)?;
/// let written = Layout::new(&rows, Format::Csv)?.write(&mut std::io::sink())?;
/// assert_eq!(written.rows, 28_056);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Rows<'a> {
    tablebase: &'a Tablebase,
    attributes: &'a AttributeSet,
    positions: Positions,
    turn: Side,
    index: Index,
    /// By [`number_of`] an outcome; nothing for what no position has.
    classes: Vec<Option<Class>>,
    heading: Heading,
    part: Option<(&'a Division, Part)>,
}

impl<'a> Rows<'a> {
    /// All positions of a kind, with the weak side to move.
    ///
    /// # Errors
    /// When the attributes are another material's.
    pub fn new(
        tablebase: &'a Tablebase,
        attributes: &'a AttributeSet,
        positions: Positions,
    ) -> Result<Self, DatasetError> {
        Ok(Self::of_sides(tablebase, attributes, positions, &[Side::Weak])?.swap_remove(0))
    }

    /// All positions of a kind with each of these sides to move. Their classes are the same, so that a class
    /// has one number whoever is to move.
    ///
    /// ```
    /// use lucena::attributes::{AttributeSet, Selection};
    /// use lucena::chess::Side;
    /// use lucena::dataset::{Positions, Rows};
    /// use lucena::dataset::{Format, Layout};
    /// use lucena::tablebase::Tablebase;
    ///
    /// let material = "KRvK".parse()?;
    /// let tablebase = Tablebase::solve(material);
    /// let attributes = AttributeSet::new(material, Selection::Location);
    /// let sides = Rows::of_sides(&tablebase, &attributes, Positions::Full, &[Side::Strong])?;
    /// let written = Layout::new(&sides[0], Format::Csv)?.write(&mut std::io::sink())?;
    /// assert_eq!(written.rows, 175_168);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the attributes are another material's.
    pub fn of_sides(
        tablebase: &'a Tablebase,
        attributes: &'a AttributeSet,
        positions: Positions,
        turns: &[Side],
    ) -> Result<Vec<Self>, DatasetError> {
        let material = tablebase.material();
        if attributes.material() != material {
            return Err(DatasetError::OtherMaterial {
                attributes: attributes.material(),
                table: material,
            });
        }
        let depths = depths(tablebase, turns);
        let of = |&turn: &Side| {
            let heading = Heading::new(attributes, &depths, turn);
            let class = |outcome| depths.binary_search(&DistanceClass::of(turn, outcome)).ok();
            let classes = outcomes().map(|outcome| Some(class(outcome)? as Class)).collect();
            let index = Index::new(material, Group::of(material));
            Self { tablebase, attributes, positions, turn, index, classes, heading, part: None }
        };
        Ok(turns.iter().map(of).collect())
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

    /// Who is to move.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The table that the classes come from.
    pub fn tablebase(&self) -> &'a Tablebase {
        self.tablebase
    }

    /// The positions of each orbit that become rows.
    pub fn positions(&self) -> Positions {
        self.positions
    }

    /// The number of orbits that make the rows.
    pub fn orbits_len(&self) -> usize {
        match self.part {
            None => self.tablebase.canonical_len(self.turn()),
            Some(_) => self.orbits().count(),
        }
    }

    pub(super) fn into_heading(self) -> Heading {
        self.heading
    }

    /// Whether there is a column of folds.
    pub fn has_folds(&self) -> bool {
        self.heading.columns.len() > self.attributes.attributes().len()
    }

    /// Whether the columns say where the men stand, and nothing else.
    pub fn are_locations(&self) -> bool {
        self.attributes.selection() == Some(Selection::Location) && !self.has_folds()
    }

    /// The fold of an orbit, if the orbit belongs to these rows.
    pub fn fold(&self, orbit: usize) -> Option<u8> {
        let Some((division, part)) = self.part else { return Some(0) };
        match (part, division.place(orbit)) {
            (Part::Train, Place::Train(fold)) => Some(fold),
            (Part::Fold(one), Place::Train(fold)) if fold == one => Some(fold),
            (Part::Test, Place::Test) => Some(0),
            _ => None,
        }
    }

    /// Makes something of the rows, some at a time and side by side, and takes it in their order.
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

    /// The orbits that make the rows, in their order: all that need not be worked out.
    pub fn orbits(&self) -> impl Iterator<Item = Orbit> + '_ {
        let all = self.tablebase.canonical_outcomes(self.turn).enumerate();
        all.filter_map(|(number, (place, outcome))| {
            let fold = self.fold(number)?;
            let class = self.classes[number_of(outcome)].expect("it has been counted");
            Some(Orbit { number: number as u32, place: place as u32, class, fold })
        })
    }

    /// What makes the rows of an orbit from one of its positions.
    pub fn group(&self) -> Group {
        match self.positions {
            Positions::Canonical => Group::Identity,
            Positions::Full => Group::of(self.tablebase.material()),
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
                // Attributes ask about positions with the weak side to move.
                let position = self.index.placement(place as usize, Side::Weak);
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

    /// How many rows an orbit has at most.
    pub fn orbit_len(&self) -> usize {
        self.group().symmetries().len()
    }

    /// How many rows there are in all, whatever part of them is meant.
    pub fn whole_len(&self) -> usize {
        let group = match self.positions {
            Positions::Canonical => return self.tablebase.canonical_len(self.turn),
            Positions::Full => Group::Identity,
        };
        self.tablebase.counts(self.turn, group).legal() as usize
    }
}

/// The name of the column of folds.
const FOLD: &str = "fold";

/// How many orbits are worked out together: few enough for their positions to stay near at hand.
const AT_HAND: usize = 256;

/// What is known of an orbit before its positions are looked at.
#[derive(Clone, Copy)]
pub struct Orbit {
    number: u32,
    /// The number of its canonical position in the index.
    place: u32,
    class: Class,
    fold: u8,
}

/// The number of an outcome, in the order of [`outcomes`].
fn number_of(outcome: Outcome) -> usize {
    outcome.plies().map_or(0, |plies| usize::from(plies) + 1)
}

/// Everything that a table can say of a position: its entries are bytes.
fn outcomes() -> impl Iterator<Item = Outcome> {
    std::iter::once(Outcome::Draw).chain((0..u8::MAX).map(|plies| Outcome::mate_in(plies.into())))
}

/// The classes of a table's positions with some sides to move, in order: known before the first row is
/// made.
fn depths(tablebase: &Tablebase, turns: &[Side]) -> Vec<DistanceClass> {
    let group = Group::of(tablebase.material());
    let depths = turns.iter().flat_map(|&turn| {
        let counts = tablebase.counts(turn, group);
        counts
            .histogram
            .into_keys()
            .map(move |plies| DistanceClass::of(turn, Outcome::mate_in(plies)))
    });
    let depths: BTreeSet<DistanceClass> = depths.collect();
    let moves = |depth: &DistanceClass| match *depth {
        DistanceClass::Mated(moves) => Some(moves),
        DistanceClass::Draw | DistanceClass::Lost => None,
    };
    let longest = depths.iter().filter_map(moves).max().unwrap_or(0);
    DistanceClass::up_to(longest)
        .chain(depths.contains(&DistanceClass::Lost).then_some(DistanceClass::Lost))
        .collect()
}
