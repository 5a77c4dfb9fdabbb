//! Models of all kinds: as policies are made from them, and as policies show them.

use super::{MeasurePolicy, Policy, StrategyPolicy, TreePolicy, Unplayable};
use lucena_chess::Material;
use lucena_generated::Tree;
use lucena_model::{DecisionTree, Model, ModelFigures, ModelKind, ModelRef};
use lucena_tablebase::Tablebase;
use std::sync::Arc;

/// A model of an endgame, with all that a player by it needs but a table.
#[derive(Clone)]
pub enum EndgameModel {
    /// A tree, which plays with a table.
    Tree(Arc<DecisionTree>),
    /// The policy of a strategy.
    Strategy(Arc<StrategyPolicy>),
    /// The policy of a measure.
    Measure(Arc<MeasurePolicy>),
}

impl EndgameModel {
    /// Creates the policy of a strategy or measure. That of a tree is created with a table.
    ///
    /// # Errors
    /// See [`StrategyPolicy::new`] and [`MeasurePolicy::new`].
    pub fn new(model: Model) -> Result<Self, Unplayable> {
        Ok(match model {
            Model::Tree(tree) => Self::Tree(Arc::new(tree)),
            Model::Strategy(strategy) => Self::Strategy(Arc::new(StrategyPolicy::new(strategy)?)),
            Model::Measure(measure) => Self::Measure(Arc::new(MeasurePolicy::new(measure)?)),
        })
    }

    /// The same for a model whose attributes and quantities are known to stay the same when the board is rotated or
    /// mirrored.
    ///
    /// # Errors
    /// Those of [`Self::new`] but for that check.
    pub fn from_checked(model: Model) -> Result<Self, Unplayable> {
        Ok(match model {
            Model::Tree(tree) => Self::Tree(Arc::new(tree)),
            Model::Strategy(strategy) => {
                Self::Strategy(Arc::new(StrategyPolicy::from_checked(strategy)?))
            }
            Model::Measure(measure) => {
                Self::Measure(Arc::new(MeasurePolicy::from_checked(measure)?))
            }
        })
    }

    /// Returns the model.
    pub fn as_ref(&self) -> ModelRef<'_> {
        match self {
            Self::Tree(tree) => ModelRef::Tree(tree),
            Self::Strategy(policy) => ModelRef::Strategy(policy.strategy()),
            Self::Measure(policy) => ModelRef::Measure(policy.measure()),
        }
    }

    /// Returns the kind.
    pub fn kind(&self) -> ModelKind {
        self.as_ref().kind()
    }

    /// Returns the endgame.
    ///
    /// # Errors
    /// If it is a tree that cannot be played with any table; see [`TreePolicy::endgame`].
    pub fn endgame(&self) -> Result<Material, Unplayable> {
        match self {
            Self::Tree(tree) => TreePolicy::endgame(tree),
            Self::Strategy(policy) => Ok(policy.material()),
            Self::Measure(policy) => Ok(Policy::material(&**policy)),
        }
    }

    /// Returns the policy by a table, which only a tree needs.
    ///
    /// # Errors
    /// If a tree does not fit the table; see [`TreePolicy::new`].
    pub fn policy<'t>(&self, tablebase: &'t Tablebase) -> Result<Box<dyn Policy + 't>, Unplayable> {
        Ok(match self {
            Self::Tree(tree) => Box::new(TreePolicy::new(DecisionTree::clone(tree), tablebase)?),
            Self::Strategy(policy) => Box::new(Arc::clone(policy)),
            Self::Measure(policy) => Box::new(Arc::clone(policy)),
        })
    }

    /// Returns the policy of a strategy or measure; `None` for a tree, which needs a table.
    pub fn policy_without_table(&self) -> Option<Box<dyn Policy>> {
        match self {
            Self::Tree(_) => None,
            Self::Strategy(policy) => Some(Box::new(Arc::clone(policy))),
            Self::Measure(policy) => Some(Box::new(Arc::clone(policy))),
        }
    }

    /// Returns the tree; `None` if the model is of another kind.
    pub fn into_tree(self) -> Option<Arc<DecisionTree>> {
        match self {
            Self::Tree(tree) => Some(tree),
            Self::Strategy(_) | Self::Measure(_) => None,
        }
    }

    /// Returns the policy of a strategy; `None` if the model is of another kind.
    pub fn into_strategy(self) -> Option<Arc<StrategyPolicy>> {
        match self {
            Self::Strategy(policy) => Some(policy),
            Self::Tree(_) | Self::Measure(_) => None,
        }
    }

    /// Returns the policy of a measure; `None` if the model is of another kind.
    pub fn into_measure(self) -> Option<Arc<MeasurePolicy>> {
        match self {
            Self::Measure(policy) => Some(policy),
            Self::Tree(_) | Self::Strategy(_) => None,
        }
    }
}

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
