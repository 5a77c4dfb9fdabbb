//! The confusion matrix, and the measures that follow from it.

use lucena_dataset::Dataset;
use lucena_model::{Class, DecisionTree};

/// A confusion matrix: for each class, the number of its rows that were given each class. Every measure
/// of a classifier follows from these exact counts.
///
/// The measures are defined as in scikit-learn. A row without an answer counts as if it were given an
/// extra class that no row has.
///
/// ```
/// use lucena_learn::Confusion;
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
    /// The number of rows of each true class without an answer.
    unanswered: Vec<u64>,
}

/// The measures of one class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassMeasures {
    /// The share of correct answers among those of this class; 0 if it was never answered.
    pub precision: f64,
    /// The share of correct answers among the rows of this class; 0 if there are none.
    pub recall: f64,
    /// The harmonic mean of both; 0 if both are 0.
    pub f1: f64,
    /// The number of rows of this class.
    pub support: u64,
}

impl Confusion {
    /// An empty matrix for classes with these names.
    pub fn new<N: Into<String>>(classes: impl IntoIterator<Item = N>) -> Self {
        let classes: Vec<String> = classes.into_iter().map(Into::into).collect();
        let number = classes.len();
        Self { classes, counts: vec![vec![0; number]; number], unanswered: vec![0; number] }
    }

    /// The answers of a tree on some rows.
    ///
    /// # Panics
    /// If the tree has more attributes than the data set, or answers a class that the data set does not
    /// have. If its attributes are others, the result is meaningless.
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

    /// Adds a row with its class and its answer, if any.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn add(&mut self, truth: Class, answer: Option<Class>) {
        let truth = usize::from(truth);
        match answer {
            Some(answer) => self.counts[truth][usize::from(answer)] += 1,
            None => self.unanswered[truth] += 1,
        }
    }

    /// Adds the counts of another matrix of the same classes.
    ///
    /// # Panics
    /// If the classes differ.
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

    /// For each true class, the number of times each class was answered.
    pub fn counts(&self) -> &[Vec<u64>] {
        &self.counts
    }

    /// For each true class, the number of rows without an answer.
    pub fn unanswered(&self) -> &[u64] {
        &self.unanswered
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        (0..self.classes.len()).map(|class| self.support(class)).sum()
    }

    /// The number of rows with the correct answer.
    pub fn right(&self) -> u64 {
        (0..self.classes.len()).map(|class| self.counts[class][class]).sum()
    }

    /// The number of rows of a class.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn support(&self, class: usize) -> u64 {
        self.counts[class].iter().sum::<u64>() + self.unanswered[class]
    }

    /// The number of times a class was answered.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn answered(&self, class: usize) -> u64 {
        self.counts.iter().map(|row| row[class]).sum()
    }

    /// The share of rows with the correct answer; `None` without rows.
    pub fn accuracy(&self) -> Option<f64> {
        ratio(self.right(), self.rows())
    }

    /// The mean recall of the classes that occur; `None` without rows.
    pub fn balanced_accuracy(&self) -> Option<f64> {
        let recall = |class: usize| ratio(self.counts[class][class], self.support(class));
        let recalls: Vec<f64> = (0..self.classes.len()).filter_map(recall).collect();
        (!recalls.is_empty()).then(|| recalls.iter().sum::<f64>() / recalls.len() as f64)
    }

    /// Cohen's kappa: the agreement beyond what the class frequencies alone give. `None` without rows,
    /// or if rows and answers are all of one class.
    pub fn kappa(&self) -> Option<f64> {
        self.kappa_of(self.rows(), |class| self.support(class))
    }

    /// Cohen's kappa over the rows with an answer, as Weka computes it.
    pub fn kappa_of_answered(&self) -> Option<f64> {
        let answered = self.rows() - self.unanswered.iter().sum::<u64>();
        self.kappa_of(answered, |class| self.support(class) - self.unanswered[class])
    }

    /// Cohen's kappa over a number of rows, given the number of each class among them.
    fn kappa_of(&self, rows: u64, support: impl Fn(usize) -> u64) -> Option<f64> {
        // In integers: both sides are multiplied by the squared number of rows.
        let by_chance: u128 = (0..self.classes.len())
            .map(|class| u128::from(support(class)) * u128::from(self.answered(class)))
            .sum();
        let (right, rows) = (u128::from(self.right()), u128::from(rows));
        let (beyond, most) = (right * rows, rows * rows);
        let beyond = beyond as f64 - by_chance as f64;
        (most != by_chance).then(|| beyond / (most - by_chance) as f64)
    }

    /// The measures of a class.
    ///
    /// # Panics
    /// If there is no such class.
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

pub(super) fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The answer of a tree on a row.
pub(super) fn classify(tree: &DecisionTree, dataset: &Dataset, row: usize) -> Option<Class> {
    tree.classify_by(|attribute| dataset.column(attribute)[row])
}
