//! Decision trees.

use crate::dataset::{Attributes, Dataset};
use crate::endgame::Endgame;
use crate::error::{LucenaError, Result};
use crate::progress::run;
use crate::sklearn_tree::SklearnTree;
use lucena::DecisionTree;
use lucena::export;
use lucena::learn::{Criterion, LearnerKind, Limits};
use lucena_files::{load_text, write_file};
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A decision tree over attributes of positions with the weak side to move.
///
/// >>> import lucena
/// >>> tree = lucena.learn("KRvK")
/// >>> bool((tree.predict(lucena.dataset("KRvK").X) == lucena.dataset("KRvK").y).all())
/// True
#[pyclass(frozen, module = "lucena")]
pub(crate) struct Tree(Arc<DecisionTree>);

/// The source of the rows: a data set, or an endgame.
#[derive(FromPyObject)]
pub(crate) enum Source {
    #[pyo3(transparent, annotation = "Dataset")]
    Rows(Py<Dataset>),
    #[pyo3(transparent, annotation = "str | Tablebase")]
    Endgame(Endgame),
}

/// Learn a decision tree from a Dataset, or from the positions of an endgame.
///
/// `learner` is "cart", "id3", "linfa" or "linfa-plain". It grows until the tree is exact, unless `max_depth` or `min_rows`
/// stops it; with `max_leaves` it is pruned to the subtree of so many leaves that gets the most rows right. `criterion` is "entropy" or "gini"; id3 always uses entropy. `attributes` and `positions` are
/// those of `dataset`, for an endgame.
#[pyfunction]
#[pyo3(signature = (source, *, learner="cart", criterion="entropy", max_depth=None, min_rows=2, max_leaves=None, attributes=None, positions=None))]
#[allow(clippy::too_many_arguments)] // Keyword arguments in Python.
pub(crate) fn learn(
    py: Python<'_>,
    source: Source,
    learner: &str,
    criterion: &str,
    max_depth: Option<u32>,
    min_rows: u32,
    max_leaves: Option<u32>,
    attributes: Option<Attributes>,
    positions: Option<&str>,
) -> Result<Tree> {
    let kind: LearnerKind = learner.parse()?;
    let criterion: Criterion = criterion.parse()?;
    let limits = Limits { max_depth, min_rows, max_leaves };
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
    Ok(Tree(Arc::new(run(py, |_| learner.learn(&rows))??)))
}

impl Tree {
    pub(crate) fn tree(&self) -> &DecisionTree {
        &self.0
    }
}

#[pymethods]
impl Tree {
    /// Read a tree from JSON, as `json` writes it.
    #[classmethod]
    fn from_json(_: &Bound<'_, PyType>, json: &str) -> Result<Self> {
        Ok(Self(Arc::new(DecisionTree::from_json(json.as_bytes())?)))
    }

    /// Read a tree from a JSON file.
    #[classmethod]
    fn load(_: &Bound<'_, PyType>, path: PathBuf) -> Result<Self> {
        Ok(Self(Arc::new(load_text(&path, DecisionTree::from_json)?)))
    }

    /// Write the tree to a JSON file, completely or not at all.
    fn save(&self, path: PathBuf) -> Result<()> {
        write_file(&path, self.json().as_bytes())?;
        Ok(())
    }

    /// The tree as JSON. Equal trees give equal text.
    fn json(&self) -> String {
        self.0.to_json()
    }

    /// The endgame, such as "KRvK".
    #[getter]
    fn material(&self) -> &str {
        &self.0.origin().material
    }

    /// The attributes, in the order in which `predict` takes their values.
    #[getter]
    fn attribute_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.head().attributes.iter().map(|attribute| &attribute.name))
    }

    /// The names of the classes, indexed by class number.
    #[getter]
    fn class_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.head().classes)
    }

    /// The name of the learner.
    #[getter]
    fn learner(&self) -> &str {
        &self.0.origin().maker
    }

    /// The learner's parameters, by name.
    #[getter]
    fn parameters(&self) -> BTreeMap<String, String> {
        self.0.origin().parameters.clone()
    }

    /// The number of leaves.
    #[getter]
    fn leaves(&self) -> usize {
        self.0.leaves()
    }

    /// The length of the longest path, in tests.
    #[getter]
    fn depth(&self) -> usize {
        self.0.depth()
    }

    /// The SHA-256 of its JSON, in hexadecimal.
    #[getter]
    fn sha256(&self) -> String {
        self.0.sha256()
    }

    /// The class of each row, as an array of uint8.
    ///
    /// Where the tree has no answer (an id3 tree at a value that it has never seen) the class is `default`;
    /// without `default` that is an error.
    #[pyo3(signature = (X, default=None))]
    #[allow(non_snake_case)] // The name in scikit-learn.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        X: &Bound<'py, PyAny>,
        default: Option<u8>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let width = self.0.head().attributes.len();
        let rows = py.import("lucena._rows")?.call_method1("rows", (X, width))?;
        let rows: PyReadonlyArray2<'_, u8> = rows.extract()?;
        let rows = rows.as_slice()?.to_vec();
        let classes = run(py, |_| {
            let rows = rows.chunks_exact(width.max(1));
            let classify = |(number, row)| self.0.classify(row).or(default).ok_or(number);
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
    fn to_sklearn(&self, py: Python<'_>) -> PyResult<SklearnTree> {
        SklearnTree::new(py, &self.0)
    }

    /// The tree in the format of scikit-learn's `export_text`, cut below `max_depth` tests.
    #[pyo3(signature = (max_depth=None))]
    fn text(&self, max_depth: Option<usize>) -> String {
        export::text(&self.0, max_depth)
    }

    /// The tree in Graphviz's format, cut below `max_depth` tests.
    #[pyo3(signature = (max_depth=None))]
    fn dot(&self, max_depth: Option<usize>) -> String {
        export::dot(&self.0, max_depth)
    }

    /// The tree as an ONNX model: a TreeEnsembleClassifier.
    fn onnx<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &export::onnx(&self.0))
    }

    /// The tree as an SVG picture, from left to right, cut below `max_depth` tests, with a board for each row.
    #[pyo3(signature = (max_depth=3))]
    fn svg(&self, py: Python<'_>, max_depth: usize) -> String {
        py.detach(|| export::svg(&self.0, max_depth))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> String {
        self.svg(py, 3)
    }

    fn __str__(&self) -> String {
        self.text(None)
    }

    /// Pickles the tree as JSON.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.get().json(),)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __hash__(&self) -> u64 {
        let sha256 = self.0.sha256();
        u64::from_str_radix(&sha256[..16], 16).unwrap_or_default()
    }

    fn __repr__(&self) -> String {
        let (material, learner) = (self.material(), self.learner());
        format!("Tree({material:?}, {learner}: {} leaves, depth {})", self.leaves(), self.depth())
    }
}
