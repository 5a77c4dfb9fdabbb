//! Proofs of players.

use crate::endgame::Endgame;
use crate::error::{invalid_input, proof_error};
use crate::progress::run;
use crate::tree::Tree;
use lucena::certificate::{Certificate, CertificateRefutation};
use lucena::chess::Position;
use lucena::diagram::Diagram;
use lucena::policy::{OrientedBoard, Policy, TreePolicy};
use lucena::report::{self, PositionProof, ProofSummary, ProveOptions};
use lucena::roster::PlayerName;
use lucena::tablebase::Tablebase as Table;
use pyo3::prelude::*;
use pyo3::types::PyAny;

/// The strength of a player, proved from every position of the full board with the strong side to move,
/// against every defence.
#[pyclass(frozen, module = "lucena")]
pub(crate) struct Proof {
    worth: ProofSummary,
    certificate: Certificate,
    from: Option<PositionProof>,
    text: String,
    json: String,
}

/// A line of moves of both sides, and how it ends.
#[pyclass(frozen, get_all, module = "lucena")]
pub(crate) struct Line {
    /// The first position, as a FEN.
    fen: String,
    /// The moves of both sides, in UCI notation.
    uci: Vec<String>,
    /// The moves of both sides, in standard algebraic notation.
    san: Vec<String>,
    /// The end of a line that does not win: "cycle", "stalemate", "lost piece", "other endgame", "lost" or
    /// "no move"; None for a mate.
    reason: Option<String>,
}

/// Proves a policy on all positions of the table's endgame.
pub(crate) fn prove(
    py: Python<'_>,
    policy: &dyn Policy,
    table: &Table,
    start: Option<&str>,
) -> PyResult<Proof> {
    let from: Option<Position> = start.map(str::parse).transpose().map_err(invalid_input)?;
    let besides = ProveOptions { from: from.as_ref(), ..ProveOptions::default() };
    let proved = run(py, |observer| {
        let proved = report::prove(policy, table, besides, observer)?;
        let mut text = Vec::new();
        // Writing to memory cannot fail.
        let _ = proved.write_text(&mut text);
        let json = serde_json::to_string(&proved).unwrap_or_default();
        Ok((proved, text, json))
    })?;
    let (proved, text, json) = proved.map_err(proof_error)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(Proof { worth: proved.worth, certificate: proved.proved, from: proved.from, text, json })
}

/// Prove a lucena player by its name: see `prove`.
#[pyfunction]
#[pyo3(signature = (player, endgame, start))]
pub(crate) fn prove_named(
    py: Python<'_>,
    player: &str,
    endgame: Endgame,
    start: Option<&str>,
) -> PyResult<Proof> {
    let player: PlayerName = player.parse().map_err(invalid_input)?;
    let player = player.load().map_err(invalid_input)?;
    let table = endgame.table(py)?;
    let policy = player.policy(&table).map_err(invalid_input)?;
    prove(py, &*policy, &table, start)
}

/// Prove a tree: see `prove`.
#[pyfunction]
#[pyo3(signature = (tree, endgame, played_on, start))]
pub(crate) fn prove_tree(
    py: Python<'_>,
    tree: &Tree,
    endgame: Endgame,
    played_on: &str,
    start: Option<&str>,
) -> PyResult<Proof> {
    let played_on: OrientedBoard = played_on.parse().map_err(invalid_input)?;
    let table = endgame.table(py)?;
    let policy = TreePolicy::oriented_board(played_on, tree.tree().clone(), &table);
    prove(py, &policy.map_err(invalid_input)?, &table, start)
}

#[pymethods]
impl Proof {
    /// The endgame, such as "KRvK".
    #[getter]
    fn material(&self) -> &str {
        &self.certificate.material
    }

    /// The player's name.
    #[getter]
    fn player(&self) -> &str {
        &self.certificate.player
    }

    /// The number of legal positions.
    #[getter]
    fn positions(&self) -> u64 {
        self.worth.proof.positions
    }

    /// The number of positions that the strong side wins with best play.
    #[getter]
    fn winnable(&self) -> u64 {
        self.worth.proof.winnable
    }

    /// The number of positions from which the player mates against every defence.
    #[getter]
    fn won(&self) -> u64 {
        self.worth.proof.won
    }

    /// The number of positions that are drawn with best play.
    #[getter]
    fn drawable(&self) -> u64 {
        self.worth.proof.drawable
    }

    /// The number of drawn positions that the player loses against no defence.
    #[getter]
    fn held(&self) -> u64 {
        self.worth.proof.held
    }

    /// True if the player wins every position that can be won.
    #[getter]
    fn wins_all(&self) -> bool {
        self.worth.proof.won == self.worth.proof.winnable
    }

    /// Moves of the strong side in the longest game from a won position; None if no position is won.
    #[getter]
    fn longest_moves(&self) -> Option<u16> {
        self.worth.proof.longest_moves
    }

    /// Mean number of moves over the optimum, over the won positions; None if no position is won.
    #[getter]
    fn mean_excess_moves(&self) -> Option<f64> {
        self.worth.proof.mean_excess_moves
    }

    /// The share of positions in which the chosen move is optimal, from 0 to 1.
    #[getter]
    fn optimal_share(&self) -> f64 {
        self.worth.proof.optimal_share
    }

    /// True if every won position is mated before the fifty-move rule applies.
    #[getter]
    fn fifty_move_safe(&self) -> bool {
        self.worth.proof.fifty_move_safe
    }

    /// A line that shows why a position is not won or not held; None if there is none.
    #[getter]
    fn refutation(&self) -> Option<Line> {
        self.worth.refutation.as_ref().map(Line::from)
    }

    /// The longest game from a won position; None if no position is won.
    #[getter]
    fn longest_line(&self) -> Option<Line> {
        let line = self.certificate.longest_line.as_ref()?;
        let (fen, uci, san) = (line.fen.clone(), line.line.clone(), line.san.clone());
        Some(Line { fen, uci, san, reason: None })
    }

    /// The line from the position `start`; None if `start` was not given.
    #[getter]
    fn line(&self) -> Option<Line> {
        let PositionProof { fen, line, san, reason, .. } = self.from.as_ref()?;
        let (fen, uci, san) = (fen.clone(), line.clone(), san.clone());
        Some(Line { fen, uci, san, reason: reason.map(|reason| reason.to_string()) })
    }

    /// The certificate of the proof, as the JSON that "lucena prove --check" reads.
    fn certificate(&self) -> String {
        self.certificate.to_json()
    }

    /// The whole report, as in "lucena prove --format json".
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (&self.json,))
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        let (won, winnable) = (self.worth.proof.won, self.worth.proof.winnable);
        format!("Proof({:?}, {}: wins {won} of {winnable})", self.material(), self.player())
    }

    /// The first position of a refutation, if there is one.
    fn _repr_svg_(&self) -> Option<String> {
        self.refutation()?.svg(format!("{} does not win here", self.player()))
    }
}

impl From<&CertificateRefutation> for Line {
    fn from(line: &CertificateRefutation) -> Self {
        let CertificateRefutation { fen, line, san, reason } = line.clone();
        Self { fen, uci: line, san, reason: Some(reason.to_string()) }
    }
}

impl Line {
    fn svg(&self, title: String) -> Option<String> {
        let position = self.fen.parse().ok()?;
        Some(Diagram { position, title, arrow: None, highlights: Vec::new() }.to_svg())
    }
}

#[pymethods]
impl Line {
    fn __repr__(&self) -> String {
        let end = self.reason.as_deref().unwrap_or("mate");
        format!("Line({:?}: {} ({end}))", self.fen, self.san.join(" "))
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.svg(self.san.join(" "))
    }
}
