//! A tree as scikit-learn keeps it: arrays, one entry for each node.

use super::classes::Classes;
use super::reach::counts;
use super::text::levels;
use lucena_tree::{BinaryNode, DecisionTree};
use serde::Serialize;

/// A tree as the attributes of scikit-learn's `tree_` object, with its names and meanings: nodes in preorder,
/// -1 for the children of a leaf, -2 for its feature and threshold.
///
/// A value at most as great as the threshold goes to the left. `predict` is the class with the greatest
/// `value` of the leaf, as in scikit-learn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Arrays {
    /// The endgame, as `KRvK`.
    pub material: String,
    /// The SHA-256 of the tree's JSON file.
    pub tree_sha256: String,
    /// The names of the columns of a row.
    pub feature_names: Vec<String>,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// How many columns a row has.
    pub n_features: usize,
    /// How many classes there are.
    pub n_classes: usize,
    /// Always 1.
    pub n_outputs: usize,
    /// The most tests on a path.
    pub max_depth: usize,
    /// How many nodes there are.
    pub node_count: usize,
    /// How many of them are leaves.
    pub n_leaves: usize,
    /// The node for values up to the threshold.
    pub children_left: Vec<i64>,
    /// The node for greater values.
    pub children_right: Vec<i64>,
    /// The column that is tested.
    pub feature: Vec<i64>,
    /// Half-way between two values.
    pub threshold: Vec<f64>,
    /// What `n_node_samples` counts.
    pub samples: Samples,
    /// How many rows come to the node.
    pub n_node_samples: Vec<u64>,
    /// The share of each class among what the tree answers below the node, one row of classes a node: among
    /// the rows that come there, or among the leaves if none does.
    pub value: Vec<[Vec<f64>; 1]>,
}

/// What is counted as the rows of a tree.
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
    ///
    /// ```
    /// use lucena::export::Arrays;
    /// use lucena_tree::{Column, DecisionTree, Head, Node};
    ///
    /// let attributes = vec![Column::new("x", 0, 3, "")];
    /// let classes = vec!["low".into(), "high".into()];
    /// let test = Node::Threshold { attribute: 0, at_most: 1, below: 1, above: 2 };
    /// let nodes = vec![test, Node::Leaf { class: 0 }, Node::Leaf { class: 1 }];
    /// let tree = DecisionTree::new(Head { attributes, classes, ..Head::default() }, nodes)?;
    /// let arrays = Arrays::new(&tree);
    /// assert_eq!(arrays.children_left, [1, -1, -1]);
    /// assert_eq!(arrays.threshold, [1.5, -2.0, -2.0]);
    /// assert_eq!(arrays.value[0], [vec![0.5, 0.5]]);
    /// # Ok::<(), lucena_tree::TreeError>(())
    /// ```
    pub fn new(tree: &DecisionTree) -> Self {
        let nodes = tree.thresholds();
        let classes = Classes::new(tree, &nodes);
        let (samples, reached) = match counts(tree, &nodes) {
            Some(reached) => (Samples::Positions, reached),
            None => (Samples::Leaves, leaves(&nodes)),
        };
        let value = shares(&nodes, &classes, &reached);
        let of = |leaf: i64, test: fn(usize, usize, usize) -> usize| {
            let number = |node: &BinaryNode| match *node {
                BinaryNode::Leaf { .. } => leaf,
                BinaryNode::Test { attribute, below, above, .. } => {
                    test(attribute, below, above) as i64
                }
            };
            nodes.iter().map(number).collect()
        };
        let threshold = |node: &BinaryNode| match node {
            BinaryNode::Leaf { .. } => -2.0,
            BinaryNode::Test { at_most, .. } => f64::from(*at_most) + 0.5,
        };
        let head = tree.head();
        Self {
            material: head.material.clone(),
            tree_sha256: tree.sha256(),
            feature_names: head.attributes.iter().map(|one| one.name.clone()).collect(),
            n_features: head.attributes.len(),
            n_classes: classes.names.len(),
            n_outputs: 1,
            max_depth: levels(&nodes)[0] - 1,
            node_count: nodes.len(),
            n_leaves: leaves(&nodes)[0] as usize,
            children_left: of(-1, |_, below, _| below),
            children_right: of(-1, |_, _, above| above),
            feature: of(-2, |attribute, _, _| attribute),
            threshold: nodes.iter().map(threshold).collect(),
            samples,
            n_node_samples: reached,
            value,
            classes: classes.names,
        }
    }

    /// The arrays as one JSON object, which ends its line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("arrays of numbers and names") + "\n"
    }
}

/// For each node the leaves below it, or itself.
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
