//! The model that a policy plays by.

use super::{MeasurePolicy, StrategyPolicy, TreePolicy};
use lucena_generated::Tree;
use lucena_model::{ModelFigures, ModelKind, ModelRef};
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
        match *self {
            Self::Tree(policy) => ModelRef::from(policy.decision_tree()).figures(),
            Self::Generated(tree) => {
                ModelFigures { leaves: Some(tree.leaves), ..ModelFigures::default() }
            }
            Self::Strategy(policy) => ModelRef::from(policy.strategy()).figures(),
            Self::Measure(policy) => ModelRef::from(policy.measure()).figures(),
        }
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
