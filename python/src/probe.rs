//! What a tablebase says of one position.

use crate::error::senseless;
use lucena::chess::Position;
use lucena::diagram::Diagram;
use lucena::report::{Probed, ProbedMove as Move};
use lucena::tablebase::Tablebase;
use pyo3::prelude::*;

/// What perfect play makes of a position.
#[pyclass(frozen, module = "lucena")]
pub(crate) struct Probe {
    position: Position,
    probed: Probed,
}

/// What perfect play makes of the position after a move.
#[pyclass(frozen, module = "lucena")]
pub(crate) struct ProbedMove(Move);

impl Probe {
    pub(crate) fn new(tablebase: &Tablebase, fen: &str) -> PyResult<Self> {
        let position: Position = fen.parse().map_err(senseless)?;
        let outcome = tablebase.probe(&position).map_err(senseless)?;
        let moves = tablebase.probe_moves(&position).map_err(senseless)?;
        Ok(Self { position, probed: Probed::new(&position, outcome, &moves) })
    }
}

#[pymethods]
impl Probe {
    /// The position, as a FEN.
    #[getter]
    fn fen(&self) -> String {
        self.position.to_string()
    }

    /// "win", "draw" or "loss", for the side to move.
    #[getter]
    fn outcome(&self) -> &str {
        self.probed.category
    }

    /// Plies to mate, negative when the side to move is mated; None for a draw.
    #[getter]
    fn dtm(&self) -> Option<i32> {
        self.probed.dtm
    }

    /// The legal moves, the best first.
    #[getter]
    fn moves(&self) -> Vec<ProbedMove> {
        self.probed.moves.iter().cloned().map(ProbedMove).collect()
    }

    fn __repr__(&self) -> String {
        format!("Probe({:?}: {})", self.fen(), told(self.outcome(), self.dtm()))
    }

    fn _repr_svg_(&self) -> String {
        let title = told(self.outcome(), self.dtm());
        let position = self.position;
        Diagram { position, title, arrow: None, highlights: Vec::new() }.to_svg()
    }
}

#[pymethods]
impl ProbedMove {
    /// The move as programs write it: c1c8.
    #[getter]
    fn uci(&self) -> &str {
        &self.0.uci
    }

    /// The move as people write it: Rc8#.
    #[getter]
    fn san(&self) -> &str {
        &self.0.san
    }

    /// "win", "draw" or "loss", for the opponent, who is then to move.
    #[getter]
    fn outcome(&self) -> &str {
        self.0.category
    }

    /// Plies to mate, negative when the opponent is mated; None for a draw.
    #[getter]
    fn dtm(&self) -> Option<i32> {
        self.0.dtm
    }

    fn __repr__(&self) -> String {
        format!("ProbedMove({}: {})", self.san(), told(self.outcome(), self.dtm()))
    }
}

fn told(outcome: &str, dtm: Option<i32>) -> String {
    dtm.map_or(outcome.into(), |plies| format!("{outcome}, mate in {} plies", plies.abs()))
}
