//! Players that are written in Python: queried in batches, then proved.

use crate::argument::named;
use crate::dataset::Attributes;
use crate::endgame::Endgame;
use crate::error::{Result, player_error};
use crate::progress::{Bar, WorkProgress};
use crate::proof::{Proof, prove};
use lucena::attributes::AttributeSet;
use lucena::chess::Position;
use lucena::dataset::{Dataset, Positions};
use lucena::policy::{ExternalPlayer, ExternalPolicy, OrientedBoard, QueryError};
use lucena::tablebase::{Metric, Tablebase as Table};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

/// Prove a classifier as a player: see `prove`.
///
/// `classify` is called with an array of uint8, which has a row of attribute values for each position, and
/// with the names of all classes and of the attributes. It returns an array of uint8: the class of each row.
#[pyfunction]
#[pyo3(signature = (classify, name, endgame, attributes, played_on, start))]
pub(crate) fn prove_classifier(
    py: Python<'_>,
    classify: &Bound<'_, PyAny>,
    name: String,
    endgame: Endgame,
    attributes: Attributes,
    played_on: &str,
    start: Option<&str>,
) -> Result<Proof> {
    let played_on: OrientedBoard = named(played_on, "played_on")?;
    let table = endgame.table(py, Metric::Dtm)?;
    let attributes = attributes.of(table.material())?;
    let names = class_names(&table)?;
    let grades = names.iter().map(|name| Ok(name.parse()?)).collect::<Result<_>>()?;
    let columns: Vec<&str> = attributes.attributes().iter().map(|one| one.name()).collect();
    let width = columns.len();
    let classify = classify.as_unbound();
    let policy = run_in_caller_thread(py, name, played_on, &table, |outsider, in_python| {
        outsider.by_classes(&attributes, grades, |rows| {
            let mut classes = Vec::new();
            in_python(&mut |py| {
                let count = rows.len().checked_div(width).unwrap_or(0);
                let rows = PyArray1::from_slice(py, rows).reshape([count, width])?;
                let answers = classify.bind(py).call1((rows, &names, &columns))?;
                let answers: PyReadonlyArray1<'_, u8> = answers.extract()?;
                classes.extend_from_slice(answers.as_slice()?);
                Ok(())
            })?;
            Ok(classes)
        })
    })?;
    prove(py, &policy, &table, start)
}

/// Prove a function that chooses moves as a player: see `prove`.
///
/// `choose` is called with a list of FENs, and returns a list of moves, None for no move.
#[pyfunction]
#[pyo3(signature = (choose, name, endgame, played_on, start))]
pub(crate) fn prove_mover(
    py: Python<'_>,
    choose: &Bound<'_, PyAny>,
    name: String,
    endgame: Endgame,
    played_on: &str,
    start: Option<&str>,
) -> Result<Proof> {
    let played_on: OrientedBoard = named(played_on, "played_on")?;
    let table = endgame.table(py, Metric::Dtm)?;
    let choose = choose.as_unbound();
    let policy = run_in_caller_thread(py, name, played_on, &table, |outsider, in_python| {
        outsider.by_moves(|positions| {
            let fens: Vec<String> = positions.iter().map(Position::to_string).collect();
            let mut moves = Vec::new();
            in_python(&mut |py| {
                moves = choose.bind(py).call1((&fens,))?.extract()?;
                Ok(())
            })?;
            Ok(moves)
        })
    })?;
    prove(py, &policy, &table, start)
}

/// The names of an endgame's classes, indexed by class number, as in any data set.
fn class_names(table: &Table) -> Result<Vec<String>> {
    let none = AttributeSet::named(table.material(), [])?;
    Ok(Dataset::new(table, &none, Positions::Canonical)?.classes().to_vec())
}

/// Runs a closure in Python, with the GIL held and the bar drawn.
type PythonCall<'a> = dyn FnMut(&mut dyn FnMut(Python<'_>) -> PyResult<()>) -> PyResult<()> + 'a;

/// Queries the player and draws a bar. This happens in the calling thread: code in Python may rely on that,
/// and handles Ctrl-C itself. The GIL is held only during the calls.
fn run_in_caller_thread<'t>(
    py: Python<'_>,
    name: String,
    played_on: OrientedBoard,
    tablebase: &'t Table,
    by: impl FnOnce(
        ExternalPlayer<'_, 't>,
        &mut PythonCall<'_>,
    ) -> std::result::Result<ExternalPolicy<'t>, QueryError<PyErr>>
    + Send,
) -> Result<ExternalPolicy<'t>> {
    let (told, mut bar) = (WorkProgress::default(), Bar::default());
    let outsider = ExternalPlayer { name, played_on, tablebase, observer: &told };
    let asked = py.detach(|| {
        by(outsider, &mut |question| {
            Python::attach(|py| bar.draw(py, &told).and_then(|()| question(py)))
        })
    });
    bar.close(py, &told)?;
    asked.map_err(player_error)
}
