//! The quality of a tree, on the rows it was learned from and on others.

use super::confusion::{Confusion, classify, ratio};
use super::train_test_split::Orbits;
use super::{LearnError, Learner};
use lucena_dataset::{Dataset, shuffled};
use lucena_model::DecisionTree;
use rayon::prelude::*;

/// The share of rows that a tree classifies correctly.
///
/// # Panics
/// If the tree has more attributes than the data set. If it has others, the result is meaningless.
pub fn training_accuracy(tree: &DecisionTree, dataset: &Dataset) -> f64 {
    let right = dataset.rows() - Mistakes::new(tree, dataset).rows;
    right as f64 / dataset.rows() as f64
}

/// The rows that a tree does not classify correctly. If the attributes separate all classes, a tree
/// grown without limits makes no mistakes on its training rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mistakes {
    /// The number of mistakes.
    pub rows: usize,
    /// The first row with a mistake.
    pub first: Option<usize>,
}

impl Mistakes {
    /// Classifies all rows.
    ///
    /// # Panics
    /// If the tree has more attributes than the data set. If it has others, the result is
    /// meaningless.
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

/// Counts of a tree's answers on some rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Assessment {
    /// The number of rows.
    pub rows: u64,
    /// Rows with the correct answer.
    pub right: u64,
    /// Rows without an answer.
    pub unanswered: u64,
    /// The sum of errors in plies, over the rows where both the answer and the truth are a mate.
    pub error_plies: u64,
    /// The number of these rows.
    pub mates: u64,
}

impl Assessment {
    /// Assesses a tree on some rows.
    ///
    /// # Panics
    /// If the tree has more attributes than the data set. If it has others, the result is meaningless.
    pub fn new(tree: &DecisionTree, dataset: &Dataset, rows: &[u32]) -> Self {
        Self::of_confusion(&Confusion::of_tree(tree, dataset, rows.iter().copied()), dataset)
    }

    /// The assessment of a confusion matrix, with the plies of the classes from a data set.
    ///
    /// # Panics
    /// If the data set does not have these classes.
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

    /// The share of rows with the correct answer; `None` without rows.
    pub fn accuracy(&self) -> Option<f64> {
        ratio(self.right, self.rows)
    }

    /// The mean error in plies; `None` without mates.
    pub fn mean_error_plies(&self) -> Option<f64> {
        ratio(self.error_plies, self.mates)
    }
}

/// The difference between two classes in plies, if both are a mate.
fn plies_apart(dataset: &Dataset, one: usize, other: usize) -> Option<u16> {
    let (one, other) = (dataset.plies(one)?, dataset.plies(other)?);
    Some(one.abs_diff(other))
}

/// The result of a cross-validation.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossValidation {
    /// The number of folds.
    pub folds: usize,
    /// The share of held-out rows with the correct answer.
    pub accuracy: f64,
    /// The mean error in plies, over the held-out rows where both the answer and the truth are a mate;
    /// `None` if there are none.
    pub mean_error_plies: Option<f64>,
    /// The answers on the held-out rows of all folds together.
    pub confusion: Confusion,
}

/// Cross-validates a learner. Orbits are divided into folds, not rows, so a position and its mirror
/// images are always on the same side. All folds hold out the same number of orbits: if the orbits do not
/// divide evenly, the last few are never held out. Since the orbits are shuffled, these are random.
///
/// # Errors
/// If there are too few orbits for the folds, or the learner fails.
pub fn cross_validate(
    learner: &dyn Learner,
    dataset: &Dataset,
    folds: usize,
    seed: u64,
) -> Result<CrossValidation, LearnError> {
    let orbits = Orbits::new(dataset);
    if folds < 2 || folds > orbits.len() {
        return Err(LearnError::Folds { folds, orbits: orbits.len() });
    }
    let order = shuffled(orbits.len(), seed);
    let size = order.len() / folds;
    let mut confusion = Confusion::new(dataset.classes());
    for fold in 0..folds {
        let (before, rest) = order.split_at(fold * size);
        let (held_out, after) = rest.split_at(size);
        let mut training = orbits.rows(before.iter().chain(after));
        let tree = learner.learn_rows(dataset, &mut training)?;
        confusion.merge(&Confusion::of_tree(&tree, dataset, orbits.rows(held_out)));
    }
    let assessment = Assessment::of_confusion(&confusion, dataset);
    Ok(CrossValidation {
        folds,
        accuracy: assessment.accuracy().expect("each fold has a row"),
        mean_error_plies: assessment.mean_error_plies(),
        confusion,
    })
}
