use super::grow::{Counting, Entropy, Histogram, NLogN, NodeTest, SplitScore, grow};
use super::{LearnError, Learner, Limits};
use lucena_base::named::named;
use lucena_dataset::Dataset;
use lucena_model::Node;
use std::collections::BTreeMap;

/// The impurity that [`Cart`] minimises.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Criterion {
    /// The entropy after the test.
    #[default]
    Entropy,
    /// The Gini impurity after the test.
    Gini,
}

named!(Criterion { "entropy": Entropy, "gini": Gini });

/// Binary trees with integer thresholds, in the manner of CART (Breiman, Friedman, Olshen and
/// Stone, *Classification and Regression Trees*, 1984), without pruning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cart {
    criterion: Criterion,
    limits: Limits,
}

params!(CartParams of Cart, "[`Cart`]", criterion);

impl Learner for Cart {
    fn name(&self) -> &'static str {
        "cart"
    }

    fn parameters(&self) -> BTreeMap<String, String> {
        let mut parameters = self.limits.parameters();
        parameters.insert("criterion".into(), self.criterion.to_string());
        parameters
    }

    fn nodes(&self, dataset: &Dataset, rows: &mut [u32]) -> Result<Vec<Node>, LearnError> {
        let limits = &self.limits;
        match self.criterion {
            Criterion::Entropy => {
                let thresholds = Thresholds(NLogN::up_to(rows.len()));
                grow(&Counting(thresholds), limits, dataset, rows)
            }
            Criterion::Gini => grow(&Counting(Thresholds(Gini)), limits, dataset, rows),
        }
    }
}

/// The impurity of the two sides of a threshold.
trait Impurity: Sync {
    type Score: Copy + Send;

    /// Scores a threshold, given the class counts below it and in total.
    fn score(&self, below: &[u32], totals: &[u32]) -> Self::Score;

    /// Returns true if a threshold is better than another.
    fn is_purer(one: Self::Score, other: Self::Score) -> bool;
}

impl Impurity for NLogN {
    type Score = Entropy;

    fn score(&self, below: &[u32], totals: &[u32]) -> Entropy {
        let (mut below_rows, mut rows, mut score) = (0, 0, 0);
        for (&below, &total) in below.iter().zip(totals) {
            below_rows += below;
            rows += total;
            score -= (self.of(below) + self.of(total - below)) as i64;
        }
        Entropy(score + (self.of(below_rows) + self.of(rows - below_rows)) as i64)
    }

    fn is_purer(one: Entropy, other: Entropy) -> bool {
        one.is_less(other)
    }
}

struct Gini;

/// The sum over both sides of the squared counts divided by the side's rows, as a fraction. The Gini
/// impurity is least when it is greatest.
#[derive(Clone, Copy)]
struct Purity {
    numerator: u128,
    denominator: u128,
}

impl Impurity for Gini {
    type Score = Purity;

    fn score(&self, below: &[u32], totals: &[u32]) -> Purity {
        let square = |n: u32| u64::from(n) * u64::from(n);
        let (mut below_rows, mut above_rows, mut below_squares, mut above_squares) = (0, 0, 0, 0);
        for (&below, &total) in below.iter().zip(totals) {
            below_rows += u64::from(below);
            above_rows += u64::from(total - below);
            below_squares += square(below);
            above_squares += square(total - below);
        }
        let times = |one: u64, other: u64| u128::from(one) * u128::from(other);
        Purity {
            numerator: times(below_squares, above_rows) + times(above_squares, below_rows),
            denominator: times(below_rows, above_rows),
        }
    }

    fn is_purer(one: Purity, other: Purity) -> bool {
        one.numerator * other.denominator > other.numerator * one.denominator
    }
}

struct Thresholds<I>(I);

impl<I: Impurity> SplitScore for Thresholds<I> {
    type Score = I::Score;
    /// The rows of each class up to the threshold.
    type Scratch = Vec<u32>;

    fn judge(
        &self,
        attribute: usize,
        histogram: &Histogram<'_>,
        below: &mut Vec<u32>,
        mut each: impl FnMut(NodeTest, I::Score),
    ) {
        below.clear();
        below.resize(histogram.totals.len(), 0);
        let mut rows_above: u32 = histogram.totals.iter().sum();
        for (value, counts) in histogram.values().enumerate() {
            let mut rows = 0;
            for (below, &count) in below.iter_mut().zip(counts) {
                *below += count;
                rows += count;
            }
            rows_above -= rows;
            if rows == 0 {
                continue; // The same division as at the value before, or none.
            }
            if rows_above == 0 {
                break;
            }
            let at_most = value as u8;
            each(NodeTest::Threshold { attribute, at_most }, self.0.score(below, histogram.totals));
        }
    }

    fn is_better(one: I::Score, other: I::Score) -> bool {
        I::is_purer(one, other)
    }
}
