//! Learners: from rows of small integers to a [`DecisionTree`]. They see nothing but numbers.
//!
//! All of them divide a node as long as its rows differ in attribute and class, so a tree is exact on
//! its data if the attributes separate the classes.

#[macro_use]
mod params;

mod assess;
mod cart;
mod confusion;
mod grow;
mod id3;
mod kind;
#[cfg(feature = "linfa")]
mod linfa;
#[cfg(feature = "linfa")]
mod linfa_compat;
#[cfg(feature = "linfa")]
mod linfa_plain;
mod prune;
mod train_test_split;

use lucena_dataset::{Dataset, DatasetError};
use lucena_model::{DecisionTree, Node, Origin, TreeHead};
use std::collections::BTreeMap;
use std::time::Instant;
use tracing::info;

pub use assess::{Assessment, CrossValidation, Mistakes, cross_validate, training_accuracy};
pub use cart::{Cart, CartParams, Criterion};
pub use confusion::{ClassMeasures, Confusion};
pub use id3::{Id3, Id3Params};
pub use kind::LearnerKind;
#[cfg(feature = "linfa")]
pub use linfa::{Linfa, LinfaParams};
#[cfg(feature = "linfa")]
pub use linfa_compat::Classifier;
#[cfg(feature = "linfa")]
pub use linfa_plain::{LinfaPlain, LinfaPlainParams};
pub use prune::prune;
pub use train_test_split::{ParsePercentageError, Percentage, TrainTestSplit};

/// A learner of decision trees.
///
/// ```
/// use lucena_attributes::{AttributeSet, Selection};
/// use lucena_dataset::{Dataset, Positions};
/// use lucena_learn::{CartParams, Learner, training_accuracy};
/// use lucena_tablebase::Tablebase;
///
/// let material = "KRvK".parse()?;
/// let tablebase = Tablebase::solve(material);
/// let attributes = AttributeSet::new(material, Selection::Geometric);
/// let dataset = Dataset::new(&tablebase, &attributes, Positions::Canonical)?;
/// let tree = CartParams::default().check()?.learn(&dataset)?;
/// assert_eq!(training_accuracy(&tree, &dataset), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Learner: Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// The parameters, by name.
    fn parameters(&self) -> BTreeMap<String, String>;

    /// The nodes of a tree for some of the rows, for use as [`DecisionTree::nodes`]. The rows are
    /// reordered.
    ///
    /// # Errors
    /// If there are no rows, or the learner fails.
    fn nodes(&self, dataset: &Dataset, rows: &mut [u32]) -> Result<Vec<Node>, LearnError>;

    /// Learns a tree from all rows.
    ///
    /// # Errors
    /// If there are no rows, or the learner fails.
    fn learn(&self, dataset: &Dataset) -> Result<DecisionTree, LearnError> {
        let mut rows: Vec<u32> = (0..dataset.rows() as u32).collect();
        self.learn_rows(dataset, &mut rows)
    }

    /// Learns a tree from some of the rows, which are reordered.
    ///
    /// # Errors
    /// If there are no rows, or the learner fails.
    fn learn_rows(&self, dataset: &Dataset, rows: &mut [u32]) -> Result<DecisionTree, LearnError> {
        let (learner, count, started) = (self.name(), rows.len(), Instant::now());
        let nodes = self.nodes(dataset, rows)?;
        let seconds = started.elapsed().as_secs_f64();
        info!(target: "lucena::learn", learner, rows = count, nodes = nodes.len(), seconds, "learned a tree");
        let mut parameters = self.parameters();
        parameters.extend(dataset.parameters());
        let origin = Origin {
            material: dataset.name().into(),
            maker: self.name().into(),
            parameters,
            dataset_sha256: dataset.sha256().into(),
        };
        let (attributes, classes) = (dataset.attributes().to_vec(), dataset.classes().to_vec());
        let head = TreeHead { origin, attributes, classes };
        Ok(DecisionTree::new(head, nodes).expect("a learner grows sound trees"))
    }
}

/// The error of a learner.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// A parameter has an invalid value.
    #[error("{name} is {value}: {mend}")]
    Parameter {
        /// The name of the parameter.
        name: &'static str,
        /// The value.
        value: String,
        /// The valid values, as advice.
        mend: &'static str,
    },
    /// There are no rows.
    #[error("there are no rows to learn from: choose a material with legal positions")]
    NoRows,
    /// The number of folds is less than two or more than the number of orbits.
    #[error("{}", too_few(*folds, *orbits))]
    Folds {
        /// The requested number of folds.
        folds: usize,
        /// The number of orbits.
        orbits: usize,
    },
    /// One side of a split would be empty.
    #[error(
        "{share} of {orbits} orbits leaves none to learn from, or none to test on: choose a share nearer to one half"
    )]
    Share {
        /// The requested share.
        share: Percentage,
        /// The number of orbits.
        orbits: usize,
    },
    /// A tree is pruned by rows with other attributes or classes than its own.
    #[error(
        "the rows have other attributes or classes than the tree: describe them by the attributes of the tree"
    )]
    OtherColumns,
    /// The rows do not make a data set.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// This program does not have the feature that the learner needs.
    #[error(
        "this program does not have the learner: build it with the feature {0}, or choose cart"
    )]
    WithoutFeature(&'static str),
    /// An error from linfa.
    #[error("linfa failed: {0}")]
    Linfa(String),
}

/// Says why orbits cannot be divided into folds.
fn too_few(folds: usize, orbits: usize) -> String {
    match orbits {
        ..2 => {
            "rows of fewer than two orbits cannot be cross-validated: take more rows, or no folds"
                .into()
        }
        _ => format!(
            "{orbits} orbits cannot be divided into {folds} folds: choose from 2 to {orbits}"
        ),
    }
}

/// Stopping criteria for learners that grow a tree from the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of tests on a path; `None` for no limit.
    pub max_depth: Option<u32>,
    /// The minimum number of rows of a node to be divided.
    pub min_rows: u32,
    /// The maximum number of leaves; `None` for no limit. The grown tree is pruned to the subtree that gets the most
    /// rows right.
    pub max_leaves: Option<u32>,
}

impl Default for Limits {
    /// No limits: a node is divided as long as it can be.
    fn default() -> Self {
        Self { max_depth: None, min_rows: 2, max_leaves: None }
    }
}

impl Limits {
    fn check(&self) -> Result<(), LearnError> {
        let wrong = |name, value: u32, mend| {
            Err(LearnError::Parameter { name, value: value.to_string(), mend })
        };
        if self.max_depth == Some(0) {
            return wrong("max-depth", 0, "a tree has at least one test, choose 1 or more");
        }
        if self.max_leaves == Some(0) {
            return wrong("max-leaves", 0, "a tree has at least one leaf, choose 1 or more");
        }
        if self.min_rows < 2 {
            let mend = "only two rows or more can be divided, choose 2 or more";
            return wrong("min-rows", self.min_rows, mend);
        }
        Ok(())
    }

    fn parameters(&self) -> BTreeMap<String, String> {
        let depth = self.max_depth.map_or("none".into(), |depth| depth.to_string());
        let mut parameters = BTreeMap::from([
            ("max_depth".into(), depth),
            ("min_rows".into(), self.min_rows.to_string()),
        ]);
        if let Some(leaves) = self.max_leaves {
            parameters.insert("max_leaves".into(), leaves.to_string());
        }
        parameters
    }
}
