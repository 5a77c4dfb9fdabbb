//! A tree as the arrays that scikit-learn keeps one in.

use crate::error::LucenaError;
use lucena::DecisionTree;
use lucena_tree::BinaryNode;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

/// A tree as the arrays of scikit-learn's `tree_`: a value for each node, the root first.
#[pyclass(frozen, get_all, module = "lucena")]
pub(crate) struct SklearnTree {
    /// The node for values up to the threshold; -1 for a leaf.
    children_left: Py<PyArray1<i64>>,
    /// The node for greater values; -1 for a leaf.
    children_right: Py<PyArray1<i64>>,
    /// The number of the attribute that is tested; -2 for a leaf.
    feature: Py<PyArray1<i64>>,
    /// Half a step above the greatest value that goes left; -2 for a leaf.
    threshold: Py<PyArray1<f64>>,
    /// The share of each class among the leaves at or below a node: nodes x 1 x classes.
    value: Py<PyArray3<f64>>,
}

/// What scikit-learn writes for the children of a leaf.
const NO_CHILD: i64 = -1;
/// And for what a leaf tests.
const NO_TEST: i64 = -2;

impl SklearnTree {
    pub(crate) fn new(py: Python<'_>, tree: &DecisionTree) -> PyResult<Self> {
        let nodes = tree.thresholds();
        let classes = tree.head().classes.len();
        let mut leaves = vec![0.0; nodes.len() * classes];
        for (at, node) in nodes.iter().enumerate().rev() {
            match *node {
                BinaryNode::Leaf { class: Some(class) } => {
                    leaves[at * classes + usize::from(class)] = 1.0;
                }
                BinaryNode::Leaf { class: None } => {
                    return Err(LucenaError::new_err(
                        "the tree has no answer for some values, and scikit-learn's have one for all: learn it with cart",
                    ));
                }
                // Children stand behind their parent.
                BinaryNode::Test { below, above, .. } => {
                    for class in 0..classes {
                        leaves[at * classes + class] =
                            leaves[below * classes + class] + leaves[above * classes + class];
                    }
                }
            }
        }
        for node in leaves.chunks_mut(classes) {
            let all: f64 = node.iter().sum();
            node.iter_mut().for_each(|leaves| *leaves /= all);
        }
        let numbers = |of: &dyn Fn(&BinaryNode) -> i64| {
            PyArray1::from_vec(py, nodes.iter().map(of).collect()).unbind()
        };
        let threshold = |node: &BinaryNode| match node {
            BinaryNode::Leaf { .. } => NO_TEST as f64,
            BinaryNode::Test { at_most, .. } => f64::from(*at_most) + 0.5,
        };
        Ok(Self {
            children_left: numbers(&|node| match node {
                BinaryNode::Leaf { .. } => NO_CHILD,
                BinaryNode::Test { below, .. } => *below as i64,
            }),
            children_right: numbers(&|node| match node {
                BinaryNode::Leaf { .. } => NO_CHILD,
                BinaryNode::Test { above, .. } => *above as i64,
            }),
            feature: numbers(&|node| match node {
                BinaryNode::Leaf { .. } => NO_TEST,
                BinaryNode::Test { attribute, .. } => *attribute as i64,
            }),
            threshold: PyArray1::from_vec(py, nodes.iter().map(threshold).collect()).unbind(),
            value: PyArray1::from_vec(py, leaves).reshape([nodes.len(), 1, classes])?.unbind(),
        })
    }
}

#[pymethods]
impl SklearnTree {
    fn __repr__(&self, py: Python<'_>) -> String {
        format!("SklearnTree({} nodes)", self.feature.bind(py).len().unwrap_or_default())
    }
}
