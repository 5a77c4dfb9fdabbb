//! How good a tree is: on the rows it was learned from, and on rows it has not seen.

use super::confusion::{Confusion, classify};
use lucena_dataset::Dataset;
use lucena_tree::DecisionTree;
use rayon::prelude::*;

/// The share of rows that a tree gives the right class.
///
/// # Panics
/// When the tree asks about more attributes than the data set has; with others its answers mean nothing.
pub fn training_accuracy(tree: &DecisionTree, dataset: &Dataset) -> f64 {
    let right = dataset.rows() - Mistakes::new(tree, dataset).rows;
    right as f64 / dataset.rows() as f64
}

/// The rows that a tree gives another class than their own, or none. Where the attributes tell all
/// classes apart, a tree that was grown without limits makes none on what it was learned from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mistakes {
    /// How many there are.
    pub rows: usize,
    /// The first of them.
    pub first: Option<usize>,
}

impl Mistakes {
    /// Looks at all rows.
    ///
    /// ```
    /// use lucena::dataset::Dataset;
    /// use lucena::learn::{CartParams, Learner, Mistakes};
    ///
    /// // The last two rows have the same value, and not the same class.
    /// let dataset = Dataset::from_columns(vec![("x".into(), vec![0, 1, 1])], &[0, 0, 1])?;
    /// let tree = CartParams::default().check()?.learn(&dataset)?;
    /// assert_eq!(Mistakes::new(&tree, &dataset), Mistakes { rows: 1, first: Some(2) });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When the tree asks about more attributes than the data set has; with others its answers mean
    /// nothing.
    pub fn new(tree: &DecisionTree, dataset: &Dataset) -> Self {
        let mistaken = |&row: &usize| classify(tree, dataset, row) != Some(dataset.targets()[row]);
        let one = |row| Self { rows: 1, first: Some(row) };
        let rows = (0..dataset.rows()).into_par_iter().with_min_len(256);
        rows.filter(mistaken).map(one).reduce(Self::default, |one, next| Self {
            rows: one.rows + next.rows,
            first: one.first.or(next.first),
        })
    }
}

/// What a tree answers on some rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Assessment {
    /// How many rows there are.
    pub rows: u64,
    /// Rows that got the right class.
    pub right: u64,
    /// Rows that got none.
    pub unanswered: u64,
    /// How far the tree was off, in plies, over those rows where both the tree and the truth are a
    /// mate.
    pub error_plies: u64,
    /// How many rows those are.
    pub mates: u64,
}

impl Assessment {
    /// Judges a tree by rows that it may not have seen.
    ///
    /// # Panics
    /// When the tree asks about more attributes than the data set has; with others its answers mean nothing.
    pub fn new(tree: &DecisionTree, dataset: &Dataset, rows: &[u32]) -> Self {
        Self::of_confusion(&Confusion::of_tree(tree, dataset, rows.iter().copied()), dataset)
    }

    /// What follows from which class was answered for which, in a data set that says what classes are in
    /// plies.
    ///
    /// # Panics
    /// When the data set does not have these classes.
    pub fn of_confusion(confusion: &Confusion, dataset: &Dataset) -> Self {
        let mut assessment = Self {
            rows: confusion.rows(),
            right: confusion.right(),
            unanswered: confusion.unanswered().iter().sum(),
            ..Self::default()
        };
        for (truth, answers) in confusion.counts().iter().enumerate() {
            for (answer, &rows) in answers.iter().enumerate() {
                if let Some(plies) = plies_apart(dataset, answer, truth) {
                    assessment.error_plies += u64::from(plies) * rows;
                    assessment.mates += rows;
                }
            }
        }
        assessment
    }

    /// The share of rows that got the right class; absent where there are no rows.
    pub fn accuracy(&self) -> Option<f64> {
        mean(self.right, self.rows)
    }

    /// The plies it was off, on average; absent where there is no mate.
    pub fn mean_error_plies(&self) -> Option<f64> {
        mean(self.error_plies, self.mates)
    }
}

fn mean(sum: u64, number: u64) -> Option<f64> {
    (number > 0).then(|| sum as f64 / number as f64)
}

/// How far two classes are apart, where both are a mate.
fn plies_apart(dataset: &Dataset, one: usize, other: usize) -> Option<u16> {
    let (one, other) = (dataset.plies(one)?, dataset.plies(other)?);
    Some(one.abs_diff(other))
}

/// What became of a cross-validation.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossValidation {
    /// Into how many parts the orbits were divided.
    pub folds: usize,
    /// The share of rows outside the training parts that got the right class.
    pub accuracy: f64,
    /// How far the tree was off, in plies, on average over those rows where both the tree and
    /// the truth are a mate; absent where there are none.
    pub mean_error_plies: Option<f64>,
    /// What the trees answered on the rows outside their training parts, all parts together.
    pub confusion: Confusion,
}

#[cfg(feature = "linfa")]
pub use validation::cross_validate;

#[cfg(feature = "linfa")]
mod validation {
    use super::{Assessment, Confusion, CrossValidation};
    use crate::split::Orbits;
    use crate::{LearnError, Learner};
    use lucena_dataset::Dataset;
    use ndarray::{Array1, Array2};

    /// Learns on all parts but one and judges on the one, for each in turn. It is orbits that are
    /// divided, never rows: a position and its mirror image are always on the same side.
    /// The folding is linfa's. Where the orbits do not divide evenly, linfa leaves the last few out of
    /// every part; being shuffled, they are any.
    ///
    /// # Errors
    /// When there are not enough orbits for the folds, or the learner fails.
    pub fn cross_validate(
        learner: &dyn Learner,
        dataset: &Dataset,
        folds: usize,
        seed: u64,
    ) -> Result<CrossValidation, LearnError> {
        let orbits = Orbits::new(dataset);
        let count = orbits.len();
        if folds < 2 || folds > count {
            return Err(LearnError::Folds { folds, orbits: count });
        }
        // To linfa the orbits are the records; what it hands out is turned into rows again.
        let records = Array2::from_shape_vec((count, 1), orbits.shuffled(seed)).expect("a column");
        let mut shuffled = linfa::Dataset::new(records, Array1::from_elem(count, ()));

        let mut confusion = Confusion::new(dataset.classes());
        let parts = shuffled.iter_fold(folds, |training| {
            let mut rows = orbits.rows(training.records().column(0));
            learner.learn_rows(dataset, &mut rows)
        });
        for (tree, held_out) in parts {
            let rows = orbits.rows(held_out.records().column(0));
            confusion.merge(&Confusion::of_tree(&tree?, dataset, rows));
        }
        let assessment = Assessment::of_confusion(&confusion, dataset);
        Ok(CrossValidation {
            folds,
            accuracy: assessment.accuracy().expect("each part has a row"),
            mean_error_plies: assessment.mean_error_plies(),
            confusion,
        })
    }
}
