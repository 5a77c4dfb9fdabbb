//! Solved endgames.

use crate::argument::named;
use crate::error::{LucenaError, Result};
use crate::probe::Probe;
use crate::progress::run;
use lucena::chess::{Game, Material};
use lucena::progress::Observer;
use lucena::report::{SideCounts as Counts, SolveReport};
use lucena::tablebase::{Metric, SaveSyzygyError, TableFolder, Tablebase as Table};
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
/// saved there and read the next time. `metric` is "dtm" for distances to mate, or "dtz" for distances to zeroing under
/// the fifty-move rule.
///
/// >>> import lucena
/// >>> lucena.solve("KRvK").longest_plies
/// 32
#[pyfunction]
#[pyo3(signature = (endgame, tables=None, metric="dtm"))]
pub(crate) fn solve(
    py: Python<'_>,
    endgame: &str,
    tables: Option<PathBuf>,
    metric: &str,
) -> Result<Tablebase> {
    let (material, metric): (Material, Metric) = (endgame.parse()?, named(metric, "metric")?);
    let folder = tables.map_or_else(TableFolder::in_memory, TableFolder::new).of_metric(metric);
    let (solved, table) = run(py, |observer| SolveReport::new(&folder, material, observer))??;
    Ok(Tablebase { table: Arc::new(table), solved })
}

#[pymethods]
impl Tablebase {
    /// The endgame, such as "KRvK".
    #[getter]
    fn material(&self) -> &str {
        &self.solved.material
    }

    /// "dtm" for distances to mate, "dtz" for distances to zeroing.
    #[getter]
    fn metric(&self) -> String {
        self.table.metric().to_string()
    }

    /// The longest distance in plies, by either side; None if nobody wins. A distance to zeroing beyond 100 stands for
    /// that many plies or 100 fewer, here and in the histograms.
    #[getter]
    fn longest_plies(&self) -> Option<u16> {
        self.solved.longest_plies
    }

    /// The counts of positions with White, the strong side, to move.
    #[getter]
    fn white_to_move(&self) -> SideCounts {
        (&self.solved.white_to_move).into()
    }

    /// The counts of positions with Black, the weak side, to move.
    #[getter]
    fn black_to_move(&self) -> SideCounts {
        (&self.solved.black_to_move).into()
    }

    /// The result of perfect play from a position, given as a FEN whose last fields may be omitted.
    ///
    /// The position belongs to the endgame, or to one that captures and promotions lead to.
    fn probe(&self, fen: &str) -> Result<Probe> {
        let game: Game = fen.parse()?;
        game.position()?;
        Ok(Probe::new(&*self.table, &game)?)
    }

    /// Write the Syzygy files of the endgame, and of those that it leads to, into a folder; they are two for each, .rtbw
    /// and .rtbz. The table must have distances to zeroing. Returns the paths.
    fn save_syzygy(&self, py: Python<'_>, folder: PathBuf) -> Result<Vec<PathBuf>> {
        if self.table.metric() != Metric::Dtz {
            return Err(LucenaError::new_err(
                "Syzygy files hold distances to zeroing: solve the endgame with metric=\"dtz\"",
            )
            .into());
        }
        let save = |observer: &dyn Observer| {
            let mut paths = Vec::new();
            self.table.save_syzygy(&folder, observer, |path| paths.push(path.to_owned()))?;
            Ok::<_, SaveSyzygyError>(paths)
        };
        Ok(run(py, save)??)
    }

    fn __repr__(&self) -> String {
        format!("Tablebase({:?})", self.material())
    }
}

/// Counts of the positions with one side to move, by outcome.
#[pyclass(frozen, get_all, module = "lucena")]
pub(crate) struct SideCounts {
    /// The number of positions of the full board.
    legal: u64,
    /// The number of positions up to symmetry.
    canonical: u64,
    /// The number of positions of the full board that the side to move wins.
    won: u64,
    /// The number of positions of the full board that are drawn.
    drawn: u64,
    /// The number of positions of the full board that the side to move loses.
    lost: u64,
    /// Plies to mate -> positions of the full board; odd numbers are won, even ones lost.
    histogram: BTreeMap<u16, u64>,
}

impl From<&Counts> for SideCounts {
    fn from(counts: &Counts) -> Self {
        let Counts { legal, canonical, won, drawn, lost, histogram, .. } = counts.clone();
        Self { legal, canonical, won, drawn, lost, histogram }
    }
}

#[pymethods]
impl SideCounts {
    fn __repr__(&self) -> String {
        let Self { legal, won, drawn, lost, .. } = self;
        format!("SideCounts(legal={legal}, won={won}, drawn={drawn}, lost={lost})")
    }
}
