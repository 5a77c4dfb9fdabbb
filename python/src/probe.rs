//! The tablebase's result for one position.

use crate::error::Result;
use lucena::chess::{Game, NoEndgame, Position};
use lucena::diagram::Diagram;
use lucena::report::{LichessEntry, ProbeMove, ProbeReport};
use lucena::tablebase::{Lookup, Wdl};
use pyo3::prelude::*;

/// The result of perfect play from a position.
#[pyclass(frozen, module = "lucena")]
pub(crate) struct Probe {
    position: std::result::Result<Position, NoEndgame>,
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
    standing: LichessEntry,
}

impl Probe {
    pub(crate) fn new<L: Lookup>(tables: &L, game: &Game) -> std::result::Result<Self, L::Error> {
        let report = ProbeReport::new(game.to_string(), game, tables)?;
        let probed = |mv: &ProbeMove| {
            let ProbeMove { uci, san, standing, .. } = mv;
            ProbedMove { uci: uci.clone(), san: san.clone(), standing: *standing }
        };
        let moves = report.moves.iter().map(probed).collect();
        Ok(Self { position: game.position(), moves, report })
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
    fn outcome(&self) -> Option<&'static str> {
        name(&self.report.standing)
    }

    /// Plies to mate, negative when the side to move is mated; 0 for a checkmate, None for a draw, and if the table
    /// has distances to zeroing.
    #[getter]
    fn dtm(&self) -> Option<i32> {
        self.report.standing.outcome()?.dtm()
    }

    /// Plies to the next capture, pawn move or mate under the fifty-move rule, negative when the side to move loses; 0
    /// for a draw, -1 for a checkmate. Beyond 100, where the rule draws first, it stands for that many plies or 100
    /// fewer. None if the table has distances to mate.
    #[getter]
    fn dtz(&self) -> Option<i32> {
        self.report.standing.dtz
    }

    /// dtz, unless a Syzygy file has rounded it down by a ply; then None.
    #[getter]
    fn precise_dtz(&self) -> Option<i32> {
        self.report.standing.precise_dtz
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
        format!("Probe({:?}: {})", self.fen(), words(&self.report.standing))
    }

    /// The board; None with more than five men.
    fn _repr_svg_(&self) -> Option<String> {
        let (position, title) = (*self.position.as_ref().ok()?, words(&self.report.standing));
        Some(Diagram { position, title, arrow: None, highlights: Vec::new() }.to_svg())
    }
}

#[pymethods]
impl ProbedMove {
    /// "win", "draw" or "loss", for the opponent, who is to move after it, apart from the fifty-move rule.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        name(&self.standing)
    }

    /// Plies to mate, negative when the opponent is mated; 0 for a checkmate, None for a draw, and if the table has
    /// distances to zeroing.
    #[getter]
    fn dtm(&self) -> Option<i32> {
        self.standing.outcome()?.dtm()
    }

    /// Plies to the next capture, pawn move or mate, negative when the opponent loses; beyond 100, that many plies or
    /// 100 fewer. None if the table has distances to mate.
    #[getter]
    fn dtz(&self) -> Option<i32> {
        self.standing.dtz
    }

    /// The opponent's result under the fifty-move rule, in the names of the Lichess tablebase.
    #[getter]
    fn category(&self) -> String {
        self.standing.category.to_string()
    }

    fn __repr__(&self) -> String {
        format!("ProbedMove({}: {} for the opponent)", self.san, words(&self.standing))
    }
}

/// The outcome apart from the fifty-move rule; `None` if it is unknown.
fn name(standing: &LichessEntry) -> Option<&'static str> {
    Some(match standing.wdl()? {
        Wdl::Loss => "loss",
        Wdl::Draw => "draw",
        Wdl::Win => "win",
    })
}

fn words(standing: &LichessEntry) -> String {
    match standing.verdict() {
        Some(verdict) => verdict.to_string(),
        None => standing.category.noun().to_owned(),
    }
}
