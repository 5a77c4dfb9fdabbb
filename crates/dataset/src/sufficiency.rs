//! Whether attributes are enough to tell the classes of a data set apart, and how few of them do.
//!
//! Rows with the same values make a *vector*. A vector with rows of several classes is a *clash*: no
//! learner can have more of its rows right than the commonest class has. A subset of the attributes
//! is *as good as all* if it tells apart every two rows of different classes that all of them tell
//! apart; a smallest one is what rough set theory calls a minimal relative reduct.

mod blocks;
mod hitting;

use crate::{Dataset, Positions};
use blocks::Blocks;
use hitting::{Attributes, Exhausted, Family, Left, MOST};
use lucena_base::work::{Progress, Stopped, Watch};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, Side};
use lucena_tablebase::{Index, Tablebase};
use std::cmp::Reverse;

/// How many bytes a row takes besides its values: its class, its label, and its number in blocks before and after
/// they are divided.
const BYTES_A_ROW: usize = 40;

/// What the attributes of a data set are worth, whatever learns from them.
///
/// ```
/// use lucena::dataset::Dataset;
/// use lucena::sufficiency::Sufficiency;
///
/// // Exclusive or, and a third column that does not help. The last two rows clash.
/// let columns = vec![
///     ("a".to_owned(), vec![0, 0, 1, 1, 1]),
///     ("b".to_owned(), vec![0, 1, 0, 1, 1]),
///     ("c".to_owned(), vec![7, 7, 7, 7, 7]),
/// ];
/// let dataset = Dataset::from_columns(columns, &[0, 1, 1, 0, 1])?;
/// let sufficiency = Sufficiency::of(&dataset);
/// assert_eq!((sufficiency.vectors(), sufficiency.clashing_vectors()), (4, 1));
/// assert_eq!((sufficiency.clashing_rows(), sufficiency.best_right()), (2, 4));
/// assert_eq!(sufficiency.clashes(10)[0].members[1].first_row, 4);
/// assert!(sufficiency.is_as_good_as_all(&[0, 1]));
/// assert!(!sufficiency.is_as_good_as_all(&[0, 2]));
/// # Ok::<(), lucena::dataset::DatasetError>(())
/// ```
pub struct Sufficiency<'d> {
    dataset: &'d Dataset,
    /// For each row its class; rows of a clash have a number of their own in its place. A subset is
    /// as good as all if it tells rows with different labels apart.
    labels: Vec<u32>,
    vectors: usize,
    /// The vectors with several classes, the rows in order.
    mixed: Vec<Vec<u32>>,
    best_right: usize,
}

/// A vector whose rows are of several classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// How many rows have these values.
    pub rows: usize,
    /// How many of them any learner has wrong, at least.
    pub wrong: usize,
    /// Its classes in order.
    pub members: Vec<Member>,
}

/// The rows of one class in a [`Clash`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The number of the class.
    pub class: usize,
    /// How many rows of the clash are of this class.
    pub rows: usize,
    /// The first of them.
    pub first_row: usize,
}

/// Attributes that are as good as all, and none of which can be left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subset {
    /// Their numbers, in order.
    pub attributes: Vec<usize>,
    /// No fewer attributes are as good as all: proved. The subset is a smallest one if it has no more.
    pub at_least: usize,
}

impl Subset {
    /// Whether no smaller one exists.
    pub fn is_smallest(&self) -> bool {
        self.attributes.len() == self.at_least
    }
}

/// Why no small subset was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SubsetError {
    /// The data set has more attributes than a subset can be searched for among.
    #[error("{0} attributes are too many to search for a small subset: choose at most {MOST}")]
    TooManyAttributes(usize),
    /// Whoever watched did not want to wait.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl<'d> Sufficiency<'d> {
    /// Groups the rows of a data set by their values.
    pub fn of(dataset: &'d Dataset) -> Self {
        let (rows, targets) = (dataset.rows(), dataset.targets());
        let is_open = |block: &[u32]| block.len() > 1;
        let mut blocks = Blocks::all(rows, is_open);
        for attribute in widest_first(dataset, 0..dataset.attributes().len()) {
            blocks = blocks.refined(dataset.column(attribute), is_open);
        }
        // What has been left out on the way stands alone.
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

    /// About how many bytes of memory it takes to describe the positions of a material by so many attributes and
    /// to compare them.
    ///
    /// ```
    /// use lucena::dataset::Positions;
    /// use lucena::sufficiency::Sufficiency;
    ///
    /// let memory = Sufficiency::memory("KBBvKN".parse()?, 10, Positions::Canonical);
    /// assert!(memory > 2 << 30 && memory < 3 << 30);
    /// # Ok::<(), lucena::chess::ParseMaterialError>(())
    /// ```
    pub fn memory(material: Material, attributes: usize, positions: Positions) -> u64 {
        let group = match positions {
            Positions::Canonical => Group::of(material),
            Positions::Full => Group::Identity,
        };
        (attributes + BYTES_A_ROW) as u64 * Index::new(material, group).len() as u64
    }

    /// How many different vectors there are.
    pub fn vectors(&self) -> usize {
        self.vectors
    }

    /// How many vectors have rows of several classes.
    pub fn clashing_vectors(&self) -> usize {
        self.mixed.len()
    }

    /// How many rows share their vector with a row of another class.
    pub fn clashing_rows(&self) -> usize {
        self.mixed.iter().map(Vec::len).sum()
    }

    /// How many rows any learner has right, at most: the commonest class of each vector.
    pub fn best_right(&self) -> usize {
        self.best_right
    }

    /// The share of rows that any learner has right, at most; nothing without rows.
    pub fn best_accuracy(&self) -> Option<f64> {
        let rows = self.dataset.rows();
        (rows > 0).then(|| self.best_right as f64 / rows as f64)
    }

    /// Clashes, at most so many: those that cost most first, then by their first row.
    pub fn clashes(&self, most: usize) -> Vec<Clash> {
        let clash = |block: &Vec<u32>| {
            let mut members: Vec<Member> = Vec::new();
            for &row in block {
                let class = usize::from(self.dataset.targets()[row as usize]);
                match members.iter_mut().find(|member| member.class == class) {
                    Some(member) => member.rows += 1,
                    None => members.push(Member { class, rows: 1, first_row: row as usize }),
                }
            }
            members.sort_unstable_by_key(|member| member.class);
            let commonest = members.iter().map(|member| member.rows).max().unwrap_or(0);
            Clash { rows: block.len(), wrong: block.len() - commonest, members }
        };
        let mut clashes: Vec<Clash> = self.mixed.iter().map(clash).collect();
        // Stable: the blocks are in the order of their first rows.
        clashes.sort_by_key(|clash| Reverse(clash.wrong));
        clashes.truncate(most);
        clashes
    }

    /// Whether some of the attributes tell apart every two rows of different classes that all of
    /// them tell apart.
    ///
    /// # Panics
    /// When there is no attribute of such a number.
    pub fn is_as_good_as_all(&self, attributes: &[usize]) -> bool {
        self.untold(attributes.iter().copied()).is_empty()
    }

    /// The attributes without which the others are not as good as all.
    ///
    /// ```
    /// use lucena::attributes::{AttributeSet, Selection};
    /// use lucena::dataset::{Dataset, Positions};
    /// use lucena::sufficiency::Sufficiency;
    /// use lucena::tablebase::Tablebase;
    ///
    /// let tablebase = Tablebase::solve("KQvK".parse()?);
    /// let attributes = AttributeSet::new(tablebase.material(), Selection::Location);
    /// let dataset = Dataset::new(&tablebase, &attributes, Positions::Canonical)?;
    /// // Nobody can do without knowing where a man stands.
    /// assert_eq!(Sufficiency::of(&dataset).indispensable(), [0, 1, 2, 3, 4, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn indispensable(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let all: Vec<usize> = (0..self.dataset.attributes().len()).collect();
        if !all.is_empty() {
            self.needed_among(&all, &self.all_rows(), &mut found);
        }
        found
    }

    /// Those of some attributes that are needed where all others have divided the rows already.
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
            let told = self.refined(untold.clone(), rest.iter().copied());
            self.needed_among(half, &told, found);
        }
    }

    /// A small subset that is as good as all, by a greedy search. While pairs of rows turn up that
    /// the subset does not tell apart, they are noted, and a subset is put together anew: again and
    /// again the attribute that tells most of the noted pairs apart. In the end what can be left out
    /// is left out.
    ///
    /// # Errors
    /// When there are more than 256 attributes, or the work was stopped.
    pub fn greedy_subset(&self, watch: &dyn Watch) -> Result<Subset, SubsetError> {
        let mut search = Search::new(self, watch)?;
        let attributes = search.greedy()?;
        Ok(Subset { attributes, at_least: search.at_least })
    }

    /// A smallest subset that is as good as all. From the greedy one a search goes on that asks for
    /// sets of one attribute, of two, and so on, that tell all pairs noted so far apart; a set that
    /// does and is not as good as all shows more pairs. After so many nodes of its tree it stops, with
    /// the best subset known and the size that has been proved.
    ///
    /// ```
    /// use lucena::dataset::Dataset;
    /// use lucena::sufficiency::Sufficiency;
    /// use lucena::work::Unwatched;
    ///
    /// let columns = vec![
    ///     ("a".to_owned(), vec![0, 0, 1, 1]),
    ///     ("b".to_owned(), vec![0, 1, 0, 1]),
    ///     ("both".to_owned(), vec![0, 1, 1, 0]),
    /// ];
    /// let dataset = Dataset::from_columns(columns, &[0, 1, 1, 0])?;
    /// let subset = Sufficiency::of(&dataset).smallest_subset(1_000, &Unwatched)?;
    /// assert_eq!(subset.attributes, [2]);
    /// assert!(subset.is_smallest());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there are more than 256 attributes, or the work was stopped.
    pub fn smallest_subset(&self, nodes: u64, watch: &dyn Watch) -> Result<Subset, SubsetError> {
        let mut search = Search::new(self, watch)?;
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

    /// Rows of different labels that some attributes do not tell apart.
    fn untold(&self, attributes: impl Iterator<Item = usize>) -> Blocks {
        self.refined(self.all_rows(), attributes)
    }

    fn refined(&self, blocks: Blocks, attributes: impl Iterator<Item = usize>) -> Blocks {
        let mut blocks = blocks;
        for attribute in widest_first(self.dataset, attributes) {
            if blocks.is_empty() {
                break;
            }
            let column = self.dataset.column(attribute);
            blocks = blocks.refined(column, |block| self.is_mixed(block));
        }
        blocks
    }

    /// The attributes by which two rows differ.
    fn difference(&self, one: u32, other: u32) -> Attributes {
        let differs = |&attribute: &usize| {
            let column = self.dataset.column(attribute);
            column[one as usize] != column[other as usize]
        };
        (0..self.dataset.attributes().len()).filter(differs).collect()
    }
}

/// How many pairs of rows are looked at, and how many of them noted, the hardest to tell apart, each
/// time a subset has proved too small.
const LOOKED_AT: usize = 4096;
const NOTED: usize = 256;

/// A search for a small subset: the sets of attributes of which one each is needed.
struct Search<'s> {
    sufficiency: &'s Sufficiency<'s>,
    watch: &'s dyn Watch,
    family: Family,
    at_least: usize,
}

impl<'s> Search<'s> {
    fn new(sufficiency: &'s Sufficiency<'s>, watch: &'s dyn Watch) -> Result<Self, SubsetError> {
        let attributes = sufficiency.dataset.attributes().len();
        if attributes > MOST {
            return Err(SubsetError::TooManyAttributes(attributes));
        }
        Ok(Self { sufficiency, watch, family: Family::default(), at_least: 0 })
    }

    /// Tells how far the search is: the pairs of rows found so far that a subset must tell apart, and
    /// what is known of its size.
    fn tell(&self, at_most: Option<usize>) -> Result<(), Stopped> {
        let (pairs, least) = (self.family.len(), self.at_least);
        let what = match at_most {
            None => format!("looking for a subset that tells {pairs} pairs apart"),
            Some(most) => format!("{least} to {most} attributes tell {pairs} pairs apart"),
        };
        self.watch.tell(Progress { what: &what, done: least as u64, total: None });
        self.watch.go_on()
    }

    /// Notes pairs of rows that are still to be told apart.
    fn note(&mut self, untold: &Blocks) {
        let label = |row: u32| self.sufficiency.labels[row as usize];
        let step = untold.len().div_ceil(LOOKED_AT).max(1);
        let pairs = untold.iter().step_by(step).flat_map(|block| {
            let neighbours = block.windows(2).map(|pair| (pair[0], pair[1]));
            neighbours.filter(|&(one, other)| label(one) != label(other)).take(4)
        });
        let differences = pairs.take(LOOKED_AT);
        let mut differences: Vec<Attributes> =
            differences.map(|(one, other)| self.sufficiency.difference(one, other)).collect();
        differences.sort_unstable_by_key(|&set| (set.len(), set));
        differences.dedup();
        differences.truncate(NOTED);
        self.family.extend(differences);
    }

    fn greedy(&mut self) -> Result<Vec<usize>, Stopped> {
        let mut chosen = loop {
            let chosen = self.family.hit_greedily();
            let untold = self.sufficiency.untold(chosen.iter().copied());
            if untold.is_empty() {
                break chosen;
            }
            self.note(&untold);
            self.tell(None)?;
        };
        for at in (0..chosen.len()).rev() {
            let others = (0..chosen.len()).filter(|&other| other != at);
            let untold = self.sufficiency.untold(others.map(|other| chosen[other]));
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
        let mut left = Left { nodes, watch: self.watch };
        while self.at_least < known.len() {
            match self.family.hit_within(self.at_least, &mut left) {
                Err(Exhausted) => break,
                Ok(None) => self.at_least += 1,
                Ok(Some(chosen)) => {
                    let untold = self.sufficiency.untold(chosen.iter());
                    if untold.is_empty() {
                        return Ok(chosen.iter().collect());
                    }
                    self.note(&untold);
                }
            }
            self.tell(Some(known.len()))?;
        }
        self.watch.go_on()?;
        Ok(known)
    }
}

/// Attributes with many values first: they divide the rows quickest.
fn widest_first(dataset: &Dataset, attributes: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut attributes: Vec<usize> = attributes.collect();
    let width = |&at: &usize| {
        let attribute = &dataset.attributes()[at];
        attribute.high - attribute.low
    };
    attributes.sort_by_key(|at| Reverse(width(at)));
    attributes
}

/// The positions that some rows of a data set of this table are, in the order of the rows asked for.
///
/// ```
/// use lucena::dataset::Positions;
/// use lucena::sufficiency::positions_of_rows;
/// use lucena::tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let positions = positions_of_rows(&tablebase, Positions::Canonical, &[28_055, 0]);
/// assert_eq!(positions.len(), 2);
/// assert_ne!(positions[0], positions[1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// When there is no row of such a number.
pub fn positions_of_rows(
    tablebase: &Tablebase,
    positions: Positions,
    rows: &[usize],
) -> Vec<Position> {
    let group = Group::of(tablebase.material());
    let last = rows.iter().copied().max();
    let mut found = vec![None; rows.len()];
    let mut row = 0;
    for (canonical, _) in tablebase.canonical_positions(Side::Weak) {
        if last.is_none_or(|last| row > last) {
            break;
        }
        let images = match positions {
            Positions::Canonical => vec![canonical],
            Positions::Full => group.orbit(&canonical),
        };
        for image in images {
            for (place, _) in rows.iter().enumerate().filter(|&(_, &wanted)| wanted == row) {
                found[place] = Some(image);
            }
            row += 1;
        }
    }
    found.into_iter().map(|position| position.expect("a row of the data set")).collect()
}
