//! The tablebase's result for one position.

use crate::error::Result;
use lucena::chess::Position;
use lucena::diagram::Diagram;
use lucena::report::ProbeReport;
use lucena::tablebase::{Outcome, Tablebase, Wdl};
use pyo3::prelude::*;

/// The result of perfect play from a position.
#[pyclass(frozen, module = "lucena")]
pub(crate) struct Probe {
    position: Position,
    outcome: Outcome,
    moves: Vec<ProbedMove>,
    report: ProbeReport,
}

/// The result of perfect play after a move.
#[pyclass(frozen, module = "lucena")]
#[derive(Clone)]
pub(crate) struct ProbedMove {
    /// The move in UCI notation: c1c8.
    #[pyo3(get)]
    uci: String,
    /// The move in standard algebraic notation: Rc8#.
    #[pyo3(get)]
    san: String,
    outcome: Outcome,
}

impl Probe {
    pub(crate) fn new(tablebase: &Tablebase, fen: &str) -> Result<Self> {
        let position: Position = fen.parse()?;
        let outcome = tablebase.probe(&position)?;
        let moves = tablebase.probe_moves(&position)?;
        let report = ProbeReport::new(position.to_string(), &position, 0, outcome, &moves);
        let probed = |(mv, _, outcome): (lucena::chess::Move, Position, Outcome)| {
            Ok(ProbedMove { uci: mv.to_string(), san: position.san(mv)?, outcome })
        };
        let moves = moves.into_iter().map(probed).collect::<Result<_>>()?;
        Ok(Self { position, outcome, moves, report })
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
    fn outcome(&self) -> &'static str {
        name(self.outcome)
    }

    /// Plies to mate, negative when the side to move is mated; 0 for a checkmate, None for a draw.
    #[getter]
    fn dtm(&self) -> Option<i32> {
        self.outcome.dtm()
    }

    /// The legal moves, best first.
    #[getter]
    fn moves(&self) -> Vec<ProbedMove> {
        self.moves.clone()
    }

    /// The whole report, as in "lucena probe --format json", with the field names of the Lichess tablebase.
    fn report<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        let json = serde_json::to_string(&self.report)?;
        Ok(py.import("json")?.call_method1("loads", (json,))?)
    }

    fn __repr__(&self) -> String {
        format!("Probe({:?}: {})", self.fen(), self.outcome)
    }

    fn _repr_svg_(&self) -> String {
        let (position, title) = (self.position, self.outcome.to_string());
        Diagram { position, title, arrow: None, highlights: Vec::new() }.to_svg()
    }
}

#[pymethods]
impl ProbedMove {
    /// "win", "draw" or "loss", for the opponent, who is to move after it.
    #[getter]
    fn outcome(&self) -> &'static str {
        name(self.outcome)
    }

    /// Plies to mate, negative when the opponent is mated; 0 for a checkmate, None for a draw.
    #[getter]
    fn dtm(&self) -> Option<i32> {
        self.outcome.dtm()
    }

    fn __repr__(&self) -> String {
        format!("ProbedMove({}: {} for the opponent)", self.san, self.outcome)
    }
}

fn name(outcome: Outcome) -> &'static str {
    match outcome.wdl() {
        Wdl::Loss => "loss",
        Wdl::Draw => "draw",
        Wdl::Win => "win",
    }
}
