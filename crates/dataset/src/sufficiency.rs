//! Sufficiency of attributes: how well they separate the classes of a data set, and how few of them are
//! enough.
//!
//! Rows with the same values form a *vector*. A vector with rows of several classes is a *clash*: on
//! its rows no learner can do better than to answer the commonest class. A subset of the attributes is
//! *as good as all* if it separates every two rows of different classes that all attributes separate. A
//! smallest such subset is a minimal relative reduct in rough set theory.

mod blocks;
mod hitting_set;

use crate::{Dataset, LabelSource, Positions};
use blocks::Blocks;
use hitting_set::{Attributes, Family, MAX_ATTRIBUTES, SearchBudget};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::Position;
use lucena_chess::symmetry::Group;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// An analysis of the attributes of a data set that holds for any learner.
///
/// ```
/// use lucena_dataset::Dataset;
/// use lucena_dataset::sufficiency::Sufficiency;
///
/// // Exclusive or, and a third column that does not help. The last two rows clash.
/// let columns = vec![
///     ("a".to_owned(), vec![0, 0, 1, 1, 1]),
///     ("b".to_owned(), vec![0, 1, 0, 1, 1]),
///     ("c".to_owned(), vec![7, 7, 7, 7, 7]),
/// ];
/// let dataset = Dataset::from_columns(columns, &[0, 1, 1, 0, 1])?;
/// let sufficiency = Sufficiency::new(&dataset);
/// assert_eq!((sufficiency.vectors(), sufficiency.clashing_vectors()), (4, 1));
/// assert_eq!((sufficiency.clashing_rows(), sufficiency.best_right()), (2, 4));
/// assert_eq!(sufficiency.clashes(10)[0].members[1].first_row, 4);
/// assert!(sufficiency.is_as_good_as_all(&[0, 1]));
/// assert!(!sufficiency.is_as_good_as_all(&[0, 2]));
/// # Ok::<(), lucena_dataset::DatasetError>(())
/// ```
pub struct Sufficiency<'d> {
    dataset: &'d Dataset,
    /// The class of each row, except that the rows of each clash share a label of their own. A subset
    /// is as good as all if it separates rows with different labels.
    labels: Vec<u32>,
    vectors: usize,
    /// The vectors with several classes, with rows in ascending order.
    mixed: Vec<Vec<u32>>,
    best_right: usize,
}

/// A vector with rows of several classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// The number of rows with these values.
    pub rows: usize,
    /// The least number of these rows that any learner gets wrong.
    pub wrong: usize,
    /// The classes in order.
    pub members: Vec<ClashMember>,
}

/// The rows of one class in a [`Clash`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClashMember {
    /// The number of the class.
    pub class: usize,
    /// The number of rows of this class in the clash.
    pub rows: usize,
    /// The first of these rows.
    pub first_row: usize,
}

/// A subset of attributes that is as good as all and from which none can be left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subset {
    /// The attribute numbers, in ascending order.
    pub attributes: Vec<usize>,
    /// A proven lower bound on the size of such subsets. The subset is a smallest one if it has this
    /// size.
    pub at_least: usize,
}

impl Subset {
    /// Returns true if the subset is proven to be a smallest one.
    pub fn is_smallest(&self) -> bool {
        self.attributes.len() == self.at_least
    }
}

/// The error for a search for a small subset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SubsetError {
    /// The data set has more attributes than the search supports.
    #[error(
        "{0} attributes are too many to search for a small subset: choose at most {MAX_ATTRIBUTES}"
    )]
    TooManyAttributes(usize),
    /// The observer asked to stop, or a table file can no longer be read.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl<'d> Sufficiency<'d> {
    /// Groups the rows of a data set by their values.
    pub fn new(dataset: &'d Dataset) -> Self {
        let (rows, targets) = (dataset.rows(), dataset.targets());
        let is_open = |block: &[u32]| block.len() > 1;
        let mut blocks = Blocks::all(rows, is_open);
        for attribute in widest_first(dataset, 0..dataset.attributes().len()) {
            blocks = blocks.refined(dataset.column(attribute), is_open);
        }
        // Every row left out of the blocks is a vector of its own.
        let vectors = if rows == 0 { 0 } else { rows - blocks.rows() + blocks.len() };
        let mut labels: Vec<u32> = targets.iter().map(|&class| class.into()).collect();
        let mut best_right = rows - blocks.rows();
        let mut mixed = Vec::new();
        for block in blocks.iter() {
            let mut counts = vec![0_usize; dataset.classes().len()];
            for &row in block {
                counts[usize::from(targets[row as usize])] += 1;
            }
            best_right += counts.iter().max().copied().unwrap_or(0);
            if counts.iter().filter(|&&count| count > 0).count() > 1 {
                mixed.push(block.to_vec());
            }
        }
        mixed.sort_unstable();
        for (label, block) in (dataset.classes().len() as u32..).zip(&mixed) {
            for &row in block {
                labels[row as usize] = label;
            }
        }
        Self { dataset, labels, vectors, mixed, best_right }
    }

    /// The number of different vectors.
    pub fn vectors(&self) -> usize {
        self.vectors
    }

    /// The number of vectors with rows of several classes.
    pub fn clashing_vectors(&self) -> usize {
        self.mixed.len()
    }

    /// The number of rows that share their vector with a row of another class.
    pub fn clashing_rows(&self) -> usize {
        self.mixed.iter().map(Vec::len).sum()
    }

    /// The greatest number of rows that any learner can get right: those of the commonest class of each
    /// vector.
    pub fn best_right(&self) -> usize {
        self.best_right
    }

    /// The greatest share of rows that any learner can get right; `None` without rows.
    pub fn best_accuracy(&self) -> Option<f64> {
        let rows = self.dataset.rows();
        (rows > 0).then(|| self.best_right as f64 / rows as f64)
    }

    /// The `most` most costly clashes, in descending order of cost, then by first row.
    pub fn clashes(&self, most: usize) -> Vec<Clash> {
        let clash = |block: &Vec<u32>| {
            let mut members: Vec<ClashMember> = Vec::new();
            for &row in block {
                let class = usize::from(self.dataset.targets()[row as usize]);
                match members.iter_mut().find(|member| member.class == class) {
                    Some(member) => member.rows += 1,
                    None => members.push(ClashMember { class, rows: 1, first_row: row as usize }),
                }
            }
            members.sort_unstable_by_key(|member| member.class);
            let commonest = members.iter().map(|member| member.rows).max().unwrap_or(0);
            Clash { rows: block.len(), wrong: block.len() - commonest, members }
        };
        let mut clashes: Vec<Clash> = self.mixed.iter().map(clash).collect();
        // A stable sort keeps clashes of equal cost in the order of their first rows.
        clashes.sort_by_key(|clash| Reverse(clash.wrong));
        clashes.truncate(most);
        clashes
    }

    /// Returns true if some attributes separate every two rows of different classes that all attributes
    /// separate.
    ///
    /// # Panics
    /// If there is no attribute with one of these numbers.
    pub fn is_as_good_as_all(&self, attributes: &[usize]) -> bool {
        self.unseparated(attributes.iter().copied()).is_empty()
    }

    /// The attributes that are in every subset that is as good as all.
    pub fn indispensable(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let all: Vec<usize> = (0..self.dataset.attributes().len()).collect();
        if !all.is_empty() {
            self.needed_among(&all, &self.all_rows(), &mut found);
        }
        found
    }

    /// Finds which of `attributes` are needed, if all others have already refined the rows into blocks.
    fn needed_among(&self, attributes: &[usize], untold: &Blocks, found: &mut Vec<usize>) {
        if untold.is_empty() {
            return;
        }
        if let &[attribute] = attributes {
            found.push(attribute);
            return;
        }
        let (one, other) = attributes.split_at(attributes.len() / 2);
        for (half, rest) in [(one, other), (other, one)] {
            let partition = self.refined(untold.clone(), rest.iter().copied());
            self.needed_among(half, &partition, found);
        }
    }

    /// A small subset that is as good as all, by greedy search. As long as the subset fails to separate
    /// some pairs of rows, these are recorded, and a new subset is built by repeatedly choosing the
    /// attribute that separates most of the recorded pairs. At the end, redundant attributes are
    /// removed.
    ///
    /// # Errors
    /// If there are more than 256 attributes, or the work was stopped.
    pub fn greedy_subset(&self, observer: &dyn Observer) -> Result<Subset, SubsetError> {
        let mut search = SubsetSearch::new(self, observer)?;
        let attributes = search.greedy()?;
        Ok(Subset { attributes, at_least: search.at_least })
    }

    /// A smallest subset that is as good as all. Starting from the greedy one, it searches for sets of
    /// one attribute, of two, and so on, that separate all recorded pairs; a set that does but is not
    /// as good as all yields more pairs. After `nodes` nodes the search ends with the best subset known
    /// and the lower bound proven so far.
    ///
    /// # Errors
    /// If there are more than 256 attributes, or the work was stopped.
    pub fn smallest_subset(
        &self,
        nodes: u64,
        observer: &dyn Observer,
    ) -> Result<Subset, SubsetError> {
        let mut search = SubsetSearch::new(self, observer)?;
        let greedy = search.greedy()?;
        let attributes = search.smallest(greedy, nodes)?;
        Ok(Subset { attributes, at_least: search.at_least })
    }

    fn is_mixed(&self, block: &[u32]) -> bool {
        let label = |row: u32| self.labels[row as usize];
        block.iter().any(|&row| label(row) != label(block[0]))
    }

    fn all_rows(&self) -> Blocks {
        Blocks::all(self.labels.len(), |block| self.is_mixed(block))
    }

    /// The rows of different labels that some attributes do not separate.
    fn unseparated(&self, attributes: impl Iterator<Item = usize>) -> Blocks {
        self.refined(self.all_rows(), attributes)
    }

    fn refined(&self, blocks: Blocks, attributes: impl Iterator<Item = usize>) -> Blocks {
        widest_first(self.dataset, attributes).into_iter().fold(blocks, |blocks, attribute| {
            blocks.refined(self.dataset.column(attribute), |block| self.is_mixed(block))
        })
    }

    /// The attributes in which two rows differ.
    fn difference(&self, one: u32, other: u32) -> Attributes {
        let differs = |&attribute: &usize| {
            let column = self.dataset.column(attribute);
            column[one as usize] != column[other as usize]
        };
        (0..self.dataset.attributes().len()).filter(differs).collect()
    }
}

/// The number of pairs of rows inspected, and the number of them recorded (those with the fewest
/// differences), each time a subset has failed.
const LOOKED_AT: usize = 4096;
const NOTED: usize = 256;

/// A search for a small subset: a hitting set for the differences of recorded pairs.
struct SubsetSearch<'s> {
    sufficiency: &'s Sufficiency<'s>,
    observer: &'s dyn Observer,
    family: Family,
    at_least: usize,
}

impl<'s> SubsetSearch<'s> {
    fn new(
        sufficiency: &'s Sufficiency<'s>,
        observer: &'s dyn Observer,
    ) -> Result<Self, SubsetError> {
        let attributes = sufficiency.dataset.attributes().len();
        if attributes > MAX_ATTRIBUTES {
            return Err(SubsetError::TooManyAttributes(attributes));
        }
        Ok(Self { sufficiency, observer, family: Family::default(), at_least: 0 })
    }

    /// Reports the progress: the number of recorded pairs, and the bounds on the size of a smallest
    /// subset.
    fn tell(&self, at_most: Option<usize>) -> Result<(), Stopped> {
        let (pairs, least) = (self.family.len(), self.at_least);
        let what = match at_most {
            None => format!("looking for a subset that tells {pairs} pairs apart"),
            Some(most) => format!("{least} to {most} attributes tell {pairs} pairs apart"),
        };
        self.observer.report(Progress { what: &what, done: least as u64, total: None });
        self.observer.check()
    }

    /// Records pairs of rows that are not separated yet.
    fn note(&mut self, untold: &Blocks) {
        let label = |row: u32| self.sufficiency.labels[row as usize];
        let step = untold.len().div_ceil(LOOKED_AT).max(1);
        let pairs = untold.iter().step_by(step).flat_map(|block| {
            let neighbours = block.windows(2).map(|pair| (pair[0], pair[1]));
            neighbours.filter(|&(one, other)| label(one) != label(other)).take(4)
        });
        let difference = |(one, other)| self.sufficiency.difference(one, other);
        let mut differences: Vec<Attributes> = pairs.take(LOOKED_AT).map(difference).collect();
        differences.sort_unstable_by_key(|&set| (set.len(), set));
        differences.dedup();
        differences.truncate(NOTED);
        self.family.extend(differences);
    }

    fn greedy(&mut self) -> Result<Vec<usize>, Stopped> {
        let mut chosen = loop {
            let chosen = self.family.hit_greedily();
            let untold = self.sufficiency.unseparated(chosen.iter().copied());
            if untold.is_empty() {
                break chosen;
            }
            self.note(&untold);
            self.tell(None)?;
        };
        for at in (0..chosen.len()).rev() {
            let others = (0..chosen.len()).filter(|&other| other != at);
            let untold = self.sufficiency.unseparated(others.map(|other| chosen[other]));
            if untold.is_empty() {
                chosen.remove(at);
            } else {
                self.note(&untold);
            }
            self.tell(Some(chosen.len()))?;
        }
        Ok(chosen)
    }

    fn smallest(&mut self, known: Vec<usize>, nodes: u64) -> Result<Vec<usize>, Stopped> {
        let mut left = SearchBudget { nodes, observer: self.observer };
        while self.at_least < known.len() {
            match self.family.hit_within(self.at_least, &mut left) {
                ControlFlow::Break(None) => break,
                ControlFlow::Continue(()) => self.at_least += 1,
                ControlFlow::Break(Some(chosen)) => {
                    let untold = self.sufficiency.unseparated(chosen.iter());
                    if untold.is_empty() {
                        return Ok(chosen.iter().collect());
                    }
                    self.note(&untold);
                }
            }
            self.tell(Some(known.len()))?;
        }
        self.observer.check()?;
        Ok(known)
    }
}

/// Sorts attributes by descending size of their domain: wide ones divide the rows quickest.
fn widest_first(dataset: &Dataset, attributes: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut attributes: Vec<usize> = attributes.collect();
    attributes.sort_by_key(|&at| {
        let attribute = &dataset.attributes()[at];
        Reverse(attribute.high - attribute.low)
    });
    attributes
}

/// The positions of some rows of a data set from this source, in the order of `rows`.
///
/// # Errors
/// If a file can no longer be read.
///
/// # Panics
/// If there is no row with one of these numbers.
pub fn positions_of_rows(
    source: &dyn LabelSource,
    dataset: &Dataset,
    positions: Positions,
    rows: &[usize],
) -> Result<Vec<Position>, Stopped> {
    let group = Group::new(source.material());
    let orbit = |row: usize| dataset.orbits()[row];
    let mut wanted: Vec<u32> = rows.iter().map(|&row| orbit(row)).collect();
    wanted.sort_unstable();
    let end = wanted.last().map_or(0, |&last| last as usize + 1);
    let mut places = BTreeMap::new();
    for (number, (place, _)) in (0..).zip(source.orbits(dataset.turn()).take(end)) {
        if wanted.binary_search(&number).is_ok() {
            places.insert(number, place);
        }
    }
    // The orbits end before one that can no longer be read.
    source.check()?;
    let position = |&row: &usize| {
        let canonical = source.placement(places[&orbit(row)]);
        let canonical = canonical.with(dataset.turn(), *canonical.squares());
        let first = dataset.orbits().partition_point(|&other| other < orbit(row));
        match positions {
            Positions::Canonical => canonical,
            Positions::Full => group.orbit(&canonical)[row - first],
        }
    };
    Ok(rows.iter().map(position).collect())
}
