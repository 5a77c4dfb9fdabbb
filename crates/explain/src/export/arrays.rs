//! A tree in scikit-learn's form: arrays with one entry for each node.

use super::node_counts::{Classes, by_node, counts};
use super::text::levels;
use lucena_model::{BinaryNode, DecisionTree};
use serde::Serialize;

/// A tree as the attributes of scikit-learn's `tree_` object, with its names and meanings: nodes in
/// preorder, -1 for the children of a leaf, -2 for its feature and threshold.
///
/// Values up to the threshold go to the left. The prediction of a leaf is the class with its
/// greatest `value`, as in scikit-learn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Arrays {
    /// The endgame, such as `KRvK`.
    pub material: String,
    /// The SHA-256 of the tree's JSON file.
    pub tree_sha256: String,
    /// The names of the columns of a row.
    pub feature_names: Vec<String>,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// The number of columns of a row.
    pub n_features: usize,
    /// The number of classes.
    pub n_classes: usize,
    /// Always 1.
    pub n_outputs: usize,
    /// The most tests on a path.
    pub max_depth: usize,
    /// The number of nodes.
    pub node_count: usize,
    /// The number of leaves.
    pub n_leaves: usize,
    /// The node for values up to the threshold.
    pub children_left: Vec<i64>,
    /// The node for greater values.
    pub children_right: Vec<i64>,
    /// The column that is tested.
    pub feature: Vec<i64>,
    /// The threshold, half-way between two values.
    pub threshold: Vec<f64>,
    /// The unit of `n_node_samples`.
    pub samples: Samples,
    /// The number of rows that reach the node.
    pub n_node_samples: Vec<u64>,
    /// The share of each class among the tree's answers below the node, a row of classes for each
    /// node: among the rows that reach it, or among the leaves if none does.
    pub value: Vec<[Vec<f64>; 1]>,
}

/// The rows that are counted at a tree's nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Samples {
    /// The positions of the endgame with the weak side to move, one of each orbit.
    Positions,
    /// The leaves: the tree is not about an endgame whose positions can be listed.
    Leaves,
}

impl Arrays {
    /// The arrays of a tree.
    pub fn new(tree: &DecisionTree) -> Self {
        let nodes = tree.to_binary();
        let classes = Classes::new(tree, &nodes);
        let (samples, reached) = match counts(tree, &nodes) {
            Some(reached) => (Samples::Positions, reached),
            None => (Samples::Leaves, leaves(&nodes)),
        };
        let value = shares(&nodes, &classes, &reached);
        let head = tree.head();
        Self {
            material: head.origin.material.clone(),
            tree_sha256: tree.sha256(),
            feature_names: head.attributes.iter().map(|one| one.name.clone()).collect(),
            n_features: head.attributes.len(),
            n_classes: classes.names.len(),
            n_outputs: 1,
            max_depth: levels(&nodes)[0] - 1,
            node_count: nodes.len(),
            n_leaves: leaves(&nodes)[0] as usize,
            children_left: by_node(&nodes, -1, |_, _, below, _| below as i64),
            children_right: by_node(&nodes, -1, |_, _, _, above| above as i64),
            feature: by_node(&nodes, -2, |attribute, _, _, _| attribute as i64),
            threshold: by_node(&nodes, -2.0, |_, at_most, _, _| f64::from(at_most) + 0.5),
            samples,
            n_node_samples: reached,
            value,
            classes: classes.names,
        }
    }

    /// The arrays as one JSON object with a line end.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("arrays of numbers and names") + "\n"
    }
}

/// The number of leaves below each node; 1 for a leaf.
fn leaves(nodes: &[BinaryNode]) -> Vec<u64> {
    let mut leaves = vec![1; nodes.len()];
    for (place, node) in nodes.iter().enumerate().rev() {
        if let BinaryNode::Test { below, above, .. } = *node {
            leaves[place] = leaves[below] + leaves[above];
        }
    }
    leaves
}

/// The shares of the classes below each node.
fn shares(nodes: &[BinaryNode], classes: &Classes, reached: &[u64]) -> Vec<[Vec<f64>; 1]> {
    let leaves = leaves(nodes);
    let mut value = vec![[vec![0.0; classes.names.len()]]; nodes.len()];
    for (place, node) in nodes.iter().enumerate().rev() {
        match *node {
            BinaryNode::Leaf { class } => value[place][0][classes.number(class)] = 1.0,
            BinaryNode::Test { below, above, .. } => {
                let weights = if reached[place] > 0 { reached } else { &leaves };
                let weight = |child: usize| weights[child] as f64 / weights[place] as f64;
                let (from_below, from_above) = (weight(below), weight(above));
                let mixed = value[below][0].iter().zip(&value[above][0]);
                let mixed =
                    mixed.map(|(one, other)| one * from_below + other * from_above).collect();
                value[place] = [mixed];
            }
        }
    }
    value
}
