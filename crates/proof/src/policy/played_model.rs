//! The model that a policy plays by.

use super::{MeasurePolicy, StrategyPolicy, TreePolicy};
use lucena_generated::Tree;
use lucena_model::ModelKind;
use lucena_tablebase::Tablebase;

/// The model that a policy plays by.
#[derive(Clone, Copy)]
pub enum PlayedModel<'p> {
    /// A tree from a file.
    Tree(&'p TreePolicy<'p>),
    /// The tree of generated code.
    Generated(&'p Tree),
    /// A strategy.
    Strategy(&'p StrategyPolicy),
    /// A measure.
    Measure(&'p MeasurePolicy),
}

/// The figures of a model that reports state. Each kind has some of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ModelFigures {
    /// The number of leaves of a tree.
    pub leaves: Option<usize>,
    /// The number of rules of a strategy.
    pub rules: Option<usize>,
    /// The number of conditions and keys of a strategy.
    pub size: Option<usize>,
    /// The number of terms of a measure.
    pub terms: Option<usize>,
    /// The number of moves that a measure looks ahead.
    pub look: Option<u8>,
}

impl PlayedModel<'_> {
    /// Returns the kind.
    pub fn kind(&self) -> ModelKind {
        match self {
            Self::Tree(_) | Self::Generated(_) => ModelKind::Tree,
            Self::Strategy(_) => ModelKind::Strategy,
            Self::Measure(_) => ModelKind::Measure,
        }
    }

    /// Returns the SHA-256 of the model's JSON file, in hexadecimal.
    pub fn sha256(&self) -> &str {
        match self {
            Self::Tree(policy) => policy.sha256(),
            Self::Generated(tree) => tree.tree_sha256,
            Self::Strategy(policy) => policy.sha256(),
            Self::Measure(policy) => policy.sha256(),
        }
    }

    /// Returns the figures that reports state.
    pub fn figures(&self) -> ModelFigures {
        let mut figures = ModelFigures::default();
        match self {
            Self::Tree(policy) => figures.leaves = Some(policy.decision_tree().leaves()),
            Self::Generated(tree) => figures.leaves = Some(tree.leaves),
            Self::Strategy(policy) => {
                figures.rules = Some(policy.strategy().rules().len());
                figures.size = Some(policy.strategy().size());
            }
            Self::Measure(policy) => {
                figures.terms = Some(policy.measure().terms().len());
                figures.look = Some(policy.measure().horizon().look);
            }
        }
        figures
    }

    /// Returns true if the score that a measure can force falls with every move and reply in all positions that the
    /// table wins; `None` for a model of another kind, or if the policy has not prepared for every position.
    pub fn is_ranking(&self, tablebase: &Tablebase) -> Option<bool> {
        match self {
            Self::Measure(policy) => policy.is_ranking(tablebase),
            Self::Tree(_) | Self::Generated(_) | Self::Strategy(_) => None,
        }
    }
}
