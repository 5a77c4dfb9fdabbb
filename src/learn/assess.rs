//! How good a tree is: on the rows it was learned from, and on rows it has not seen.

use crate::dataset::Dataset;
use lucena_codegen::DecisionTree;

/// The share of rows that a tree gives the right class.
///
/// # Panics
/// When the tree has more attributes than the data set; with others its answers mean nothing.
pub fn training_accuracy(tree: &DecisionTree, dataset: &Dataset) -> f64 {
    let mut row = vec![0; dataset.attributes().len()];
    let right = (0..dataset.rows()).filter(|&at| {
        dataset.row(at, &mut row);
        tree.classify(&row) == Some(dataset.targets()[at])
    });
    right.count() as f64 / dataset.rows() as f64
}

#[cfg(feature = "linfa")]
pub use validation::{CrossValidation, cross_validate};

#[cfg(feature = "linfa")]
mod validation {
    use crate::dataset::Dataset;
    use crate::learn::{LearnError, Learner};
    use linfa::prelude::ToConfusionMatrix;
    use ndarray::{Array1, Array2, ArrayView1};
    use rand::SeedableRng;
    use rand::seq::SliceRandom;
    use rand_chacha::ChaCha8Rng;

    /// What became of a cross-validation.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct CrossValidation {
        /// Into how many parts the orbits were divided.
        pub folds: usize,
        /// The share of rows outside the training parts that got the right class.
        pub accuracy: f64,
        /// How far the tree was off, in plies, on average over those rows where both the tree and
        /// the truth are a mate; absent where there are none.
        pub mean_error_plies: Option<f64>,
    }

    /// Learns on all parts but one and judges on the one, for each in turn. It is orbits that are
    /// divided, never rows: a position and its mirror image are always on the same side.
    /// The folding and the confusion matrix are linfa's. Where the orbits do not divide evenly,
    /// linfa leaves the last few out of every part; being shuffled, they are any.
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
        let mut order: Vec<usize> = (0..count).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let records = Array2::from_shape_vec((count, 1), order).expect("a column");
        let mut shuffled = linfa::Dataset::new(records, Array1::from_elem(count, ()));

        let mut values = vec![0; dataset.attributes().len()];
        let (mut accuracy, mut rows_judged) = (0.0, 0.0);
        let (mut error_plies, mut mates) = (0.0, 0.0);
        let parts = shuffled.iter_fold(folds, |training| {
            let mut rows = orbits.rows(training.records().column(0));
            learner.learn_rows(dataset, &mut rows)
        });
        for (tree, held_out) in parts {
            let tree = tree?;
            let rows = orbits.rows(held_out.records().column(0));
            let predict = |&row: &u32| {
                dataset.row(row as usize, &mut values);
                tree.classify(&values).map(usize::from)
            };
            let predicted: Array1<Option<usize>> = rows.iter().map(predict).collect();
            let class = |&row: &u32| Some(usize::from(dataset.targets()[row as usize]));
            let truth: Array1<Option<usize>> = rows.iter().map(class).collect();
            let confusion = predicted.confusion_matrix(&truth)?;
            accuracy += f64::from(confusion.accuracy()) * rows.len() as f64;
            rows_judged += rows.len() as f64;
            for (predicted, truth) in predicted.iter().zip(&truth) {
                let plies = |class: &Option<usize>| dataset.plies((*class)?);
                if let (Some(predicted), Some(truth)) = (plies(predicted), plies(truth)) {
                    error_plies += f64::from(predicted.abs_diff(truth));
                    mates += 1.0;
                }
            }
        }
        Ok(CrossValidation {
            folds,
            accuracy: accuracy / rows_judged,
            mean_error_plies: (mates > 0.0).then(|| error_plies / mates),
        })
    }

    /// The rows of each orbit, which stand together.
    struct Orbits(Vec<std::ops::Range<u32>>);

    impl Orbits {
        fn new(dataset: &Dataset) -> Self {
            let numbers = dataset.orbits();
            let mut first = 0;
            let ranges = numbers.chunk_by(|one, next| one == next).map(|orbit| {
                let range = first..first + orbit.len() as u32;
                first = range.end;
                range
            });
            Self(ranges.collect())
        }

        fn len(&self) -> usize {
            self.0.len()
        }

        fn rows(&self, orbits: ArrayView1<'_, usize>) -> Vec<u32> {
            orbits.iter().flat_map(|&orbit| self.0[orbit].clone()).collect()
        }
    }
}
