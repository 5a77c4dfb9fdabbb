//! Solved endgames.

use crate::error::{invalid_input, keyboard_interrupt};
use crate::probe::Probe;
use crate::progress::run;
use lucena::chess::Material;
use lucena::report::{SideCounts as Counts, SolveReport};
use lucena::tablebase::{TableFolder, Tablebase as Table};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The exact outcome of every position of an endgame.
///
/// >>> import lucena
/// >>> krvk = lucena.solve("KRvK")
/// >>> krvk.probe("8/8/8/8/8/1k6/8/K1R5 w - - 0 1").dtm
/// 21
#[pyclass(frozen, module = "lucena")]
pub(crate) struct Tablebase {
    table: Arc<Table>,
    solved: SolveReport,
}

impl Tablebase {
    pub(crate) fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }
}

/// Solve an endgame: the exact outcome of every position, against every defence.
///
/// `endgame` names the men, the strong side first: "KRvK". With `tables`, a folder, solved endgames are
/// saved there and read the next time.
///
/// >>> import lucena
/// >>> lucena.solve("KRvK").longest_plies
/// 32
#[pyfunction]
#[pyo3(signature = (endgame, tables=None))]
pub(crate) fn solve(py: Python<'_>, endgame: &str, tables: Option<PathBuf>) -> PyResult<Tablebase> {
    let material: Material = endgame.parse().map_err(invalid_input)?;
    let folder = tables.map_or_else(TableFolder::in_memory, TableFolder::new);
    let solved = run(py, |observer| SolveReport::new(&folder, material, observer))?;
    let (solved, table) = solved.map_err(keyboard_interrupt)?;
    Ok(Tablebase { table: Arc::new(table), solved })
}

#[pymethods]
impl Tablebase {
    /// The endgame, such as "KRvK".
    #[getter]
    fn material(&self) -> &str {
        &self.solved.material
    }

    /// The longest mate in plies, by either side; None if there is no mate.
    #[getter]
    fn longest_plies(&self) -> Option<u16> {
        self.solved.longest_plies
    }

    /// The counts of positions with White, the strong side, to move.
    #[getter]
    fn white_to_move(&self) -> SideCounts {
        SideCounts(self.solved.white_to_move.clone())
    }

    /// The counts of positions with Black, the weak side, to move.
    #[getter]
    fn black_to_move(&self) -> SideCounts {
        SideCounts(self.solved.black_to_move.clone())
    }

    /// The result of perfect play from a position, given as a FEN whose last fields may be omitted.
    ///
    /// The position belongs to the endgame, or to one that captures and promotions lead to.
    fn probe(&self, fen: &str) -> PyResult<Probe> {
        Probe::new(&self.table, fen)
    }

    fn __repr__(&self) -> String {
        format!("Tablebase({:?})", self.material())
    }
}

/// Counts of the positions with one side to move, by outcome.
#[pyclass(frozen, module = "lucena")]
pub(crate) struct SideCounts(Counts);

#[pymethods]
impl SideCounts {
    /// The number of positions of the full board.
    #[getter]
    fn legal(&self) -> u64 {
        self.0.legal
    }

    /// The number of positions up to symmetry.
    #[getter]
    fn canonical(&self) -> u64 {
        self.0.canonical
    }

    /// The number of positions of the full board that the side to move wins.
    #[getter]
    fn won(&self) -> u64 {
        self.0.won
    }

    /// The number of positions of the full board that are drawn.
    #[getter]
    fn drawn(&self) -> u64 {
        self.0.drawn
    }

    /// The number of positions of the full board that the side to move loses.
    #[getter]
    fn lost(&self) -> u64 {
        self.0.lost
    }

    /// Plies to mate -> positions of the full board; odd numbers are won, even ones lost.
    #[getter]
    fn histogram(&self) -> BTreeMap<u16, u64> {
        self.0.histogram.clone()
    }

    fn __repr__(&self) -> String {
        let Counts { legal, won, drawn, lost, .. } = &self.0;
        format!("SideCounts(legal={legal}, won={won}, drawn={drawn}, lost={lost})")
    }
}
