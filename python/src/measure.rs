//! Measures.

use crate::error::Result;
use crate::model::Measure;
use crate::progress::run;
use lucena::chess::{Material, Side};
use lucena::explain::Forced;
use lucena::policy::{Decision, EndgameModel, MeasurePolicy};
use lucena::proof::measure::Score;
use lucena_model::{Contribution, Goal};
use pyo3::prelude::*;

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

impl Measure {
    fn policy<'a>(slf: &'a Bound<'_, Self>) -> &'a MeasurePolicy {
        match &slf.as_super().get().0 {
            EndgameModel::Measure(policy) => policy,
            _ => unreachable!("objects are made by kind"),
        }
    }
}

#[pymethods]
impl Measure {
    /// The terms, in order: the name of a quantity, and its weight or a list with a number for each of its values.
    #[getter]
    fn terms(slf: &Bound<'_, Self>) -> Vec<(String, Numbers)> {
        let terms = Self::policy(slf).measure().terms().iter().map(|term| {
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
    fn sentences(slf: &Bound<'_, Self>) -> Vec<String> {
        lucena::explain::measure_sentences(Self::policy(slf))
    }

    /// The number of moves of the strong side that it looks ahead, after the next one.
    #[getter]
    fn look(slf: &Bound<'_, Self>) -> u8 {
        Self::policy(slf).measure().horizon().look
    }

    /// Where it may stop looking: "any-move", or "later-move" for positions after the next move only.
    #[getter]
    fn goal(slf: &Bound<'_, Self>) -> &'static str {
        match Self::policy(slf).measure().horizon().goal {
            Goal::AnyMove => "any-move",
            Goal::LaterMove => "later-move",
        }
    }

    /// The number of replies within which the weak side must not be able to force the gain of a man where it stops.
    #[getter]
    fn secure(slf: &Bound<'_, Self>) -> u8 {
        Self::policy(slf).measure().horizon().secure
    }

    /// The value of a position with the weak side to move.
    fn value(slf: &Bound<'_, Self>, fen: &str) -> Result<i32> {
        let position = slf.as_super().get().position(fen, Side::Weak)?;
        Ok(Self::policy(slf).value(&position))
    }

    /// What each safe move forces in a position with the strong side to move, in the order of moves. The list is
    /// empty where the measure is not asked: a move wins at once in another endgame, or no move is safe.
    fn forced(slf: &Bound<'_, Self>, fen: &str) -> Result<Vec<ForcedMove>> {
        let position = slf.as_super().get().position(fen, Side::Strong)?;
        let policy = Self::policy(slf);
        let moves = run(slf.py(), |_| match policy.decide(&position) {
            Decision::Compared(looked) => {
                let moves = looked.moves.into_iter();
                moves.map(|(mv, after)| (mv, policy.forced_after(&after))).collect()
            }
            Decision::AtOnce(_) | Decision::Holding(_) | Decision::Unsafe(_) => Vec::new(),
        })?;
        let told = moves.into_iter().map(|(mv, score)| {
            Ok(ForcedMove::new(position.material(), mv.to_string(), position.san(mv)?, score))
        });
        told.collect()
    }

    fn __str__(slf: &Bound<'_, Self>) -> String {
        Self::sentences(slf).join("\n")
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        let measure = Self::policy(slf).measure();
        let (material, look) = (&measure.origin().material, measure.horizon().look);
        let terms = measure.terms().iter().map(|term| term.quantity.name.as_str());
        let terms: Vec<&str> = terms.collect();
        format!("Measure({material:?}, look {look}: {})", terms.join(", "))
    }
}

#[pymethods]
impl ForcedMove {
    fn __repr__(&self) -> String {
        format!("ForcedMove({} {})", self.san, self.text)
    }
}
