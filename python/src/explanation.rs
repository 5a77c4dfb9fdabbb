//! Explanations of moves.

use crate::endgame::Endgame;
use crate::error::{LucenaError, Result};
use crate::progress::run;
use crate::syzygy::Syzygy;
use crate::tablebase::Tablebase;
use crate::tree::Tree;
use lucena::chess::{Game, Move, Position};
use lucena::diagram::Diagram;
use lucena::explain::{AttributeNames, ValuedMove, explain_measure, explain_strategy};
use lucena::policy::{EndgameModel, TreePolicy};
use lucena::progress::Stopped;
use lucena::report::zeroing_distance;
use lucena::roster::PlayerName;
use lucena::tablebase::{Dtz, Metric, MoveVerdicts, Tablebase as Table};
use pyo3::prelude::*;
use serde::Serialize;
use std::io::{self, Write};
use std::sync::Arc;

/// The explanation of a player's move: sentences, and a board with the squares that they mention.
#[pyclass(frozen, module = "lucena")]
pub(crate) struct Explanation {
    /// The move in UCI notation.
    #[pyo3(get)]
    uci: String,
    /// The move in standard algebraic notation.
    #[pyo3(get)]
    san: String,
    /// The explanation in sentences, below a board.
    #[pyo3(get)]
    text: String,
    json: String,
    /// The board after the move with the squares that the sentences mention, as SVG.
    #[pyo3(get)]
    svg: String,
}

/// An argument that selects the player.
#[derive(FromPyObject)]
pub(crate) enum PlayerArg {
    #[pyo3(transparent, annotation = "Tree")]
    Tree(Py<Tree>),
    #[pyo3(transparent, annotation = "str")]
    Named(String),
}

/// An argument that has distances to zeroing.
#[derive(FromPyObject)]
pub(crate) enum ZeroingArg {
    #[pyo3(transparent, annotation = "Tablebase")]
    Solved(Py<Tablebase>),
    #[pyo3(transparent, annotation = "Syzygy")]
    Syzygy(Py<Syzygy>),
}

impl ZeroingArg {
    fn check(&self) -> Result<()> {
        match self {
            Self::Solved(tablebase) if tablebase.get().table().metric() != Metric::Dtz => {
                let words = "the table has distances to mate: give one solved with metric=\"dtz\" as zeroing";
                Err(LucenaError::new_err(words).into())
            }
            _ => Ok(()),
        }
    }

    fn distance(&self, position: &Position) -> Result<Option<Dtz>> {
        Ok(match self {
            Self::Solved(tablebase) => Some(tablebase.get().table().probe(position)?.into()),
            Self::Syzygy(syzygy) => {
                let tables = Some(&syzygy.get().tables);
                zeroing_distance::<Stopped>(&position.board(), false, tables, || Ok(None))?
            }
        })
    }
}

/// Explain the move that a player makes in a position with the strong side to move.
///
/// `player` is a Tree, or the name of a lucena player that uses a tree or a strategy: "theory", "exact",
/// "strategy", "tree:FILE", "strategy:FILE". `instead` names other moves, to be compared with the played
/// move. `tablebase` avoids solving the endgame again. `zeroing`, a Tablebase of distances to zeroing or a Syzygy, decides
/// whether a win comes in time under the fifty-move rule where the distance to mate leaves this open.
///
/// >>> import lucena
/// >>> lucena.explain("8/8/8/3k4/8/8/8/K6R w - - 0 1").san
/// 'Kb2'
#[pyfunction]
#[pyo3(signature = (fen, player=None, *, instead=Vec::new(), tablebase=None, zeroing=None))]
pub(crate) fn explain(
    py: Python<'_>,
    fen: &str,
    player: Option<PlayerArg>,
    instead: Vec<String>,
    tablebase: Option<Endgame>,
    zeroing: Option<ZeroingArg>,
) -> Result<Explanation> {
    let game: Game = fen.parse()?;
    let (position, clock) = (game.position()?, game.halfmove_clock());
    let moves = instead.iter().map(|text| position.parse_move(text));
    let moves: Vec<Move> = moves.collect::<std::result::Result<_, _>>()?;
    let material = position.material();
    let endgame = tablebase.unwrap_or_else(|| Endgame::Named(material.to_string()));
    zeroing.as_ref().map_or(Ok(()), ZeroingArg::check)?;
    let judge = |table: &Table| {
        let distance = |after: &Position| match &zeroing {
            Some(zeroing) => zeroing.distance(after),
            None => Ok(None),
        };
        MoveVerdicts::new(&position, clock, table.probe_moves(&position)?, distance)
    };
    match player.unwrap_or_else(|| PlayerArg::Named("theory".into())) {
        PlayerArg::Tree(tree) => {
            let table = endgame.table(py, Metric::Dtm)?;
            let verdicts = judge(&table)?;
            let model = EndgameModel::Tree(Arc::new(tree.get().tree().clone()));
            by_model(py, model, "a tree", &table, &verdicts, &moves)
        }
        PlayerArg::Named(name) => {
            let player: PlayerName = name.parse()?;
            let loaded = player.load()?;
            let table = endgame.table(py, Metric::Dtm)?;
            let verdicts = judge(&table)?;
            let model = loaded.model(material)?.ok_or_else(|| {
                LucenaError::new_err(format!(
                    "{player} has no tree, strategy or measure for {material} to explain: learn a tree and pass it instead"
                ))
            })?;
            by_model(py, model, &name, &table, &verdicts, &moves)
        }
    }
}

/// The explanation by a model.
fn by_model(
    py: Python<'_>,
    model: EndgameModel,
    name: &str,
    table: &Table,
    verdicts: &MoveVerdicts,
    moves: &[Move],
) -> Result<Explanation> {
    let names = AttributeNames::Hidden;
    match model {
        EndgameModel::Tree(tree) => {
            let policy = TreePolicy::new(Arc::unwrap_or_clone(tree), table)?;
            let told = run(py, |_| lucena::explain::explain(&policy, name, verdicts, moves))??;
            let (worth, diagram) = (&told.chosen.worth, told.diagram());
            Explanation::new(&told, worth, &diagram, |out| told.write_text(names, out))
        }
        EndgameModel::Strategy(policy) => {
            let told = run(py, |_| explain_strategy(&policy, name, table, verdicts, moves))??;
            let (worth, diagram) = (&told.chosen.worth, told.diagram());
            Explanation::new(&told, worth, &diagram, |out| told.write_text(names, out))
        }
        EndgameModel::Measure(policy) => {
            let told = run(py, |_| explain_measure(&policy, name, table, verdicts, moves))??;
            let (worth, diagram) = (&told.chosen.worth, told.diagram());
            Explanation::new(&told, worth, &diagram, |out| told.write_text(names, out))
        }
    }
}

impl Explanation {
    fn new(
        explained: &impl Serialize,
        worth: &ValuedMove,
        diagram: &Diagram,
        write_text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Self> {
        let mut text = Vec::new();
        write_text(&mut text)?;
        Ok(Self {
            uci: worth.mv.to_string(),
            san: worth.san.clone(),
            text: String::from_utf8_lossy(&text).into_owned(),
            json: serde_json::to_string(explained)?,
            svg: diagram.to_svg(),
        })
    }
}

#[pymethods]
impl Explanation {
    /// The whole report, as in "lucena explain --format json".
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (&self.json,))
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Explanation({})", self.san)
    }

    fn _repr_svg_(&self) -> &str {
        &self.svg
    }
}
