//! Decision trees.

use crate::argument::{WholeNumber, named, one_of_types};
use crate::dataset::{Attributes, Dataset};
use crate::endgame::Endgame;
use crate::error::{LucenaError, Result};
use crate::model::{Model, Tree};
use crate::progress::run;
use crate::sklearn_tree::SklearnTree;
use lucena::DecisionTree;
use lucena::export;
use lucena::learn::{Criterion, LearnerKind, Limits};
use lucena::policy::EndgameModel;
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::sync::Arc;

/// The source of the rows: a data set, or an endgame.
pub(crate) enum Source {
    Rows(Py<Dataset>),
    Endgame(Endgame),
}

one_of_types!(Source: Rows, Endgame = "a source of rows: give a Dataset, the name of an endgame, or a Tablebase");

/// Learn a decision tree from a Dataset, or from the positions of an endgame.
///
/// `learner` is "cart", "id3", or another name that `lucena learn --help` lists. It grows until the tree is exact, unless
/// `max_depth` or `min_rows` stops it; with `max_leaves` it is pruned to the subtree of so many leaves that gets the most rows right. `criterion` is "entropy" or "gini"; id3 always uses entropy. `attributes` and `positions` are
/// those of `dataset`, for an endgame.
#[pyfunction]
#[pyo3(
    signature = (source, *, learner="cart", criterion="entropy", max_depth=None, min_rows=WholeNumber(2), max_leaves=None, attributes=None, positions=None),
    text_signature = "(source, *, learner='cart', criterion='entropy', max_depth=None, min_rows=2, max_leaves=None, attributes=None, positions=None)"
)]
#[allow(clippy::too_many_arguments)] // Keyword arguments in Python.
pub(crate) fn learn(
    py: Python<'_>,
    source: Source,
    learner: &str,
    criterion: &str,
    max_depth: Option<WholeNumber>,
    min_rows: WholeNumber,
    max_leaves: Option<WholeNumber>,
    attributes: Option<Attributes>,
    positions: Option<&str>,
) -> Result<Py<PyAny>> {
    let kind: LearnerKind = named(learner, "learner")?;
    let criterion: Criterion = named(criterion, "criterion")?;
    let limits = Limits {
        max_depth: WholeNumber::option_at_least(max_depth, 1, "max_depth")?,
        min_rows: min_rows.at_least(2, "min_rows")?,
        max_leaves: WholeNumber::option_at_least(max_leaves, 1, "max_leaves")?,
    };
    let learner = kind.learner(criterion, limits)?;
    let rows = match source {
        Source::Rows(_) if attributes.is_some() || positions.is_some() => {
            return Err(LucenaError::new_err(
                "a Dataset has its own attributes and positions: leave these out, or give an endgame instead",
            )
            .into());
        }
        Source::Rows(rows) => rows.get().rows(),
        Source::Endgame(endgame) => {
            let attributes = attributes.unwrap_or_else(|| "geometric".into());
            Dataset::of_endgame(py, &endgame, &attributes, positions.unwrap_or("canonical"))?.rows()
        }
    };
    let tree = run(py, |_| learner.learn(&rows))??;
    Ok(Model::object(py, EndgameModel::Tree(Arc::new(tree)))?)
}

/// The most lines of a tree that is printed.
const PAGE: usize = 60;

/// The depth below which a tree is cut, if it is.
fn depth_of(max_depth: Option<WholeNumber>) -> Result<Option<usize>> {
    WholeNumber::option_at_least(max_depth, 0, "max_depth")
}

impl Tree {
    fn tree<'a>(slf: &'a Bound<'_, Self>) -> &'a DecisionTree {
        match &slf.as_super().get().0 {
            EndgameModel::Tree(tree) => tree,
            _ => unreachable!("objects are made by kind"),
        }
    }
}

#[pymethods]
impl Tree {
    /// The attributes, in the order in which `predict` takes their values.
    #[getter]
    fn attribute_names<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(
            slf.py(),
            Self::tree(slf).head().attributes.iter().map(|attribute| &attribute.name),
        )
    }

    /// The names of the classes, indexed by class number.
    #[getter]
    fn class_names<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(slf.py(), &Self::tree(slf).head().classes)
    }

    /// The name of the learner.
    #[getter]
    fn learner(slf: &Bound<'_, Self>) -> String {
        slf.as_super().get().maker().to_owned()
    }

    /// The number of leaves.
    #[getter]
    fn leaves(slf: &Bound<'_, Self>) -> usize {
        Self::tree(slf).leaves()
    }

    /// The length of the longest path, in tests.
    #[getter]
    fn depth(slf: &Bound<'_, Self>) -> usize {
        Self::tree(slf).depth()
    }

    /// The class of each row, as an array of uint8.
    ///
    /// Where the tree has no answer (an id3 tree at a value that it has never seen) the class is `default`;
    /// without `default` that is an error.
    #[pyo3(signature = (X, default=None))]
    #[allow(non_snake_case)] // The name in scikit-learn.
    fn predict<'py>(
        slf: &Bound<'py, Self>,
        X: &Bound<'py, PyAny>,
        default: Option<WholeNumber>,
    ) -> Result<Bound<'py, PyArray1<u8>>> {
        let default: Option<u8> = WholeNumber::option_at_least(default, 0, "default")?;
        let (py, tree) = (slf.py(), Self::tree(slf));
        let width = tree.head().attributes.len();
        let rows = py.import("lucena._rows")?.call_method1("rows", (X, width))?;
        let rows: PyReadonlyArray2<'_, u8> = rows.extract()?;
        let rows = rows.as_slice()?.to_vec();
        let classes = run(py, |_| {
            let rows = rows.chunks_exact(width.max(1));
            let classify = |(number, row)| tree.classify(row).or(default).ok_or(number);
            (0..).zip(rows).map(classify).collect::<std::result::Result<Vec<u8>, usize>>()
        })?;
        let classes = classes.map_err(|row| {
            LucenaError::new_err(format!(
                "the tree has no answer for row {row}: it has never seen such a value; give a default"
            ))
        })?;
        Ok(PyArray1::from_vec(py, classes))
    }

    /// The tree as the arrays of scikit-learn's `tree_`. Tests by value become thresholds. If the tree may have
    /// no answer, there is one more class, "no answer".
    fn to_sklearn(slf: &Bound<'_, Self>) -> PyResult<SklearnTree> {
        SklearnTree::new(slf.py(), Self::tree(slf))
    }

    /// The tree in the format of scikit-learn's `export_text`, cut below `max_depth` tests.
    #[pyo3(signature = (max_depth=None))]
    fn text(slf: &Bound<'_, Self>, max_depth: Option<WholeNumber>) -> Result<String> {
        Ok(export::text(Self::tree(slf), depth_of(max_depth)?))
    }

    /// The tree in Graphviz's format, cut below `max_depth` tests.
    #[pyo3(signature = (max_depth=None))]
    fn dot(slf: &Bound<'_, Self>, max_depth: Option<WholeNumber>) -> Result<String> {
        Ok(export::dot(Self::tree(slf), depth_of(max_depth)?))
    }

    /// The tree as an ONNX model: a TreeEnsembleClassifier.
    fn onnx<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyBytes> {
        PyBytes::new(slf.py(), &export::onnx(Self::tree(slf)))
    }

    /// The tree as an SVG picture, from left to right, cut below `max_depth` tests, with a board for each row.
    #[pyo3(signature = (max_depth=WholeNumber(3)), text_signature = "($self, max_depth=3)")]
    fn svg(slf: &Bound<'_, Self>, max_depth: WholeNumber) -> Result<String> {
        let (tree, max_depth) = (Self::tree(slf), max_depth.at_least(0, "max_depth")?);
        Ok(slf.py().detach(|| export::svg(tree, max_depth)))
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> Result<String> {
        Self::svg(slf, WholeNumber(3))
    }

    /// The text, cut below so many tests that it has a page at most; `text` has the whole.
    fn __str__(slf: &Bound<'_, Self>) -> String {
        let tree = Self::tree(slf);
        let (whole, mut shown) = (export::text(tree, None), String::new());
        let lines = whole.lines().count();
        if lines <= PAGE {
            return whole;
        }
        for depth in 1..tree.depth() {
            let longer = export::text(tree, Some(depth));
            if depth > 1 && longer.lines().count() > PAGE {
                break;
            }
            shown = longer;
        }
        format!("{}\n... cut: text() has all {lines} lines", shown.trim_end())
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        let (model, tree) = (slf.as_super().get(), Self::tree(slf));
        let (material, learner) = (model.material(), model.maker());
        format!("Tree({material:?}, {learner}: {} leaves, depth {})", tree.leaves(), tree.depth())
    }
}
