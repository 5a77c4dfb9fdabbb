//! The tablebase's result for one position.

use crate::error::Result;
use lucena::chess::{Game, Position};
use lucena::diagram::Diagram;
use lucena::report::{ProbeMove, ProbeReport};
use lucena::tablebase::{Outcome, Tablebase, Verdict, Wdl};
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
    /// For the opponent, who is to move after it.
    verdict: Verdict,
}

impl Probe {
    pub(crate) fn new(tablebase: &Tablebase, fen: &str) -> Result<Self> {
        let game: Game = fen.parse()?;
        let position = game.position()?;
        let outcome = tablebase.probe(&position)?;
        let look = |position: &Position| tablebase.probe(position).map(Some);
        let report = ProbeReport::new(game.to_string(), &game, &look)?;
        let probed = |mv: &ProbeMove| {
            let verdict = mv.standing.verdict()?;
            Some(ProbedMove { uci: mv.uci.clone(), san: mv.san.clone(), verdict })
        };
        let moves = report.moves.iter().filter_map(probed).collect();
        Ok(Self { position, outcome, moves, report })
    }
}

impl Probe {
    /// The outcome, and the effect of the fifty-move rule.
    fn verdict(&self) -> Verdict {
        Verdict { category: self.report.standing.category, outcome: self.outcome }
    }
}

#[pymethods]
impl Probe {
    /// The position, as a FEN.
    #[getter]
    fn fen(&self) -> &str {
        &self.report.lucena.fen
    }

    /// "win", "draw" or "loss", for the side to move, apart from the fifty-move rule.
    #[getter]
    fn outcome(&self) -> &'static str {
        name(self.outcome)
    }

    /// Plies to mate, negative when the side to move is mated; 0 for a checkmate, None for a draw.
    #[getter]
    fn dtm(&self) -> Option<i32> {
        self.outcome.dtm()
    }

    /// The result under the fifty-move rule by the clock of the FEN, in the names of the Lichess tablebase, such as
    /// "win", "maybe-win" or "cursed-win".
    #[getter]
    fn category(&self) -> String {
        self.report.standing.category.to_string()
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
        format!("Probe({:?}: {})", self.fen(), self.verdict())
    }

    fn _repr_svg_(&self) -> String {
        let (position, title) = (self.position, self.verdict().to_string());
        Diagram { position, title, arrow: None, highlights: Vec::new() }.to_svg()
    }
}

#[pymethods]
impl ProbedMove {
    /// "win", "draw" or "loss", for the opponent, who is to move after it, apart from the fifty-move rule.
    #[getter]
    fn outcome(&self) -> &'static str {
        name(self.verdict.outcome)
    }

    /// Plies to mate, negative when the opponent is mated; 0 for a checkmate, None for a draw.
    #[getter]
    fn dtm(&self) -> Option<i32> {
        self.verdict.outcome.dtm()
    }

    /// The opponent's result under the fifty-move rule, in the names of the Lichess tablebase.
    #[getter]
    fn category(&self) -> String {
        self.verdict.category.to_string()
    }

    fn __repr__(&self) -> String {
        format!("ProbedMove({}: {} for the opponent)", self.san, self.verdict)
    }
}

fn name(outcome: Outcome) -> &'static str {
    match outcome.wdl() {
        Wdl::Loss => "loss",
        Wdl::Draw => "draw",
        Wdl::Win => "win",
    }
}
