//! Strategies.

use crate::model::Strategy;
use lucena::explain::StrategySentences;
use lucena::policy::{EndgameModel, StrategyPolicy};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

impl Strategy {
    fn policy<'a>(slf: &'a Bound<'_, Self>) -> &'a StrategyPolicy {
        match &slf.as_super().get().0 {
            EndgameModel::Strategy(policy) => policy,
            _ => unreachable!("objects are made by kind"),
        }
    }
}

#[pymethods]
impl Strategy {
    /// The names of the attributes that the rules use.
    #[getter]
    fn attribute_names<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let columns = Self::policy(slf).strategy().attributes();
        PyTuple::new(slf.py(), columns.iter().map(|column| &column.name))
    }

    /// The number of conditions and keys.
    #[getter]
    fn size(slf: &Bound<'_, Self>) -> usize {
        Self::policy(slf).strategy().size()
    }

    /// The rules as sentences, in order.
    #[getter]
    fn sentences(slf: &Bound<'_, Self>) -> Vec<String> {
        let policy = Self::policy(slf);
        let sentences = StrategySentences::new(policy);
        (0..policy.strategy().rules().len()).map(|rule| sentences.rule(rule)).collect()
    }

    /// The number of the rule that is used in a position with the strong side to move, from 1; None if no rule is asked:
    /// a move wins at once in another endgame, or no move is safe.
    fn used_rule(slf: &Bound<'_, Self>, fen: &str) -> crate::error::Result<Option<usize>> {
        let position = slf.as_super().get().position(fen, lucena::chess::Side::Strong)?;
        let used = Self::policy(slf).used_rule(&position);
        Ok(used.and_then(|used| used.rule).map(|rule| rule + 1))
    }

    fn __str__(slf: &Bound<'_, Self>) -> String {
        Self::sentences(slf).join("\n")
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        let strategy = Self::policy(slf).strategy();
        let (material, rules) = (&strategy.origin().material, strategy.rules().len());
        format!("Strategy({material:?}: rules {rules}, size {})", strategy.size())
    }
}
