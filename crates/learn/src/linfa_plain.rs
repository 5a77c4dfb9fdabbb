use super::prune::prune_nodes;
use super::{Criterion, LearnError, Learner, Limits};
use linfa::traits::Fit;
use linfa_trees::{DecisionTree, TreeNode};
use lucena_dataset::Dataset;
use lucena_model::{Class, MAX_DEPTH, Node, NodeIndex};
use ndarray::{Array1, Array2};
use std::collections::BTreeMap;

/// linfa-trees as it is: one call of its own `fit` on all rows.
///
/// On the rows of an endgame its trees are small and wrong: see [`Linfa`](super::Linfa) for the reason, and for the
/// learner that uses linfa-trees' splits and is exact.
///
/// linfa-trees divides at a threshold by `<=` when it learns and by `<` when it predicts. The tree keeps what
/// it predicts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LinfaPlain {
    criterion: Criterion,
    limits: Limits,
}

params!(LinfaPlainParams of LinfaPlain, "[`LinfaPlain`]", criterion);

impl Learner for LinfaPlain {
    fn name(&self) -> &'static str {
        "linfa-plain"
    }

    fn parameters(&self) -> BTreeMap<String, String> {
        let mut parameters = self.limits.parameters();
        parameters.insert("criterion".into(), self.criterion.to_string());
        parameters
    }

    fn nodes(&self, dataset: &Dataset, rows: &mut [u32]) -> Result<Vec<Node>, LearnError> {
        if rows.is_empty() {
            return Err(LearnError::NoRows);
        }
        let columns = dataset.attributes().len();
        let records = Array2::from_shape_fn((rows.len(), columns), |(row, attribute)| {
            f32::from(dataset.column(attribute)[rows[row] as usize])
        });
        let targets = dataset.targets();
        let targets: Array1<usize> =
            rows.iter().map(|&row| usize::from(targets[row as usize])).collect();
        let depth = self.limits.max_depth.map_or(MAX_DEPTH, |depth| depth as usize);
        let tree = DecisionTree::params()
            .split_quality(self.criterion.into())
            .max_depth(Some(depth))
            .min_weight_split(self.limits.min_rows as f32)
            .fit(&linfa::Dataset::new(records, targets))?;
        let mut nodes = Vec::new();
        push(tree.root_node(), &mut nodes);
        Ok(match self.limits.max_leaves {
            Some(most) => prune_nodes(&nodes, dataset, rows, most as usize),
            None => nodes,
        })
    }
}

/// Adds a node and those below it, in preorder.
fn push(node: &TreeNode<f32, usize>, nodes: &mut Vec<Node>) -> NodeIndex {
    let at = nodes.len();
    let class = |class: usize| Node::Leaf { class: class as Class };
    nodes.push(class(node.prediction().unwrap_or_default()));
    if let ([Some(below), Some(above)], false) = (node.children()[..2].as_ref(), node.is_leaf()) {
        let (attribute, value, _) = node.split();
        // A value below the threshold goes below; values are whole numbers.
        let at_most = value.ceil() as u8 - 1;
        let (below, above) = (push(below, nodes), push(above, nodes));
        nodes[at] = Node::Threshold { attribute, at_most, below, above };
    }
    at as NodeIndex
}
