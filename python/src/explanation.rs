//! Explanations of moves.

use crate::argument::one_of_types;
use crate::endgame::Endgame;
use crate::error::{Exception, LucenaError, Result};
use crate::model::Model;
use crate::progress::run;
use crate::syzygy::Syzygy;
use crate::tablebase::Tablebase;
use lucena::chess::{Game, Move, Position};
use lucena::diagram::Diagram;
use lucena::explain::{
    AttributeNames, ExplainError, Explanation as Explained, Reasons, explain_table,
};
use lucena::player::SearchPlayer;
use lucena::policy::{Policy, TablebasePlayer};
use lucena::report;
use lucena::roster::{PlayerName, SearchName, default_explainer};
use lucena::tablebase::{
    Dtz, Metric, MoveVerdicts, TableFolder, Tablebase as Table, known_distance,
};
use pyo3::prelude::*;
use serde::Serialize;
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
    /// The reason in one sentence.
    #[pyo3(get)]
    reason: String,
    /// The explanation in sentences, below a board.
    #[pyo3(get)]
    text: String,
    json: String,
    /// The board after the move with the squares that the sentences mention, as SVG; None for a search or a trained
    /// player.
    #[pyo3(get)]
    svg: Option<String>,
}

/// An argument that selects the player.
pub(crate) enum PlayerArg {
    Model(Py<Model>),
    Named(String),
}

one_of_types!(PlayerArg: Model, Named = "a player: give a Model, or the name of a player");

/// An argument that has distances to zeroing.
pub(crate) enum ZeroingArg {
    Solved(Py<Tablebase>),
    Syzygy(Py<Syzygy>),
}

one_of_types!(ZeroingArg: Solved, Syzygy = "a source of distances to zeroing: give a Tablebase or a Syzygy");

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
            Self::Syzygy(syzygy) => known_distance(&syzygy.get().tables, &position.board())?,
        })
    }
}

/// Explain the best move of either side, or the move that a player makes.
///
/// `player` is a Model, or the name of a lucena player: "theory", "exact", "strategy", "measure", "tablebase", "tree:FILE",
/// "strategy:FILE", "measure:FILE", a search such as "search:depth=6", or a trained player; by default the first of
/// strategy, measure, theory and exact that plays a best move, or else tablebase, and a search in whole games. The table
/// explains the moves of the weak side. `instead` names other moves, to be compared with the move in an endgame. `tablebase`
/// avoids solving the endgame again. `zeroing`, a Tablebase of distances to zeroing or a Syzygy, decides
/// whether a win comes in time under the fifty-move rule where the distance to mate leaves this open.
///
/// >>> import lucena
/// >>> lucena.explain("8/8/8/3k4/8/8/8/K6R w - - 0 1").san
/// 'Kb2'
#[pyfunction]
#[pyo3(
    signature = (fen, player=None, *, instead=Vec::new(), tablebase=None, zeroing=None),
    text_signature = "(fen, player=None, *, instead=(), tablebase=None, zeroing=None)"
)]
pub(crate) fn explain(
    py: Python<'_>,
    fen: &str,
    player: Option<PlayerArg>,
    instead: Vec<String>,
    tablebase: Option<Endgame>,
    zeroing: Option<ZeroingArg>,
) -> Result<Explanation> {
    let game: Game = fen.parse()?;
    let search = match &player {
        Some(PlayerArg::Named(name)) => Some(name.parse()?),
        None if game.position().is_err() => Some(PlayerName::Search(SearchName::usual())),
        _ => None,
    };
    if let Some(search) = search
        && let Some(told) = without_model(py, &search, &game, instead.is_empty())?
    {
        return Ok(told);
    }
    let (position, clock) = (game.position()?, game.halfmove_clock());
    let moves = instead.iter().map(|text| position.parse_move(text));
    let moves: Vec<Move> = moves.collect::<std::result::Result<_, _>>()?;
    let endgame = tablebase.unwrap_or_else(|| Endgame::Named(position.material().to_string()));
    zeroing.as_ref().map_or(Ok(()), ZeroingArg::check)?;
    let table = endgame.table(py, Metric::Dtm)?;
    let distance = |after: &Position| match &zeroing {
        Some(zeroing) => zeroing.distance(after),
        None => Ok(None),
    };
    let verdicts = MoveVerdicts::new(&position, clock, table.probe_moves(&position)?, distance)?;
    let player = player.or_else(|| match default_explainer(&table, &verdicts) {
        PlayerName::Tablebase => None,
        player => Some(PlayerArg::Named(player.to_string())),
    });
    let told = match player {
        Some(player) => {
            let (name, policy) = policy_of(&player, &table)?;
            run(py, |_| lucena::explain::explain(&*policy, &name, &table, &verdicts, &moves))??
        }
        None => Explained::Table(Box::new(explain_table(&table, &verdicts, None, &moves)?)),
    };
    Explanation::new(&told, &told.reasons(&table)?)
}

/// The policy of a player that goes by a model or by the table, with its name.
fn policy_of<'t>(player: &PlayerArg, table: &'t Table) -> Result<(String, Box<dyn Policy + 't>)> {
    match player {
        PlayerArg::Model(model) => {
            let model = &model.get().0;
            Ok((format!("a {}", model.kind()), model.policy(table)?))
        }
        PlayerArg::Named(name) => {
            let player = name.parse::<PlayerName>()?;
            if player == PlayerName::Tablebase {
                return Ok((name.clone(), Box::new(TablebasePlayer(table))));
            }
            let model = player.load()?.model(table.material())?;
            let model = model.ok_or_else(|| ExplainError::NoModel(name.clone()))?;
            Ok((name.clone(), model.policy(table)?))
        }
    }
}

/// The explanation of a search or of a trained player; `None` for other players.
fn without_model(
    py: Python<'_>,
    player: &PlayerName,
    game: &Game,
    is_alone: bool,
) -> Result<Option<Explanation>> {
    let is_other = !matches!(
        player,
        PlayerName::Search(_) | PlayerName::Trained { .. } | PlayerName::Published(_)
    );
    if is_other {
        return Ok(None);
    }
    if !is_alone {
        let words = format!(
            "instead looks into a tree, a strategy or a measure, and {player} has none: leave it out"
        );
        return Err(LucenaError::new_err(words).into());
    }
    let no_move = || LucenaError::new_err("there is no move to explain: the game is over");
    if let PlayerName::Search(search) = player {
        let evaluation = search.evaluation.load()?;
        let told = run(py, |_| {
            let mut player = SearchPlayer::new(search.params, Arc::clone(&evaluation));
            report::explain_search(&mut player, &*evaluation, game)
        })?;
        return Explanation::new(&told, &told.reasons(game).ok_or_else(no_move)?).map(Some);
    }
    let predictions = player.load()?.predictions(game, |material| {
        let folder = TableFolder::in_memory();
        Ok::<_, Exception>(run(py, |observer| folder.tablebase(material, observer))??)
    })?;
    let told = report::explain_trained(player.to_string(), &predictions.unwrap_or_default(), game);
    Explanation::new(&told, &told.reasons(game).ok_or_else(no_move)?).map(Some)
}

impl Explanation {
    fn new(explained: &impl Serialize, reasons: &Reasons) -> Result<Self> {
        let mut text = Vec::new();
        reasons.write_text(AttributeNames::Hidden, &mut text)?;
        Ok(Self {
            uci: reasons.played.uci.clone(),
            san: reasons.played.san.clone(),
            reason: reasons.reason.clone(),
            text: String::from_utf8_lossy(&text).into_owned(),
            json: serde_json::to_string(explained)?,
            svg: reasons.diagram.as_ref().map(Diagram::to_svg),
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

    fn _repr_svg_(&self) -> Option<&str> {
        self.svg.as_deref()
    }
}
