//! Metrics of a classifier, and reports on them in the layouts of other programs, byte for byte.

use lucena_base::named::named;
use lucena_base::plural::percent;
use lucena_base::wilson::share;
use lucena_learn::{ClassMeasures, Confusion};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::{self, Write};

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

    /// The report in the layout of another program.
    pub fn to_text(&self, layout: ReportLayout) -> String {
        let text = match layout {
            ReportLayout::ScikitLearn => scikit_learn(self),
            ReportLayout::Weka => weka(self),
        };
        text.expect("a string takes any text")
    }
}

/// The program whose layout a report on a classifier follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportLayout {
    /// The layout of scikit-learn's `classification_report`.
    ScikitLearn,
    /// The layout of Weka's evaluation.
    Weka,
}

named!(ReportLayout { "scikit-learn": ScikitLearn, "weka": Weka });

/// The class name shown for rows without an answer.
const NO_ANSWER: &str = "unanswered";

/// The output of scikit-learn's `accuracy_score`, `balanced_accuracy_score` and
/// `cohen_kappa_score`, then that of `classification_report` with four digits.
fn scikit_learn(judged: &ClassifierMetrics) -> Result<String, fmt::Error> {
    let rows = judged.classes.iter();
    let rows = rows.map(|of| (of.class.as_str(), [of.precision, of.recall, of.f1], of.support));
    let mut rows: Vec<(&str, [f64; 3], u64)> = rows.collect();
    if judged.unanswered > 0 {
        rows.push((NO_ANSWER, [0.0; 3], 0));
    }
    let names = rows.iter().map(|(name, ..)| name.chars().count());
    let width = names.max().unwrap_or(0).max("weighted avg".len());

    let mut text = String::new();
    for (name, value) in [
        ("accuracy", judged.accuracy),
        ("balanced accuracy", judged.balanced_accuracy),
        ("Cohen's kappa", judged.kappa),
        ("mean error in plies", judged.mean_error_plies),
    ] {
        let value = value.map_or("-".into(), |value| format!("{value:.4}"));
        writeln!(text, "{name:<19} {value:>7}")?;
    }
    let heads = ["precision", "recall", "f1-score", "support"].map(|head| format!(" {head:>9}"));
    writeln!(text, "\n{:>width$} {}\n", "", heads.concat())?;
    let row = |text: &mut String, name: &str, [precision, recall, f1]: [f64; 3], support: u64| {
        writeln!(text, "{name:>width$}  {precision:>9.4} {recall:>9.4} {f1:>9.4} {support:>9}")
    };
    for &(name, values, support) in &rows {
        row(&mut text, name, values, support)?;
    }
    let mean = |weight: &dyn Fn(u64) -> f64| {
        let sum: f64 = rows.iter().map(|&(_, _, support)| weight(support)).sum();
        [0, 1, 2].map(|at| {
            let parts = rows.iter().map(|(_, values, support)| values[at] * weight(*support));
            if sum > 0.0 { parts.sum::<f64>() / sum } else { 0.0 }
        })
    };
    let (all, accuracy) = (judged.rows, judged.accuracy.unwrap_or(0.0));
    writeln!(text, "\n{:>width$}  {:>9} {:>9} {accuracy:>9.4} {all:>9}", "accuracy", "", "")?;
    row(&mut text, "macro avg", mean(&|_| 1.0), all)?;
    row(&mut text, "weighted avg", mean(&|support| support as f64), all)?;
    Ok(text)
}

/// The output of Weka's evaluation: the summary, the classes, and the confusion matrix. Lines that
/// need probabilities are left out, since a tree's answer has none.
fn weka(judged: &ClassifierMetrics) -> Result<String, fmt::Error> {
    let mut text = String::from("=== Summary ===\n\n");
    let counted = |text: &mut String, name: &str, count: u64| {
        let share = 100.0 * count as f64 / judged.rows.max(1) as f64;
        let (count, share) = (padded(count as f64, 12, 4), padded(share, 12, 4));
        writeln!(text, "{name:<35}{count}     {share} %")
    };
    let wrong = judged.rows - judged.right - judged.unanswered;
    counted(&mut text, "Correctly Classified Instances", judged.right)?;
    counted(&mut text, "Incorrectly Classified Instances", wrong)?;
    // If all rows are of one class, Weka takes that for agreement.
    let kappa = padded(judged.made_from.kappa_of_answered().unwrap_or(1.0), 12, 4);
    writeln!(text, "{:<35}{kappa}", "Kappa statistic")?;
    if judged.unanswered > 0 {
        counted(&mut text, "UnClassified Instances", judged.unanswered)?;
    }
    let all = padded(judged.rows as f64, 12, 4);
    writeln!(text, "{:<35}{all}", "Total Number of Instances")?;
    text.push('\n');
    weka_classes(&mut text, &judged.made_from)?;
    text.push('\n');
    weka_matrix(&mut text, &judged.made_from)?;
    Ok(text)
}

/// Writes a line for each class. Rows without an answer are left out.
fn weka_classes(text: &mut String, confusion: &Confusion) -> fmt::Result {
    text.push_str("=== Detailed Accuracy By Class ===\n\n");
    let heads = ["TP Rate", "FP Rate", "Precision", "Recall", "F-Measure", "MCC"];
    let width = |head: &str| head.len().max(7) + 2;
    let head: String = heads.map(|head| format!("{head:<width$}", width = width(head))).concat();
    writeln!(text, "                 {head}Class")?;
    let number = confusion.classes().len();
    let counts = confusion.counts();
    let answered: u64 = (0..number).map(|class| confusion.answered(class)).sum();
    let mut sums = [Some(0.0); 6];
    let row = |text: &mut String, values: [Option<f64>; 6]| {
        heads.iter().zip(values).try_for_each(|(head, value)| {
            let value = value.map_or("?".into(), |value| format!("{value:.3}"));
            write!(text, "{value:<width$}", width = width(head))
        })
    };
    for (class, name) in confusion.classes().iter().enumerate() {
        let hit = counts[class][class];
        let support: u64 = counts[class].iter().sum();
        let (missed, false_hit) = (support - hit, confusion.answered(class) - hit);
        let others = answered - support - false_hit;
        let recall = Some(share(hit, support).unwrap_or(0.0));
        let precision = share(hit, hit + false_hit);
        let f = precision.map(|_| share(2 * hit, 2 * hit + missed + false_hit).unwrap_or(0.0));
        let product = [hit + false_hit, support, others + false_hit, others + missed];
        let product: f64 = product.iter().map(|&sum| sum as f64).product();
        let mcc = hit as f64 * others as f64 - false_hit as f64 * missed as f64;
        let mcc = (product > 0.0).then(|| mcc / product.sqrt());
        let false_rate = Some(share(false_hit, false_hit + others).unwrap_or(0.0));
        let values = [recall, false_rate, precision, recall, f, mcc];
        text.push_str("                 ");
        row(text, values)?;
        writeln!(text, "{name}")?;
        if support > 0 {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum = sum.zip(value).map(|(sum, value)| sum + value * support as f64);
            }
        }
    }
    text.push_str("Weighted Avg.    ");
    row(text, sums.map(|sum| sum.filter(|_| answered > 0).map(|sum| sum / answered as f64)))?;
    text.push('\n');
    Ok(())
}

/// Writes the confusion matrix, with letters for the classes.
fn weka_matrix(text: &mut String, confusion: &Confusion) -> fmt::Result {
    text.push_str("=== Confusion Matrix ===\n\n");
    let number = confusion.classes().len();
    let greatest = confusion.counts().iter().flatten().max().copied().unwrap_or(0);
    let digits = greatest.checked_ilog10().unwrap_or(0);
    let letters = number.checked_ilog(26).unwrap_or(0);
    let width = digits.max(letters) as usize + 1;
    for class in 0..number {
        write!(text, " {}", letter(class, width))?;
    }
    writeln!(text, "   <-- classified as")?;
    for (class, counts) in confusion.counts().iter().enumerate() {
        for count in counts {
            write!(text, " {count:>width$}")?;
        }
        let name = &confusion.classes()[class];
        writeln!(text, " | {} = {name}", letter(class, width))?;
    }
    Ok(())
}

/// The letters of a class: a to z, then aa and so on, right-aligned in `width` characters.
fn letter(class: usize, width: usize) -> String {
    let (mut letters, mut left) = (Vec::new(), Some(class));
    while let Some(at) = left.filter(|_| letters.len() < width) {
        letters.push(char::from(b'a' + (at % 26) as u8));
        left = (at / 26).checked_sub(1);
    }
    let text: String = letters.iter().rev().collect();
    format!("{text:>width$}")
}

/// A number with at most `places` decimals, padded so that decimal points align.
fn padded(value: f64, width: usize, places: usize) -> String {
    let text = format!("{value:.places$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let whole = text.find('.').unwrap_or(text.len());
    let before = (width - places - 1).saturating_sub(whole);
    format!("{:<width$}", format!("{}{text}", " ".repeat(before)))
}
