//! How good a classifier is, in figures.

use lucena_base::words::percent;
use lucena_learn::{Assessment, ClassMeasures, Confusion};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// How good a tree is on some rows. The measures are those of scikit-learn; a row without an answer counts
/// as one that was given a class of its own, which no row has.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Judged {
    /// How many rows there are.
    pub rows: u64,
    /// Rows that got the right class.
    pub right: u64,
    /// Rows that got no class.
    pub unanswered: u64,
    /// The share of rows that got the right class, from 0 to 1; null where there are no rows.
    pub accuracy: Option<f64>,
    /// The mean over the classes that occur of the share of their rows that got the right class, from 0
    /// to 1; null where there are no rows.
    pub balanced_accuracy: Option<f64>,
    /// Cohen's kappa, from -1 to 1: how far the answers go beyond chance; null where rows and answers are
    /// all of one class.
    pub kappa: Option<f64>,
    /// How far the tree was off, in plies, on average over those rows where both the tree and the truth
    /// are a mate; null where there are none.
    pub mean_error_plies: Option<f64>,
    /// Each class by itself.
    pub classes: Vec<JudgedClass>,
    /// How often each class was answered, a row for each true class, both in the order of `classes`.
    pub confusion: Vec<Vec<u64>>,
    /// What it was made from.
    #[serde(skip)]
    made_from: Confusion,
}

/// How well a class is told.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct JudgedClass {
    /// The class.
    pub class: String,
    /// The share of the answers of this class that are right, from 0 to 1; 0 where there are none.
    pub precision: f64,
    /// The share of its rows that got it, from 0 to 1; 0 where there are none.
    pub recall: f64,
    /// The harmonic mean of both.
    pub f1: f64,
    /// How many rows have it.
    pub support: u64,
    /// How many of them got no class.
    pub unanswered: u64,
}

impl Judged {
    /// From which class was answered for which, and how far that is off.
    ///
    /// ```
    /// use lucena::learn::{Assessment, Confusion};
    /// use lucena::report::Judged;
    ///
    /// let mut confusion = Confusion::new(["cat", "dog"]);
    /// for (truth, answer) in [(0, 0), (0, 1), (1, 1)] {
    ///     confusion.add(truth, Some(answer));
    /// }
    /// let judged = Judged::new(&confusion, None);
    /// assert_eq!((judged.right, judged.balanced_accuracy), (2, Some(0.75)));
    /// ```
    pub fn new(confusion: &Confusion, mean_error_plies: Option<f64>) -> Self {
        let class = |(at, name): (usize, &String)| {
            let ClassMeasures { precision, recall, f1, support } = confusion.measures(at);
            let unanswered = confusion.unanswered()[at];
            JudgedClass { class: name.clone(), precision, recall, f1, support, unanswered }
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

    /// The same with the error that follows from an assessment.
    pub fn of(confusion: &Confusion, assessment: &Assessment) -> Self {
        Self::new(confusion, assessment.mean_error_plies())
    }

    /// Which class was answered for which.
    pub fn made_from(&self) -> &Confusion {
        &self.made_from
    }

    /// The measures in a line.
    pub(super) fn write_line(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", self.accuracy.map_or("-".into(), percent))?;
        if let Some(balanced) = self.balanced_accuracy {
            write!(out, ", balanced {}", percent(balanced))?;
        }
        if let Some(kappa) = self.kappa {
            write!(out, ", kappa {kappa:.4}")?;
        }
        match self.mean_error_plies {
            Some(plies) => writeln!(out, ", off by {plies:.2} plies on average"),
            None => writeln!(out),
        }
    }
}
