//! Models: what all kinds have in common. The methods of a kind alone are in its own file.

use crate::argument::named;
use crate::endgame::Endgame;
use crate::error::{LucenaError, Result};
use crate::progress::run;
use crate::proof::{Proof, prove};
use lucena::DecisionTree;
use lucena::chess::{Position, Side};
use lucena::codegen::{Language, emit};
use lucena::policy::{EndgameModel, Policy, TreePolicy};
use lucena::tablebase::Metric;
use lucena_files::{load_text, write_file};
use lucena_model::{Model as AnyModel, ModelKind, Origin, ReadModelError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Knowledge of an endgame that a player can go by: a Tree, a Strategy or a Measure.
///
/// >>> import lucena
/// >>> lucena.Model.from_json(lucena.learn("KRvK").json()).kind
/// 'tree'
#[pyclass(frozen, subclass, module = "lucena")]
pub(crate) struct Model(pub(crate) EndgameModel);

/// A decision tree over attributes of positions with the weak side to move.
///
/// >>> import lucena
/// >>> tree = lucena.learn("KRvK")
/// >>> bool((tree.predict(lucena.dataset("KRvK").X) == lucena.dataset("KRvK").y).all())
/// True
#[pyclass(frozen, extends = Model, module = "lucena")]
pub(crate) struct Tree;

/// Ordered rules about the moves of the strong side.
///
/// `lucena find strategy` finds strategies and writes their files.
#[pyclass(frozen, extends = Model, module = "lucena")]
pub(crate) struct Strategy;

/// A number that the strong side makes as small as it can, looking a few moves ahead.
///
/// `lucena find measure` finds measures and writes their files.
#[pyclass(frozen, extends = Model, module = "lucena")]
pub(crate) struct Measure;

/// Prove a model: see `prove`.
#[pyfunction]
#[pyo3(signature = (model, endgame, played_on, start))]
pub(crate) fn prove_model(
    py: Python<'_>,
    model: &Bound<'_, Model>,
    endgame: Endgame,
    played_on: Option<&str>,
    start: Option<&str>,
) -> Result<Proof> {
    let table = endgame.table(py, Metric::Dtm)?;
    let policy: Box<dyn Policy + '_> = match (&model.get().0, played_on) {
        (EndgameModel::Tree(tree), Some(played_on)) => {
            let tree = DecisionTree::clone(tree);
            Box::new(TreePolicy::oriented_board(named(played_on, "played_on")?, tree, &table)?)
        }
        (model, _) => model.policy(&table)?,
    };
    prove(py, &*policy, &table, start)
}

impl Model {
    /// Makes an object of the class of a model's kind.
    pub(crate) fn object(py: Python<'_>, model: EndgameModel) -> PyResult<Py<PyAny>> {
        let (kind, base) = (model.kind(), PyClassInitializer::from(Self(model)));
        Ok(match kind {
            ModelKind::Tree => Py::new(py, base.add_subclass(Tree))?.into_any(),
            ModelKind::Strategy => Py::new(py, base.add_subclass(Strategy))?.into_any(),
            ModelKind::Measure => Py::new(py, base.add_subclass(Measure))?.into_any(),
        })
    }

    /// The kind that a class holds; `None` for Model itself, which holds all.
    fn kind_of(class: &Bound<'_, PyType>) -> PyResult<Option<ModelKind>> {
        let py = class.py();
        let classes = [
            (ModelKind::Tree, py.get_type::<Tree>()),
            (ModelKind::Strategy, py.get_type::<Strategy>()),
            (ModelKind::Measure, py.get_type::<Measure>()),
        ];
        for (kind, of_kind) in classes {
            if class.is_subclass(&of_kind)? {
                return Ok(Some(kind));
            }
        }
        Ok(None)
    }

    fn read(kind: Option<ModelKind>, json: &[u8]) -> std::result::Result<AnyModel, ReadModelError> {
        match kind {
            Some(kind) => AnyModel::from_json_as(kind, json),
            None => AnyModel::from_json(json),
        }
    }

    fn origin(&self) -> &Origin {
        self.0.as_ref().origin()
    }

    /// Parses a position of its endgame with the given side to move.
    pub(crate) fn position(&self, fen: &str, turn: Side) -> Result<Position> {
        let (position, material): (Position, _) = (fen.parse()?, self.0.endgame()?);
        let kind = self.0.kind();
        if position.material() != material {
            return Err(LucenaError::new_err(format!(
                "the position is one of {}, not {material}: take one of {material}, or another {kind}",
                position.material()
            ))
            .into());
        }
        if position.turn() != turn {
            let words = match turn {
                Side::Strong => {
                    "the weak side is to move: give a position with the strong side to move"
                }
                Side::Weak => {
                    "the strong side is to move, but a measure values positions after its move: give one with the weak side to move"
                }
            };
            return Err(LucenaError::new_err(words).into());
        }
        Ok(position)
    }

    /// The moves that a policy leaves tied, in UCI notation.
    fn choices(py: Python<'_>, policy: &dyn Policy, position: &Position) -> PyResult<Vec<String>> {
        let tied = run(py, |_| policy.choices(position))?;
        Ok(tied.iter().map(ToString::to_string).collect())
    }
}

#[pymethods]
impl Model {
    /// Read a model from JSON, as `json` writes it. A Tree, Strategy or Measure reads its own kind only.
    #[classmethod]
    fn from_json(class: &Bound<'_, PyType>, json: &str) -> Result<Py<PyAny>> {
        let model = Self::read(Self::kind_of(class)?, json.as_bytes())?;
        Ok(Self::object(class.py(), EndgameModel::new(model)?)?)
    }

    /// Read a model from a JSON file. A Tree, Strategy or Measure reads its own kind only.
    #[classmethod]
    fn load(class: &Bound<'_, PyType>, path: PathBuf) -> Result<Py<PyAny>> {
        let kind = Self::kind_of(class)?;
        let model = load_text(&path, |json: &[u8]| Self::read(kind, json))?;
        Ok(Self::object(class.py(), EndgameModel::new(model)?)?)
    }

    /// Write the model to a JSON file, completely or not at all.
    fn save(&self, path: PathBuf) -> Result<()> {
        write_file(&path, self.json().as_bytes())?;
        Ok(())
    }

    /// The model as JSON. Equal models give equal text.
    fn json(&self) -> String {
        self.0.as_ref().to_json()
    }

    /// The kind: "tree", "strategy" or "measure".
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind().name()
    }

    /// The endgame, such as "KRvK".
    #[getter]
    pub(crate) fn material(&self) -> &str {
        &self.origin().material
    }

    /// The name of the learner or miner.
    #[getter]
    pub(crate) fn maker(&self) -> &str {
        &self.origin().maker
    }

    /// The parameters of the learner or miner, by name.
    #[getter]
    fn parameters(&self) -> BTreeMap<String, String> {
        self.origin().parameters.clone()
    }

    /// The SHA-256 of its JSON, in hexadecimal.
    #[getter]
    fn sha256(&self) -> String {
        self.0.as_ref().sha256()
    }

    /// The source code of the model in "c", "javascript", "python" or "rust", without dependencies.
    fn source(&self, language: &str) -> Result<String> {
        let mut languages = Language::ALL.into_iter();
        let language = languages.find(|known| known.name() == language).ok_or_else(|| {
            LucenaError::new_err(format!(
                "there is no source in {language}: take c, javascript, python or rust"
            ))
        })?;
        Ok(emit(self.0.as_ref(), language)?)
    }

    /// The moves that the model leaves tied in a position with the strong side to move, in UCI notation. Any of them
    /// may be played. A tree looks captures and promotions up in a `tablebase`, which is solved unless it is given.
    #[pyo3(signature = (fen, tablebase=None))]
    fn best_moves(
        &self,
        py: Python<'_>,
        fen: &str,
        tablebase: Option<Endgame>,
    ) -> Result<Vec<String>> {
        let position = self.position(fen, Side::Strong)?;
        let policy = self.0.policy_without_table();
        if let (Some(policy), None) = (policy, &tablebase) {
            return Ok(Self::choices(py, &*policy, &position)?);
        }
        let endgame = tablebase.unwrap_or_else(|| self.material().into());
        let table = endgame.table(py, Metric::Dtm)?;
        Ok(Self::choices(py, &*self.0.policy(&table)?, &position)?)
    }

    /// Pickles the model as JSON.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.get().json(),)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.as_ref() == other.0.as_ref()
    }

    fn __hash__(&self) -> u64 {
        u64::from_str_radix(&self.sha256()[..16], 16).unwrap_or_default()
    }
}
