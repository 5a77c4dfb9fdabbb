//! The chart of the confusion matrix.

use super::learn::Learned;
use lucena_base::words::{grouped, percent};
use lucena_explain::chart::Matrix;

impl Learned {
    /// The confusion matrix of the cross-validation, or of the training rows if there was none.
    pub fn chart(&self) -> Matrix {
        let judged = self.judged();
        let seen = match &self.cross_validation {
            Some(validated) => format!("orbits not seen, {} folds", validated.folds),
            None => "the rows it was learned from".into(),
        };
        let measure = |name: &str, value: Option<f64>| {
            value.map(|value| format!("{name} {}", percent(value)))
        };
        let mut measures: Vec<String> = [
            measure("accuracy", judged.accuracy),
            measure("balanced", judged.balanced_accuracy),
            judged.kappa.map(|kappa| format!("kappa {kappa:.4}")),
            judged.mean_error_plies.map(|plies| format!("off by {plies:.2} plies on average")),
        ]
        .into_iter()
        .flatten()
        .collect();
        if judged.unanswered > 0 {
            measures.push(format!("{} without an answer", grouped(judged.unanswered)));
        }
        let rows = grouped(judged.rows);
        Matrix {
            title: self.title().into(),
            rows: "true class".into(),
            columns: "answer of the tree".into(),
            names: judged.classes.iter().map(|class| class.class.clone()).collect(),
            counts: judged.confusion.clone(),
            notes: vec![
                format!("{rows} rows: {seen}; the colour is the share of the true class"),
                measures.join(", "),
            ],
        }
    }
}
