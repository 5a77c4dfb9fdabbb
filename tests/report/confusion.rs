//! Confusion matrices: measures compared with the output of other tools, and with a plain count.

use lucena::chart::ConfusionChart;
use lucena::learn::{Assessment, CartParams, Confusion, Learner, Limits, cross_validate};
use lucena::report::{ClassifierMetrics, ReportLayout};
use lucena_test_support::cases::{cases, random};
use lucena_test_support::tables::KRVK_ROWS;
use proptest::prelude::*;

/// Classes a, b, c and so on.
fn confusion(counts: &[Vec<u64>]) -> Confusion {
    let names = (b'a'..).take(counts.len()).map(|letter| char::from(letter).to_string());
    let mut confusion = Confusion::new(names);
    for (truth, row) in (0..).zip(counts) {
        for (answer, &count) in (0..).zip(row) {
            (0..count).for_each(|_| confusion.add(truth, Some(answer)));
        }
    }
    confusion
}

fn counts(text: &str) -> Vec<Vec<u64>> {
    let row = |row: &str| row.split(' ').map(|count| count.parse().expect("a count")).collect();
    text.split(',').map(row).collect()
}

/// Compares a value with a printed one, to the printed precision.
fn assert_printed(value: Option<f64>, text: &str, what: &str) {
    if text != "-" {
        let places = text.split_once('.').expect("a point").1.len();
        let value = value.unwrap_or_else(|| panic!("{what}: nothing, not {text}"));
        assert_eq!(
            format!("{value:.places$}"),
            format!("{:.places$}", text.parse::<f64>().unwrap()),
            "{what}"
        );
    }
}

#[test]
fn measures_are_those_that_others_print() {
    for [table, accuracy, balanced, kappa, precision, recall, f1] in cases("classified.csv") {
        let confusion = confusion(&counts(&table));
        assert_printed(confusion.accuracy(), &accuracy, &table);
        assert_printed(confusion.balanced_accuracy(), &balanced, &table);
        assert_printed(confusion.kappa(), &kappa, &table);
        assert_eq!(confusion.kappa(), confusion.kappa_of_answered(), "all are answered");
        for (class, _) in confusion.classes().iter().enumerate() {
            let measures = confusion.measures(class);
            for (texts, value) in
                [(&precision, measures.precision), (&recall, measures.recall), (&f1, measures.f1)]
            {
                if let Some(text) = texts.split(' ').nth(class) {
                    assert_printed(Some(value), text, &table);
                }
            }
        }
    }
}

/// Weka's report on iris (J48, ten-fold), without the probabilities.
const IRIS: &str = "\
=== Summary ===

Correctly Classified Instances         144               96      %
Incorrectly Classified Instances         6                4      %
Kappa statistic                          0.94  
Total Number of Instances              150     

=== Detailed Accuracy By Class ===

                 TP Rate  FP Rate  Precision  Recall   F-Measure  MCC      Class
                 0.980    0.000    1.000      0.980    0.990      0.985    a
                 0.940    0.030    0.940      0.940    0.940      0.910    b
                 0.960    0.030    0.941      0.960    0.950      0.925    c
Weighted Avg.    0.960    0.020    0.960      0.960    0.960      0.940    

=== Confusion Matrix ===

  a  b  c   <-- classified as
 49  1  0 |  a = a
  0 47  3 |  b = b
  0  2 48 |  c = c
";

/// The example in scikit-learn's documentation of `classification_report`, with four digits for two.
const REPORT: &str = "
              precision    recall  f1-score   support

           a     0.5000    1.0000    0.6667         1
           b     0.0000    0.0000    0.0000         1
           c     1.0000    0.6667    0.8000         3

    accuracy                         0.6000         5
   macro avg     0.5000    0.5556    0.4889         5
weighted avg     0.7000    0.6000    0.6133         5
";

#[test]
fn layouts_are_those_of_the_programs() {
    let iris = confusion(&counts("49 1 0,0 47 3,0 2 48"));
    assert_eq!(ClassifierMetrics::new(&iris, None).to_text(ReportLayout::Weka), IRIS);
    let documented = confusion(&counts("1 0 0,1 0 0,0 1 2"));
    let text = ClassifierMetrics::new(&documented, Some(2.5)).to_text(ReportLayout::ScikitLearn);
    assert!(text.ends_with(REPORT), "{text}");
    assert!(text.contains("mean error in plies  2.5000"), "{text}");
}

#[test]
fn rows_without_an_answer_are_wrong_and_never_hidden() {
    let mut confusion = Confusion::new(["a", "b"]);
    for (truth, answer) in [(0, Some(0)), (0, None), (1, Some(1)), (1, None)] {
        confusion.add(truth, answer);
    }
    assert_eq!((confusion.rows(), confusion.right()), (4, 2));
    assert_eq!(confusion.accuracy(), Some(0.5));
    // (1/2 - (2*1 + 2*1)/16) / (1 - 4/16)
    assert_eq!(confusion.kappa(), Some(0.25 / 0.75));
    assert_eq!(confusion.kappa_of_answered(), Some(1.0));
    let judged = ClassifierMetrics::new(&confusion, None);
    assert!(
        judged.to_text(ReportLayout::Weka).contains("UnClassified Instances                   2")
    );
    assert!(judged.to_text(ReportLayout::ScikitLearn).contains("  unanswered     0.0000"));
}

#[test]
fn nothing_is_said_of_no_rows() {
    let none = Confusion::new(["a", "b"]);
    assert_eq!((none.accuracy(), none.balanced_accuracy(), none.kappa()), (None, None, None));
    for layout in [ReportLayout::ScikitLearn, ReportLayout::Weka] {
        assert!(!ClassifierMetrics::new(&none, None).to_text(layout).contains("NaN"));
    }
}

/// The parts of a cross-validation together count every row once, in its class.
#[test]
fn a_cross_validation_counts_every_row_once() {
    let limits = Limits { max_depth: Some(6), min_rows: 2, max_leaves: None };
    let cart = CartParams::default().limits(limits).check().unwrap();
    let found = cross_validate(&cart, &KRVK_ROWS, 8, 3).unwrap();
    assert_eq!(found.confusion.rows(), 28_056, "28,056 orbits divide by eight evenly");
    assert_eq!(found.confusion.accuracy(), Some(found.accuracy));
    for class in 0..found.confusion.classes().len() {
        let rows = KRVK_ROWS.targets().iter().filter(|&&target| usize::from(target) == class);
        assert_eq!(found.confusion.support(class), rows.count() as u64);
    }
    let tree = cart.learn(&KRVK_ROWS).unwrap();
    let seen = Confusion::of_tree(&tree, &KRVK_ROWS, 0..28_056);
    let assessed = Assessment::of_confusion(&seen, &KRVK_ROWS);
    assert_eq!((assessed.rows, assessed.right), (28_056, seen.right()));
    // A tree does better on its training rows, and both are better than chance.
    assert!(seen.kappa() > found.confusion.kappa() && found.confusion.kappa() > Some(0.1));
}

#[test]
fn a_matrix_shows_every_count() {
    let matrix = ConfusionChart {
        title: "a < b".into(),
        rows: "truth".into(),
        columns: "answer".into(),
        names: vec!["one".into(), "two".into()],
        counts: vec![vec![123_456, 7], vec![0, 89]],
        notes: vec!["a note & another".into()],
    };
    let svg = matrix.to_svg();
    for text in ["a &lt; b", "truth", "answer", "123456", "\n7\n", "89", "a note &amp; another"] {
        assert!(svg.contains(text), "no {text}");
    }
    let cells = svg.matches("stroke=\"#cccccc\"").count();
    assert_eq!((cells, svg.matches("fill=\"none\"").count()), (4, 2), "a cell each, two framed");
    assert!(!svg.contains("\n0\n"), "an empty cell is empty");
}

/// A class, and the predicted class.
type Row = (u8, Option<u8>);

proptest! {
    #![proptest_config(random(300))]

    /// By the definitions, row by row.
    #[test]
    fn measures_are_counted_plainly(
        rows in proptest::collection::vec((0_u8..4, proptest::option::of(0_u8..4)), 1..60),
    ) {
        let mut confusion = Confusion::new(["a", "b", "c", "d"]);
        rows.iter().for_each(|&(truth, answer)| confusion.add(truth, answer));
        let all = rows.len() as f64;
        let share = |holds: &dyn Fn(&Row) -> bool| {
            rows.iter().filter(|row| holds(row)).count() as f64 / all
        };
        let agree = share(&|&(truth, answer)| answer == Some(truth));
        prop_assert!((confusion.accuracy().unwrap() - agree).abs() < 1e-12);
        let chance: f64 = (0..4)
            .map(|class| share(&|row| row.0 == class) * share(&|row| row.1 == Some(class)))
            .sum();
        match confusion.kappa() {
            Some(kappa) => prop_assert!((kappa - (agree - chance) / (1.0 - chance)).abs() < 1e-9),
            None => prop_assert!((chance - 1.0).abs() < 1e-12),
        }
        let mut recalls = Vec::new();
        for class in 0..4 {
            let of_class = share(&|row| row.0 == class);
            let both = share(&|row| row.0 == class && row.1 == Some(class));
            let measures = confusion.measures(class.into());
            if of_class > 0.0 {
                recalls.push(both / of_class);
                prop_assert!((measures.recall - both / of_class).abs() < 1e-12);
            }
            let answered = share(&|row| row.1 == Some(class));
            let precision = if answered > 0.0 { both / answered } else { 0.0 };
            prop_assert!((measures.precision - precision).abs() < 1e-12);
        }
        let balanced = recalls.iter().sum::<f64>() / recalls.len() as f64;
        prop_assert!((confusion.balanced_accuracy().unwrap() - balanced).abs() < 1e-12);
    }
}
