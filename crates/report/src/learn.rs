//! What a learner makes of an endgame: the size of the tree, and how right it is.

use super::judged::Judged;
use super::printed::Layout;
use super::timed;
use lucena_base::words::number;
use lucena_dataset::{Dataset, Sample};
use lucena_learn::{Assessment, Confusion, CrossValidation, LearnError, Learner};
use lucena_tree::DecisionTree;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// A tree that was learned, and how good it is.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Learned {
    /// Tests in the tree.
    pub tests: usize,
    /// Leaves of the tree.
    pub leaves: usize,
    /// Values that a test may meet and has no branch for: there the tree has no answer.
    pub empty_branches: usize,
    /// The most tests on a path.
    pub depth: usize,
    /// Attributes that no test asks about.
    pub unused_attributes: Vec<String>,
    /// The share of the rows it was learned from that get the right class, from 0 to 1.
    pub training_accuracy: f64,
    /// How good the tree is on the rows it was learned from.
    pub training: Judged,
    /// How good such trees are on rows that they have not seen; null where that was not asked.
    pub cross_validation: Option<CrossValidated>,
    /// What was drawn to learn from; null where the rows were all positions.
    pub sample: Option<Sample>,
    /// The SHA-256 of the tree as a JSON file.
    pub tree_sha256: String,
    /// Seconds that learning took.
    pub seconds: f64,
    /// What learned, and from what, for people.
    #[serde(skip)]
    title: String,
}

/// How good trees are on rows that they have not seen: orbits were divided into parts, and a tree that
/// learned from all parts but one was asked about that one.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CrossValidated {
    /// Into how many parts the orbits were divided.
    pub folds: usize,
    /// What the trees answered, all parts together.
    #[serde(flatten)]
    pub judged: Judged,
}

impl From<CrossValidation> for CrossValidated {
    fn from(validation: CrossValidation) -> Self {
        let CrossValidation { folds, mean_error_plies, confusion, .. } = validation;
        Self { folds, judged: Judged::new(&confusion, mean_error_plies) }
    }
}

/// Learns a tree from all rows of a data set.
///
/// ```
/// use lucena::dataset::Dataset;
/// use lucena::learn::CartParams;
///
/// let dataset = Dataset::from_columns(vec![("x".into(), vec![0, 1, 1])], &[0, 1, 1])?;
/// let (tree, learned) = lucena::report::learn(&CartParams::default().check()?, &dataset)?;
/// assert_eq!((learned.tests, learned.leaves, learned.training_accuracy), (1, 2, 1.0));
/// assert_eq!(learned.tree_sha256, tree.sha256());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there are no rows, or the learner fails.
pub fn learn(
    learner: &dyn Learner,
    dataset: &Dataset,
) -> Result<(DecisionTree, Learned), LearnError> {
    let (tree, seconds) = timed(|| learner.learn(dataset));
    let tree = tree?;
    let (rows, attributes) = (number(dataset.rows()), dataset.attributes().len());
    let (learner, material) = (&tree.head().learner, &tree.head().material);
    let confusion = Confusion::of_tree(&tree, dataset, 0..dataset.rows() as u32);
    let training = Judged::of(&confusion, &Assessment::of_confusion(&confusion, dataset));
    let learned = Learned {
        tests: tree.tests(),
        leaves: tree.leaves(),
        empty_branches: tree.empty_branches(),
        depth: tree.depth(),
        unused_attributes: tree.unused_attributes().into_iter().map(Into::into).collect(),
        training_accuracy: training.accuracy.unwrap_or_default(),
        training,
        cross_validation: None,
        sample: dataset.sample(),
        tree_sha256: tree.sha256(),
        seconds,
        title: format!("{learner} on {rows} rows x {attributes} attributes of {material}"),
    };
    Ok((tree, learned))
}

impl Learned {
    /// What learned, and from what, for people.
    pub(super) fn title(&self) -> &str {
        &self.title
    }

    /// The report in sentences.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let [tests, leaves, empty] = [self.tests, self.leaves, self.empty_branches].map(number);
        writeln!(out, "{}", self.title)?;
        if let Some(sample) = &self.sample {
            writeln!(out, "  the rows are {sample}")?;
        }
        let depth = self.depth;
        writeln!(out, "  {tests} tests, {leaves} leaves, {empty} empty branches, depth {depth}")?;
        if !self.unused_attributes.is_empty() {
            writeln!(out, "  never asked: {}", self.unused_attributes.join(", "))?;
        }
        write!(out, "  right on the rows it was learned from: ")?;
        self.training.write_line(out)?;
        if let Some(CrossValidated { folds, judged }) = &self.cross_validation {
            write!(out, "  right on orbits it has not seen ({folds} folds): ")?;
            judged.write_line(out)?;
        }
        writeln!(out, "  tree sha256 {}", self.tree_sha256)?;
        writeln!(out, "  learned in {:.4} s", self.seconds)
    }

    /// What the trees answered on rows that they have not seen; where that was not asked, what the tree
    /// answers on those it was learned from.
    pub fn judged(&self) -> &Judged {
        self.cross_validation.as_ref().map_or(&self.training, |validated| &validated.judged)
    }

    /// The measures as another program lays them out, below a title: of the rows that it was learned from,
    /// and of those that it has not seen.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write_laid_out(&self, out: &mut dyn Write, layout: Layout) -> io::Result<()> {
        writeln!(out, "\nOn the rows it was learned from\n\n{}", self.training.to_text(layout))?;
        let Some(CrossValidated { folds, judged }) = &self.cross_validation else { return Ok(()) };
        writeln!(out, "On orbits it has not seen ({folds} folds)\n\n{}", judged.to_text(layout))
    }
}
