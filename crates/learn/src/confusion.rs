//! Which class was answered for which, and the measures that follow from it.

use lucena_dataset::Dataset;
use lucena_tree::{Class, DecisionTree};

/// How many rows of each class were given each class: whole numbers, from which every measure of a
/// classifier follows.
///
/// The measures are those of scikit-learn. A row that got no answer counts as one that was given a class of
/// its own, which no row has.
///
/// ```
/// use lucena::learn::Confusion;
///
/// let mut confusion = Confusion::new(["cat", "dog"]);
/// for (truth, answer) in [(0, 0), (0, 0), (0, 1), (1, 1)] {
///     confusion.add(truth, Some(answer));
/// }
/// assert_eq!(confusion.counts(), [[2, 1], [0, 1]]);
/// assert_eq!((confusion.accuracy(), confusion.kappa()), (Some(0.75), Some(0.5)));
/// assert_eq!(confusion.balanced_accuracy(), Some((2.0 / 3.0 + 1.0) / 2.0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confusion {
    classes: Vec<String>,
    /// A row for each true class, a column for each answer.
    counts: Vec<Vec<u64>>,
    /// Rows of each true class that got no answer.
    unanswered: Vec<u64>,
}

/// How well one class is told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassMeasures {
    /// The share of the answers of this class that are right; 0 where it was never answered.
    pub precision: f64,
    /// The share of the rows of this class that were given it; 0 where there are none.
    pub recall: f64,
    /// The harmonic mean of both; 0 where both are.
    pub f1: f64,
    /// How many rows have this class.
    pub support: u64,
}

impl Confusion {
    /// Of classes with these names, before any answer.
    pub fn new<N: Into<String>>(classes: impl IntoIterator<Item = N>) -> Self {
        let classes: Vec<String> = classes.into_iter().map(Into::into).collect();
        let number = classes.len();
        Self { classes, counts: vec![vec![0; number]; number], unanswered: vec![0; number] }
    }

    /// What a tree answers on some rows.
    ///
    /// # Panics
    /// When the tree asks about more attributes than the data set has, or answers a class that it does not
    /// have; with others its answers mean nothing.
    pub fn of_tree(
        tree: &DecisionTree,
        dataset: &Dataset,
        rows: impl IntoIterator<Item = u32>,
    ) -> Self {
        let mut confusion = Self::new(dataset.classes());
        for row in rows {
            let truth = dataset.targets()[row as usize];
            confusion.add(truth, classify(tree, dataset, row as usize));
        }
        confusion
    }

    /// Counts a row: its class, and what was answered, if anything.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn add(&mut self, truth: Class, answer: Option<Class>) {
        let truth = usize::from(truth);
        match answer {
            Some(answer) => self.counts[truth][usize::from(answer)] += 1,
            None => self.unanswered[truth] += 1,
        }
    }

    /// Counts the rows of another one too, of the same classes.
    ///
    /// # Panics
    /// When the classes are others.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(self.classes, other.classes, "both are of the same classes");
        for (row, others) in self.counts.iter_mut().zip(&other.counts) {
            row.iter_mut().zip(others).for_each(|(count, other)| *count += other);
        }
        self.unanswered.iter_mut().zip(&other.unanswered).for_each(|(one, other)| *one += other);
    }

    /// The names of the classes.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// For each true class how often each class was answered.
    pub fn counts(&self) -> &[Vec<u64>] {
        &self.counts
    }

    /// For each true class how often nothing was answered.
    pub fn unanswered(&self) -> &[u64] {
        &self.unanswered
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        (0..self.classes.len()).map(|class| self.support(class)).sum()
    }

    /// How many rows got the right class.
    pub fn right(&self) -> u64 {
        (0..self.classes.len()).map(|class| self.counts[class][class]).sum()
    }

    /// How many rows have a class.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn support(&self, class: usize) -> u64 {
        self.counts[class].iter().sum::<u64>() + self.unanswered[class]
    }

    /// How often a class was answered.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn answered(&self, class: usize) -> u64 {
        self.counts.iter().map(|row| row[class]).sum()
    }

    /// The share of rows that got the right class; nothing where there are no rows.
    pub fn accuracy(&self) -> Option<f64> {
        ratio(self.right(), self.rows())
    }

    /// The mean of the recalls of those classes that occur; nothing where there are no rows.
    pub fn balanced_accuracy(&self) -> Option<f64> {
        let recall = |class: usize| ratio(self.counts[class][class], self.support(class));
        let recalls: Vec<f64> = (0..self.classes.len()).filter_map(recall).collect();
        (!recalls.is_empty()).then(|| recalls.iter().sum::<f64>() / recalls.len() as f64)
    }

    /// Cohen's kappa: how far the agreement goes beyond what the frequencies alone give. Nothing where
    /// there are no rows, or where rows and answers are all of one class.
    pub fn kappa(&self) -> Option<f64> {
        // Over whole numbers: both sides times the square of the rows.
        let by_chance: u128 = (0..self.classes.len())
            .map(|class| u128::from(self.support(class)) * u128::from(self.answered(class)))
            .sum();
        kappa(self.right(), self.rows(), by_chance)
    }

    /// The same over those rows that got an answer, as Weka counts.
    pub fn kappa_of_answered(&self) -> Option<f64> {
        let answered = self.rows() - self.unanswered.iter().sum::<u64>();
        let by_chance: u128 = (0..self.classes.len())
            .map(|class| {
                let support = self.support(class) - self.unanswered[class];
                u128::from(support) * u128::from(self.answered(class))
            })
            .sum();
        kappa(self.right(), answered, by_chance)
    }

    /// How well a class is told.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn measures(&self, class: usize) -> ClassMeasures {
        let (right, support) = (self.counts[class][class], self.support(class));
        let answered = self.answered(class);
        ClassMeasures {
            precision: ratio(right, answered).unwrap_or(0.0),
            recall: ratio(right, support).unwrap_or(0.0),
            f1: ratio(2 * right, answered + support).unwrap_or(0.0),
            support,
        }
    }
}

fn kappa(right: u64, rows: u64, by_chance: u128) -> Option<f64> {
    let (right, rows) = (u128::from(right), u128::from(rows));
    let (beyond, most) = (right * rows, rows * rows);
    if most == by_chance {
        return None;
    }
    let beyond = beyond as f64 - by_chance as f64;
    Some(beyond / (most - by_chance) as f64)
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// What a tree answers on a row.
pub(super) fn classify(tree: &DecisionTree, dataset: &Dataset, row: usize) -> Option<Class> {
    tree.classify_by(|attribute| dataset.column(attribute)[row])
}
