//! A tree as the arrays that scikit-learn uses.

use lucena::DecisionTree;
use lucena::export::Arrays;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

/// A tree as the attributes of scikit-learn's `tree_`: arrays with an entry for each node, the root first.
#[pyclass(frozen, get_all, module = "lucena")]
pub(crate) struct SklearnTree {
    /// The names of the columns of a row.
    feature_names: Vec<String>,
    /// The names of the classes; if the tree may have no answer, the last is "no answer".
    classes: Vec<String>,
    /// The number of nodes.
    node_count: usize,
    /// The number of leaves.
    n_leaves: usize,
    /// The length of the longest path, in tests.
    max_depth: usize,
    /// The node for values up to the threshold; -1 for a leaf.
    children_left: Py<PyArray1<i64>>,
    /// The node for greater values; -1 for a leaf.
    children_right: Py<PyArray1<i64>>,
    /// The index of the tested column; -2 for a leaf.
    feature: Py<PyArray1<i64>>,
    /// Half-way between two values; -2 for a leaf.
    threshold: Py<PyArray1<f64>>,
    /// The number of positions of the endgame, one of each orbit, that reach the node.
    n_node_samples: Py<PyArray1<u64>>,
    /// The share of each class among the tree's answers at or below the node: nodes x 1 x classes.
    value: Py<PyArray3<f64>>,
}

impl SklearnTree {
    pub(crate) fn new(py: Python<'_>, tree: &DecisionTree) -> PyResult<Self> {
        let arrays = py.detach(|| Arrays::new(tree));
        let values: Vec<f64> = arrays.value.into_iter().flatten().flatten().collect();
        let values = PyArray1::from_vec(py, values);
        Ok(Self {
            value: values.reshape([arrays.node_count, 1, arrays.n_classes])?.unbind(),
            feature_names: arrays.feature_names,
            classes: arrays.classes,
            node_count: arrays.node_count,
            n_leaves: arrays.n_leaves,
            max_depth: arrays.max_depth,
            children_left: PyArray1::from_vec(py, arrays.children_left).unbind(),
            children_right: PyArray1::from_vec(py, arrays.children_right).unbind(),
            feature: PyArray1::from_vec(py, arrays.feature).unbind(),
            threshold: PyArray1::from_vec(py, arrays.threshold).unbind(),
            n_node_samples: PyArray1::from_vec(py, arrays.n_node_samples).unbind(),
        })
    }
}

#[pymethods]
impl SklearnTree {
    fn __repr__(&self) -> String {
        format!("SklearnTree({} nodes, {} leaves)", self.node_count, self.n_leaves)
    }
}
