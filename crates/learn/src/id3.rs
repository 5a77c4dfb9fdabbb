use super::grow::{Counting, Entropy, Histogram, NLogN, NodeTest, SplitScore, grow};
use super::{LearnError, Learner, Limits};
use lucena_dataset::Dataset;
use lucena_model::Node;
use std::collections::BTreeMap;

/// Quinlan's ID3 (*Induction of decision trees*, 1986): a test has a child for each value that occurs,
/// and the attribute with the greatest information gain is chosen. Values that do not occur get no
/// child.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Id3 {
    limits: Limits,
}

params!(Id3Params of Id3, "[`Id3`]");

impl Learner for Id3 {
    fn name(&self) -> &'static str {
        "id3"
    }

    fn parameters(&self) -> BTreeMap<String, String> {
        self.limits.parameters()
    }

    fn nodes(&self, dataset: &Dataset, rows: &mut [u32]) -> Result<Vec<Node>, LearnError> {
        let gain = InformationGain(NLogN::up_to(rows.len()));
        grow(&Counting(gain), &self.limits, dataset, rows)
    }
}

struct InformationGain(NLogN);

impl SplitScore for InformationGain {
    type Score = Entropy;
    type Scratch = ();

    /// The gain is greatest if the remaining entropy is least: the sum over the values of n log n minus
    /// the sum over their classes of n log n.
    fn judge(
        &self,
        attribute: usize,
        histogram: &Histogram<'_>,
        (): &mut (),
        mut each: impl FnMut(NodeTest, Entropy),
    ) {
        let mut remaining = 0;
        for counts in histogram.values() {
            let mut rows = 0;
            for &count in counts {
                rows += count;
                remaining -= self.0.of(count) as i64;
            }
            remaining += self.0.of(rows) as i64;
        }
        each(NodeTest::ByValue { attribute }, Entropy(remaining));
    }

    fn is_better(one: Entropy, other: Entropy) -> bool {
        one.is_less(other)
    }
}
