//! Measures.

use crate::endgame::Endgame;
use crate::error::{LucenaError, Result};
use crate::progress::run;
use crate::proof::{Proof, prove};
use lucena::chess::{Material, Position, Side};
use lucena::explain::Forced;
use lucena::policy::{Decision, MeasurePolicy, Policy};
use lucena::proof::measure::Score;
use lucena::tablebase::Metric;
use lucena_files::{load_text, write_file};
use lucena_model::{Contribution, Goal, Measure as Terms};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::path::PathBuf;
use std::sync::Arc;

/// A number that the strong side makes as small as it can, looking a few moves ahead.
///
/// `lucena measure` finds measures and writes their files.
#[pyclass(frozen, module = "lucena")]
pub(crate) struct Measure(Arc<MeasurePolicy>);

/// What a move of the strong side forces by a measure, whatever the other side does.
#[pyclass(frozen, get_all, module = "lucena")]
#[derive(Clone)]
pub(crate) struct ForcedMove {
    /// The move, in UCI notation.
    uci: String,
    /// The move, in standard algebraic notation.
    san: String,
    /// True if the move mates or forces mate within the moves that the measure looks ahead.
    mate: bool,
    /// The value that is forced; None for mate, and if the other side can leave no safe move.
    value: Option<i32>,
    /// The number of further moves of the strong side until then; None if the other side can leave no safe move.
    moves: Option<u16>,
    /// The same in words: "forces 12 in 3 moves against the best defence".
    text: String,
}

impl ForcedMove {
    fn new(material: Material, uci: String, san: String, score: Score) -> Self {
        let (mate, value, moves) = (score.is_mate(), score.value(), score.moves());
        let text = format!("forces {}", Forced::by_move(score).in_words(material));
        Self { uci, san, mate, value, moves, text }
    }
}

/// The contribution of a term: a weight, or a number for each value.
#[derive(IntoPyObject)]
enum Numbers {
    Weight(i32),
    Table(Vec<i32>),
}

/// Prove a measure: see `prove`.
#[pyfunction]
#[pyo3(signature = (measure, endgame, start))]
pub(crate) fn prove_measure(
    py: Python<'_>,
    measure: &Measure,
    endgame: Endgame,
    start: Option<&str>,
) -> Result<Proof> {
    let table = endgame.table(py, Metric::Dtm)?;
    prove(py, &*measure.0, &table, start)
}

impl Measure {
    fn new(measure: Terms) -> Result<Self> {
        Ok(Self(Arc::new(MeasurePolicy::new(measure)?)))
    }

    fn terms_of(&self) -> &Terms {
        self.0.measure()
    }

    /// A position of its endgame with the given side to move.
    fn position(&self, fen: &str, turn: Side) -> Result<Position> {
        let position: Position = fen.parse()?;
        let material = Policy::material(&*self.0);
        if position.material() != material {
            return Err(LucenaError::new_err(format!(
                "the position is one of {}, not {material}: take one of {material}, or another measure",
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
}

#[pymethods]
impl Measure {
    /// Read a measure from JSON, as `json` writes it.
    #[classmethod]
    fn from_json(_: &Bound<'_, PyType>, json: &str) -> Result<Self> {
        Self::new(Terms::from_json(json.as_bytes())?)
    }

    /// Read a measure from a JSON file.
    #[classmethod]
    fn load(_: &Bound<'_, PyType>, path: PathBuf) -> Result<Self> {
        Self::new(load_text(&path, Terms::from_json)?)
    }

    /// Write the measure to a JSON file, completely or not at all.
    fn save(&self, path: PathBuf) -> Result<()> {
        write_file(&path, self.json().as_bytes())?;
        Ok(())
    }

    /// The measure as JSON. Equal measures give equal text.
    fn json(&self) -> String {
        self.terms_of().to_json()
    }

    /// The endgame, such as "KRvK".
    #[getter]
    fn material(&self) -> &str {
        &self.terms_of().origin().material
    }

    /// The terms, in order: the name of a quantity, and its weight or a list with a number for each of its values.
    #[getter]
    fn terms(&self) -> Vec<(String, Numbers)> {
        let terms = self.terms_of().terms().iter().map(|term| {
            let numbers = match &term.contribution {
                Contribution::Weight(weight) => Numbers::Weight(*weight),
                Contribution::Table(numbers) => Numbers::Table(numbers.clone()),
            };
            (term.quantity.name.clone(), numbers)
        });
        terms.collect()
    }

    /// The terms as sentences.
    #[getter]
    fn sentences(&self) -> Vec<String> {
        lucena::explain::measure_sentences(&self.0)
    }

    /// The number of moves of the strong side that it looks ahead, after the next one.
    #[getter]
    fn look(&self) -> u8 {
        self.terms_of().horizon().look
    }

    /// Where it may stop looking: "any-move", or "later-move" for positions after the next move only.
    #[getter]
    fn goal(&self) -> &'static str {
        match self.terms_of().horizon().goal {
            Goal::AnyMove => "any-move",
            Goal::LaterMove => "later-move",
        }
    }

    /// The number of replies within which the weak side must not be able to force the gain of a man where it stops.
    #[getter]
    fn secure(&self) -> u8 {
        self.terms_of().horizon().secure
    }

    /// The SHA-256 of its JSON, in hexadecimal.
    #[getter]
    fn sha256(&self) -> String {
        self.terms_of().sha256()
    }

    /// The value of a position with the weak side to move.
    fn value(&self, fen: &str) -> Result<i32> {
        Ok(self.0.value(&self.position(fen, Side::Weak)?))
    }

    /// What each safe move forces in a position with the strong side to move, in the order of moves. The list is
    /// empty where the measure is not asked: a move wins at once in another endgame, or no move is safe.
    fn forced(&self, py: Python<'_>, fen: &str) -> Result<Vec<ForcedMove>> {
        let position = self.position(fen, Side::Strong)?;
        let moves = run(py, |_| match self.0.decide(&position) {
            Decision::Compared(looked) => {
                let moves = looked.moves.into_iter();
                moves.map(|(mv, after)| (mv, self.0.forced_after(&after))).collect()
            }
            Decision::AtOnce(_) | Decision::Holding(_) | Decision::Unsafe(_) => Vec::new(),
        })?;
        let told = moves.into_iter().map(|(mv, score)| {
            Ok(ForcedMove::new(position.material(), mv.to_string(), position.san(mv)?, score))
        });
        told.collect()
    }

    /// The moves that the measure leaves tied in a position with the strong side to move, in UCI notation. Any of
    /// them may be played.
    fn best_moves(&self, py: Python<'_>, fen: &str) -> Result<Vec<String>> {
        let position = self.position(fen, Side::Strong)?;
        let tied = run(py, |_| self.0.choices(&position))?;
        Ok(tied.iter().map(ToString::to_string).collect())
    }

    fn __str__(&self) -> String {
        self.sentences().join("\n")
    }

    /// Pickles the measure as JSON.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.get().json(),)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.terms_of() == other.terms_of()
    }

    fn __hash__(&self) -> u64 {
        u64::from_str_radix(&self.sha256()[..16], 16).unwrap_or_default()
    }

    fn __repr__(&self) -> String {
        let terms: Vec<&str> =
            self.terms_of().terms().iter().map(|term| term.quantity.name.as_str()).collect();
        format!("Measure({:?}, look {}: {})", self.material(), self.look(), terms.join(", "))
    }
}

#[pymethods]
impl ForcedMove {
    fn __repr__(&self) -> String {
        format!("ForcedMove({} {})", self.san, self.text)
    }
}
