//! Rows of attribute values with a class each, as numpy arrays.

use crate::argument::{WholeNumber, named, one_of_types};
use crate::endgame::Endgame;
use crate::error::{LucenaError, Result};
use crate::progress::run;
use crate::syzygy::Syzygy;
use lucena::attributes::{AttributeSet, Selections};
use lucena::chess::{Material, Side};
use lucena::dataset::{
    Dataset as Rows, LabelParams, LabelSource, Positions, SampleParams, SyzygyLabels, Target,
    WdlLabels,
};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Positions described by attributes, each with its class from a tablebase: draw, lost, or the moves to mate in words; or
/// what the fifty-move rule makes of it.
///
/// `X`, `y` and `groups` are the arrays that scikit-learn takes; they are read-only: copy one to change it. The rows of a group are rotations and
/// reflections of one position, so that `GroupKFold` never tests on a mirror image of a training row.
///
/// >>> import lucena
/// >>> data = lucena.dataset("KRvK")
/// >>> data.X.shape
/// (28056, 24)
/// >>> data.class_names[data.y[0]]
/// 'fifteen'
#[pyclass(frozen, module = "lucena")]
pub(crate) struct Dataset {
    rows: Arc<Rows>,
    /// The attribute values: an array of uint8 with a row for each position and a column for each attribute.
    #[pyo3(get, name = "X")]
    values: Py<PyArray2<u8>>,
    /// The number of each row's class, an array of uint8.
    #[pyo3(get, name = "y")]
    classes: Py<PyArray1<u8>>,
    /// The number of each row's orbit: rows with the same number are rotations and reflections of one position.
    #[pyo3(get)]
    groups: Py<PyArray1<u32>>,
}

/// An argument that selects attributes: a selection, or a list of names.
pub(crate) enum Attributes {
    Selection(String),
    Names(Vec<String>),
}

one_of_types!(Attributes: Selection, Names = "a selection of attributes: give its name, or a list of names of attributes");

impl From<&str> for Attributes {
    fn from(selection: &str) -> Self {
        Self::Selection(selection.into())
    }
}

impl Attributes {
    pub(crate) fn of(&self, material: Material) -> Result<AttributeSet> {
        match self {
            Self::Selection(name) => {
                Ok(AttributeSet::new(material, named::<Selections>(name, "attributes")?))
            }
            Self::Names(names) => {
                let set = AttributeSet::named(material, names.iter().map(String::as_str));
                Ok(set.map_err(|error| LucenaError::new_err(format!("attributes: {error}")))?)
            }
        }
    }
}

/// Describe every position of an endgame by attributes.
///
/// `endgame` is a name, such as "KRvK", or a Tablebase. `attributes` is a selection: "location",
/// "geometric", "published", "oriented", "strategic", "all", "concepts", "ahead", "region",
/// "fight"; several of these with commas between them; or a list of names.
/// `positions` is "canonical", for one position of each orbit, or "full", for the whole board.
/// `target` is what the classes say: "dtm", the moves until the weak side is mated; "dtz", the distance to zeroing; "wdl",
/// the outcome under the fifty-move rule. `turn` is the side to move: "black", the weak side, or "white".
/// `syzygy`, a Syzygy, has the classes of endgames of up to seven men; `sample` is the number of positions to draw, by
/// `seed`; endgames of five men and more need it.
#[pyfunction]
#[pyo3(
    signature = (endgame="KRvK".into(), *, attributes="geometric".into(), positions="canonical", target="dtm", turn="black", syzygy=None, sample=None, seed=WholeNumber(1)),
    text_signature = "(endgame='KRvK', *, attributes='geometric', positions='canonical', target='dtm', turn='black', syzygy=None, sample=None, seed=1)"
)]
#[allow(clippy::too_many_arguments)] // Keyword arguments in Python.
pub(crate) fn dataset(
    py: Python<'_>,
    endgame: Endgame,
    attributes: Attributes,
    positions: &str,
    target: &str,
    turn: &str,
    syzygy: Option<Py<Syzygy>>,
    sample: Option<WholeNumber>,
    seed: WholeNumber,
) -> Result<Dataset> {
    let target: Target = named(target, "target")?;
    let positions: Positions = named(positions, "positions")?;
    let turn = match turn {
        "white" => Side::Strong,
        "black" => Side::Weak,
        other => {
            let words =
                format!("turn: {other:?} is not a side to move: it is \"white\" or \"black\"");
            return Err(LucenaError::new_err(words).into());
        }
    };
    let sample: Option<usize> = WholeNumber::option_at_least(sample, 1, "sample")?;
    let seed = seed.at_least(0, "seed")?;
    let sample = sample.and_then(NonZeroUsize::new).map(|orbits| SampleParams { orbits, seed });
    if sample.is_none() {
        check_in_memory(endgame.material()?, "draw a sample of them, as with sample=200000")?;
    }
    let Some(syzygy) = syzygy else {
        let table = endgame.table(py, target.metric())?;
        let attributes = attributes.of(table.material())?;
        return match target {
            Target::Wdl => {
                let outcomes = WdlLabels::new(table);
                Dataset::of(py, &outcomes, &attributes, positions, turn, sample)
            }
            _ => Dataset::of(py, &*table, &attributes, positions, turn, sample),
        };
    };
    let material = endgame.material()?;
    let attributes = attributes.of(material)?;
    let labels = run(py, |observer| {
        SyzygyLabels::new(
            &syzygy.get().tables,
            material,
            LabelParams { target, turns: &[turn], sample },
            observer,
        )
    })??;
    Dataset::of(py, &labels, &attributes, positions, turn, None)
}

/// Checks that an endgame has few enough positions for all of them to be rows. This needs no table.
pub(crate) fn check_in_memory(material: Material, remedy: &str) -> Result<()> {
    let refused = |error| LucenaError::new_err(format!("{error}: {remedy}"));
    Ok(Rows::check_in_memory(material).map_err(refused)?)
}

impl Dataset {
    /// The positions of a source as rows.
    fn of(
        py: Python<'_>,
        source: &dyn LabelSource,
        attributes: &AttributeSet,
        positions: Positions,
        turn: Side,
        sample: Option<SampleParams>,
    ) -> Result<Self> {
        let rows = || match sample {
            None => Rows::with_turn(source, attributes, positions, turn),
            Some(sample) => Rows::sampled(source, attributes, positions, turn, sample),
        };
        let (values, rows) = run(py, |_| rows().map(|rows| (by_row(&rows), rows)))??;
        let shape = [rows.rows(), rows.attributes().len()];
        Ok(Self {
            values: read_only(PyArray1::from_vec(py, values))?.reshape(shape)?.unbind(),
            classes: read_only(PyArray1::from_slice(py, rows.targets()))?.unbind(),
            groups: read_only(PyArray1::from_slice(py, rows.orbits()))?.unbind(),
            rows: Arc::new(rows),
        })
    }

    /// The positions of an endgame with the weak side to move, by the distance to mate.
    pub(crate) fn of_endgame(
        py: Python<'_>,
        endgame: &Endgame,
        attributes: &Attributes,
        positions: &str,
    ) -> Result<Self> {
        let material = endgame.material()?;
        let remedy = format!(
            "give a Dataset with a sample, as dataset({:?}, sample=200000)",
            material.to_string()
        );
        check_in_memory(material, &remedy)?;
        let table = endgame.table(py, Target::Dtm.metric())?;
        let attributes = attributes.of(table.material())?;
        Self::of(py, &*table, &attributes, named(positions, "positions")?, Side::Weak, None)
    }
}

/// The array, write-protected: the rows that `learn` reads do not change with it.
fn read_only<T: Element>(array: Bound<'_, PyArray1<T>>) -> PyResult<Bound<'_, PyArray1<T>>> {
    array.call_method1("setflags", (false,))?;
    Ok(array)
}

/// The values in row-major order.
fn by_row(rows: &Rows) -> Vec<u8> {
    let width = rows.attributes().len();
    let mut values = vec![0; rows.rows() * width];
    for attribute in 0..width {
        let places = values[attribute..].iter_mut().step_by(width);
        for (place, &value) in places.zip(rows.column(attribute)) {
            *place = value;
        }
    }
    values
}

impl Dataset {
    pub(crate) fn rows(&self) -> Arc<Rows> {
        Arc::clone(&self.rows)
    }
}

#[pymethods]
impl Dataset {
    /// The endgame, such as "KRvK".
    #[getter]
    fn material(&self) -> &str {
        self.rows.name()
    }

    /// The names of the columns.
    #[getter]
    fn attribute_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.rows.attributes().iter().map(|attribute| &attribute.name))
    }

    /// The meaning of each column, in a sentence.
    #[getter]
    fn attribute_meanings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.rows.attributes().iter().map(|attribute| &attribute.meaning))
    }

    /// The names of the classes, indexed by class number: "draw", "zero", "one", ..., "lost".
    #[getter]
    fn class_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.rows.classes())
    }

    /// The plies to mate, or with target="dtz" to zeroing, of each class; None for a draw, a lost game, and a distance
    /// to zeroing beyond 100, which may be 100 plies fewer.
    #[getter]
    fn plies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let plies = (0..self.rows.classes().len()).map(|class| self.rows.plies(class));
        PyTuple::new(py, plies.collect::<Vec<_>>())
    }

    /// The rows as a pandas DataFrame; the last column, optimalDepth, dtz or wdl, is the name of the class.
    fn frame<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pandas = py.import("pandas")?;
        let names = PyDict::new(py);
        names.set_item("columns", self.attribute_names(py)?.to_list())?;
        // The frame may be written to.
        names.set_item("copy", true)?;
        let frame = pandas.call_method("DataFrame", (&self.values,), Some(&names))?;
        let categories = PyDict::new(py);
        categories.set_item("categories", self.class_names(py)?.to_list())?;
        categories.set_item("ordered", true)?;
        let classes = pandas.getattr("Categorical")?;
        let classes = classes.call_method("from_codes", (&self.classes,), Some(&categories))?;
        frame.set_item(self.rows.target().column(), classes)?;
        Ok(frame)
    }

    fn __len__(&self) -> usize {
        self.rows.rows()
    }

    fn __repr__(&self) -> String {
        let (material, rows) = (self.material(), self.rows.rows());
        format!("Dataset({material:?}: {rows} rows x {} attributes)", self.rows.attributes().len())
    }
}
