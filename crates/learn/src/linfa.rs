use super::grow::{NodeRows, NodeTest, SplitFinder, grow};
use super::{Criterion, LearnError, Learner, Limits};
use linfa::traits::Fit;
use linfa_trees::{DecisionTree, SplitQuality};
use lucena_dataset::Dataset;
use lucena_model::Node;
use ndarray::{Array1, Array2};
use std::collections::BTreeMap;

/// linfa-trees as the split finder, one node at a time.
///
/// Its `fit` (0.8.1) cannot grow a whole tree on this data: below the root it compares each row with
/// the next one of *all* rows, and so misses most cuts between equal values. Its search is right if the
/// node is its whole input, so each node is fitted separately to depth one, and the split of the root is
/// used. If it finds no gain although the rows differ, the first cut that divides them is used.
///
/// linfa-trees iterates over hash maps, so two runs may choose differently among equally good splits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Linfa {
    criterion: Criterion,
    limits: Limits,
}

params!(LinfaParams of Linfa, "[`Linfa`]", criterion);

impl Learner for Linfa {
    fn name(&self) -> &'static str {
        "linfa"
    }

    fn parameters(&self) -> BTreeMap<String, String> {
        let mut parameters = self.limits.parameters();
        parameters.insert("criterion".into(), self.criterion.to_string());
        parameters
    }

    fn nodes(&self, dataset: &Dataset, rows: &mut [u32]) -> Result<Vec<Node>, LearnError> {
        grow(&Root(self.criterion), &self.limits, dataset, rows)
    }
}

impl From<Criterion> for SplitQuality {
    fn from(criterion: Criterion) -> Self {
        match criterion {
            Criterion::Entropy => Self::Entropy,
            Criterion::Gini => Self::Gini,
        }
    }
}

struct Root(Criterion);

impl SplitFinder for Root {
    type Scratch = ();

    fn divide(
        &self,
        node: &NodeRows<'_>,
        (): &mut (),
        differing: &mut Vec<u16>,
    ) -> Result<Option<NodeTest>, LearnError> {
        differing.extend(node.attributes);
        let columns: Vec<Vec<u8>> = node
            .attributes
            .iter()
            .map(|&attribute| node.values(attribute.into()).collect())
            .collect();
        let records =
            Array2::from_shape_fn((node.rows.len(), columns.len()), |(row, attribute)| {
                f32::from(columns[attribute][row])
            });
        // Renumbered classes keep their order, so the splits are the same.
        let targets: Array1<usize> = node.classes.iter().map(|&class| class.into()).collect();
        let tree = DecisionTree::params()
            .split_quality(self.0.into())
            .max_depth(Some(1))
            .min_impurity_decrease(f32::EPSILON)
            .fit(&linfa::Dataset::new(records, targets))?;

        // A root that became a leaf because its children agree still has its split.
        let (attribute, value, decrease) = tree.root_node().split();
        if decrease > 0.0 {
            return Ok(Some(NodeTest::Threshold { attribute, at_most: value as u8 }));
        }
        Ok((0..columns.len()).find_map(|attribute| first_cut(&columns[attribute], attribute)))
    }
}

/// The lowest threshold of an attribute that divides the rows.
fn first_cut(column: &[u8], attribute: usize) -> Option<NodeTest> {
    let (least, greatest) = (column.iter().min()?, column.iter().max()?);
    (least < greatest).then_some(NodeTest::Threshold { attribute, at_most: *least })
}
