//! Metrics of a classifier.

use lucena_base::plural::percent;
use lucena_learn::{ClassMeasures, Confusion};
use schemars::JsonSchema;
use serde::Serialize;

/// Metrics of a tree on some rows, defined as in scikit-learn. A row without an answer counts as
/// predicted to be of an extra class that no row has.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClassifierMetrics {
    /// The number of rows.
    pub rows: u64,
    /// Rows that got the right class.
    pub right: u64,
    /// Rows that got no class.
    pub unanswered: u64,
    /// The share of rows that got the right class, from 0 to 1; null without rows.
    pub accuracy: Option<f64>,
    /// The mean recall over the classes that occur, from 0 to 1; null without rows.
    pub balanced_accuracy: Option<f64>,
    /// Cohen's kappa, from -1 to 1: agreement beyond chance; null if rows and answers are all of
    /// one class.
    pub kappa: Option<f64>,
    /// Mean error in plies, over the rows where both the tree and the truth are a mate; null if
    /// there are none.
    pub mean_error_plies: Option<f64>,
    /// The metrics of each class.
    pub classes: Vec<ClassMetrics>,
    /// The confusion matrix: a row for each true class, a column for each answer, both in the order
    /// of `classes`.
    pub confusion: Vec<Vec<u64>>,
    /// The confusion matrix this was made from.
    #[serde(skip)]
    made_from: Confusion,
}

/// Metrics of one class.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClassMetrics {
    /// The class.
    pub class: String,
    /// The share of the answers of this class that are right, from 0 to 1; 0 if there are none.
    pub precision: f64,
    /// The share of its rows that got it, from 0 to 1; 0 if there are none.
    pub recall: f64,
    /// The harmonic mean of precision and recall.
    pub f1: f64,
    /// The number of rows of this class.
    pub support: u64,
    /// The number of them that got no class.
    pub unanswered: u64,
}

impl ClassifierMetrics {
    /// The metrics of a confusion matrix, with the mean error in plies.
    pub fn new(confusion: &Confusion, mean_error_plies: Option<f64>) -> Self {
        let class = |(at, name): (usize, &String)| {
            let ClassMeasures { precision, recall, f1, support } = confusion.measures(at);
            let unanswered = confusion.unanswered()[at];
            ClassMetrics { class: name.clone(), precision, recall, f1, support, unanswered }
        };
        Self {
            rows: confusion.rows(),
            right: confusion.right(),
            unanswered: confusion.unanswered().iter().sum(),
            accuracy: confusion.accuracy(),
            balanced_accuracy: confusion.balanced_accuracy(),
            kappa: confusion.kappa(),
            mean_error_plies,
            classes: confusion.classes().iter().enumerate().map(class).collect(),
            confusion: confusion.counts().to_vec(),
            made_from: confusion.clone(),
        }
    }

    /// The confusion matrix.
    pub fn made_from(&self) -> &Confusion {
        &self.made_from
    }

    /// The metrics in words: the accuracy, named or alone, and the others that are known.
    pub(super) fn measures(&self, accuracy: &str) -> String {
        let share =
            |name: &str, value: Option<f64>| value.map(|value| format!("{name}{}", percent(value)));
        let measures = [
            share(accuracy, self.accuracy).or_else(|| accuracy.is_empty().then(|| "-".into())),
            share("balanced ", self.balanced_accuracy),
            self.kappa.map(|kappa| format!("kappa {kappa:.4}")),
            self.mean_error_plies.map(|plies| format!("off by {plies:.2} plies on average")),
        ];
        measures.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
