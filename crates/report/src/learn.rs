//! The result of learning from an endgame: the size of the tree and its accuracy.

use super::classifier_metrics::{ClassifierMetrics, ReportLayout};
use super::timed;
use lucena_attributes::Selections;
use lucena_base::plural::{count, grouped, number};
use lucena_dataset::{Dataset, Sample};
use lucena_explain::chart::ConfusionChart;
use lucena_learn::{Assessment, Confusion, CrossValidation, LearnError, Learner};
use lucena_model::DecisionTree;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// A learned tree and its metrics.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LearnReport {
    /// The selections of attributes that the tree may test, separated by commas; null if they were chosen
    /// otherwise.
    pub attributes: Option<Selections>,
    /// Tests in the tree.
    pub tests: usize,
    /// Leaves of the tree.
    pub leaves: usize,
    /// Values that a test may meet but has no branch for: the tree has no answer there.
    pub empty_branches: usize,
    /// The most tests on a path.
    pub depth: usize,
    /// Attributes that no test uses.
    pub unused_attributes: Vec<String>,
    /// The share of the rows it was learned from that get the right class, from 0 to 1.
    pub training_accuracy: f64,
    /// Metrics on the training rows.
    pub training: ClassifierMetrics,
    /// Metrics on rows that the trees have not seen; null if not requested.
    pub cross_validation: Option<CrossValidationReport>,
    /// The conditions that the rows fulfil; empty if they are not limited to a part of the endgame.
    #[serde(rename = "where")]
    pub part: Vec<String>,
    /// The sample of positions that was learned from; null if the rows were all positions.
    pub sample: Option<Sample>,
    /// The SHA-256 of the tree as a JSON file.
    pub tree_sha256: String,
    /// Seconds that learning took.
    pub seconds: f64,
    /// The learner and its data, for people.
    #[serde(skip)]
    title: String,
}

/// Cross-validation: the orbits were split into folds, and a tree learned from all folds but one
/// was tested on that one.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CrossValidationReport {
    /// The number of folds.
    pub folds: usize,
    /// The metrics of the trees' answers, over all folds.
    #[serde(flatten)]
    pub judged: ClassifierMetrics,
}

impl From<CrossValidation> for CrossValidationReport {
    fn from(validation: CrossValidation) -> Self {
        let CrossValidation { folds, mean_error_plies, confusion, .. } = validation;
        Self { folds, judged: ClassifierMetrics::new(&confusion, mean_error_plies) }
    }
}

/// Learns a tree from all rows of a data set.
///
/// ```
/// use lucena_dataset::Dataset;
/// use lucena_learn::CartParams;
///
/// let dataset = Dataset::from_columns(vec![("x".into(), vec![0, 1, 1])], &[0, 1, 1])?;
/// let (tree, learned) = lucena_report::learn(&CartParams::default().check()?, &dataset)?;
/// assert_eq!((learned.tests, learned.leaves, learned.training_accuracy), (1, 2, 1.0));
/// assert_eq!(learned.tree_sha256, tree.sha256());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there are no rows, or the learner fails.
pub fn learn(
    learner: &dyn Learner,
    dataset: &Dataset,
) -> Result<(DecisionTree, LearnReport), LearnError> {
    let (tree, seconds) = timed(|| learner.learn(dataset));
    let tree = tree?;
    let rows = number(dataset.rows());
    let selections = dataset.selections().map_or_else(String::new, |one| one.words() + " ");
    let attributes = format!("{} {selections}attributes", dataset.attributes().len());
    let (learner, material) = (&tree.origin().maker, &tree.origin().material);
    let confusion = Confusion::of_tree(&tree, dataset, 0..dataset.rows() as u32);
    let error = Assessment::of_confusion(&confusion, dataset).mean_error_plies();
    let training = ClassifierMetrics::new(&confusion, error);
    let learned = LearnReport {
        attributes: dataset.selections(),
        tests: tree.tests(),
        leaves: tree.leaves(),
        empty_branches: tree.empty_branches(),
        depth: tree.depth(),
        unused_attributes: tree.unused_attributes().into_iter().map(Into::into).collect(),
        training_accuracy: training.accuracy.unwrap_or_default(),
        training,
        cross_validation: None,
        part: dataset.part().to_vec(),
        sample: dataset.sample(),
        tree_sha256: tree.sha256(),
        seconds,
        title: format!("{learner} on {rows} rows x {attributes} of {material}"),
    };
    Ok((tree, learned))
}

impl LearnReport {
    /// Writes the report in sentences.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let tests = count(self.tests as u64, "test", "tests");
        let leaves = count(self.leaves as u64, "leaf", "leaves");
        let empty = count(self.empty_branches as u64, "empty branch", "empty branches");
        writeln!(out, "{}", self.title)?;
        if !self.part.is_empty() {
            writeln!(out, "  the rows are positions in which {}", self.part.join(" and "))?;
        }
        if let Some(sample) = &self.sample {
            writeln!(out, "  the rows are {sample}")?;
        }
        let depth = self.depth;
        writeln!(out, "  {tests}, {leaves}, {empty}, depth {depth}")?;
        if !self.unused_attributes.is_empty() {
            writeln!(out, "  never asked: {}", self.unused_attributes.join(", "))?;
        }
        let right = self.training.measures("");
        writeln!(out, "  right on the rows it was learned from: {right}")?;
        if let Some(CrossValidationReport { folds, judged }) = &self.cross_validation {
            let right = judged.measures("");
            writeln!(out, "  right on orbits it has not seen ({folds} folds): {right}")?;
        }
        writeln!(out, "  tree sha256 {}", self.tree_sha256)?;
        writeln!(out, "  learned in {:.4} s", self.seconds)
    }

    /// The metrics of the cross-validation, or on the training rows if there was none.
    pub fn metrics(&self) -> &ClassifierMetrics {
        self.cross_validation.as_ref().map_or(&self.training, |validated| &validated.judged)
    }

    /// Writes the metrics in the layout of another program, below titles: on the training rows and,
    /// if cross-validated, on unseen rows.
    pub fn write_metrics(&self, out: &mut dyn Write, layout: ReportLayout) -> io::Result<()> {
        writeln!(out, "\nOn the rows it was learned from\n\n{}", self.training.to_text(layout))?;
        let Some(CrossValidationReport { folds, judged }) = &self.cross_validation else {
            return Ok(());
        };
        writeln!(out, "On orbits it has not seen ({folds} folds)\n\n{}", judged.to_text(layout))
    }

    /// The confusion matrix of the cross-validation, or of the training rows if there was none.
    pub fn chart(&self) -> ConfusionChart {
        let judged = self.metrics();
        let seen = match &self.cross_validation {
            Some(validated) => format!("orbits not seen, {} folds", validated.folds),
            None => "the rows it was learned from".into(),
        };
        let mut measures = judged.measures("accuracy ");
        if judged.unanswered > 0 {
            let between = if measures.is_empty() { "" } else { ", " };
            measures += &format!("{between}{} without an answer", grouped(judged.unanswered));
        }
        let rows = grouped(judged.rows);
        ConfusionChart {
            title: self.title.clone(),
            rows: "true class".into(),
            columns: "answer of the tree".into(),
            names: judged.classes.iter().map(|class| class.class.clone()).collect(),
            counts: judged.confusion.clone(),
            notes: vec![
                format!("{rows} rows: {seen}; the colour is the share of the true class"),
                measures,
            ],
        }
    }
}
