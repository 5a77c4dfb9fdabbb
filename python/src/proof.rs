//! Proofs of players.

use crate::endgame::Endgame;
use crate::error::Result;
use crate::progress::run;
use lucena::certificate::{Certificate, CertificateLine, CertificateRefutation};
use lucena::chess::Position;
use lucena::diagram::Diagram;
use lucena::policy::Policy;
use lucena::report::{self, PositionProof, ProveOptions, ReportError};
use lucena::roster::PlayerName;
use lucena::tablebase::{Metric, TableFolder, Tablebase as Table};
use pyo3::prelude::*;
use pyo3::types::PyAny;

/// The strength of a player, proved from every position of the full board with the strong side to move,
/// against every defence.
#[pyclass(frozen, module = "lucena")]
pub(crate) struct Proof {
    certificate: Certificate,
    text: String,
    json: String,
    /// The endgame, such as "KRvK".
    #[pyo3(get)]
    material: String,
    /// The player's name.
    #[pyo3(get)]
    player: String,
    /// The number of legal positions.
    #[pyo3(get)]
    positions: u64,
    /// The number of positions that the strong side wins with best play.
    #[pyo3(get)]
    winnable: u64,
    /// The number of positions from which the player mates against every defence.
    #[pyo3(get)]
    won: u64,
    /// The number of positions that are drawn with best play.
    #[pyo3(get)]
    drawable: u64,
    /// The number of drawn positions that the player loses against no defence.
    #[pyo3(get)]
    held: u64,
    /// True if the player wins every position that can be won.
    #[pyo3(get)]
    wins_all: bool,
    /// Moves of the strong side in the longest game from a won position; None if no position is won.
    #[pyo3(get)]
    longest_moves: Option<u16>,
    /// Mean number of moves over the optimum, over the won positions; None if no position is won.
    #[pyo3(get)]
    mean_excess_moves: Option<f64>,
    /// The share of positions in which the chosen move is optimal, from 0 to 1.
    #[pyo3(get)]
    optimal_share: f64,
    /// True if every won position is mated before the fifty-move rule applies.
    #[pyo3(get)]
    fifty_move_safe: bool,
    /// The won positions in which the player wins within the fifty-move rule, from a clock of zero.
    #[pyo3(get)]
    won_within_rule: Option<u64>,
    /// A line that shows why a position is not won or not held; None if there is none.
    #[pyo3(get)]
    refutation: Option<Line>,
    /// The longest game from a won position; None if no position is won.
    #[pyo3(get)]
    longest_line: Option<Line>,
    /// The line from the position `start`; None if `start` was not given.
    #[pyo3(get)]
    line: Option<Line>,
}

/// A line of moves of both sides, and how it ends.
#[pyclass(frozen, get_all, module = "lucena")]
#[derive(Clone)]
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
) -> Result<Proof> {
    let from: Option<Position> = start.map(str::parse).transpose()?;
    let zeroing = TableFolder::in_memory().of_metric(Metric::Dtz);
    let (proved, text, json) = run(py, |observer| {
        let zeroing = || zeroing.tablebase(policy.material(), observer);
        let besides = ProveOptions {
            zeroing: Some(&zeroing),
            from: from.as_ref(),
            ..ProveOptions::default()
        };
        let proved = report::prove(policy, table, besides, observer)?;
        let mut text = Vec::new();
        proved.write_text(&mut text).expect("memory can be written to");
        let json = serde_json::to_string(&proved).expect("a report has only names as keys");
        Ok::<_, ReportError>((proved, text, json))
    })??;
    let (certificate, proof) = (proved.proved, proved.worth.proof);
    Ok(Proof {
        text: String::from_utf8_lossy(&text).into_owned(),
        json,
        material: certificate.material.clone(),
        player: certificate.player.clone(),
        positions: proof.positions,
        winnable: proof.winnable,
        won: proof.won,
        drawable: proof.drawable,
        held: proof.held,
        wins_all: proof.wins_all(),
        longest_moves: proof.longest_moves,
        mean_excess_moves: proof.mean_excess_moves,
        optimal_share: proof.optimal_share,
        fifty_move_safe: proof.fifty_move_safe,
        won_within_rule: proved.worth.won_within_rule,
        refutation: proved.worth.refutation.map(
            |CertificateRefutation { fen, line, san, reason, .. }| Line {
                fen,
                uci: line,
                san,
                reason: Some(reason.to_string()),
            },
        ),
        longest_line: certificate
            .longest_line
            .clone()
            .map(|CertificateLine { fen, line, san }| Line { fen, uci: line, san, reason: None }),
        line: proved.from.map(|PositionProof { fen, line, san, reason, .. }| Line {
            fen,
            uci: line,
            san,
            reason: reason.map(|reason| reason.to_string()),
        }),
        certificate,
    })
}

/// Prove a lucena player by its name: see `prove`.
#[pyfunction]
#[pyo3(signature = (player, endgame, start))]
pub(crate) fn prove_named(
    py: Python<'_>,
    player: &str,
    endgame: Endgame,
    start: Option<&str>,
) -> Result<Proof> {
    let player: PlayerName = player.parse()?;
    let player = player.load()?;
    let table = endgame.table(py, Metric::Dtm)?;
    let policy = player.policy(&table)?;
    prove(py, &*policy, &table, start)
}

#[pymethods]
impl Proof {
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
        let Self { material, player, won, winnable, .. } = self;
        format!("Proof({material:?}, {player}: wins {won} of {winnable})")
    }

    /// The first position of a refutation, if there is one.
    fn _repr_svg_(&self) -> Option<String> {
        self.refutation.as_ref()?.svg(format!("{} does not win here", self.player))
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
