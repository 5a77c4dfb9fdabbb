//! Files that hold a tree or a strategy.

use lucena::DecisionTree;
use lucena_tree::{ParseStrategyError, ParseTreeError, Strategy};

/// The content of a file.
pub(super) enum Shown {
    Tree(DecisionTree),
    Strategy(Strategy),
}

/// The error for a file that holds neither.
#[derive(Debug, thiserror::Error)]
pub(super) enum ParseShownError {
    #[error(transparent)]
    Tree(#[from] ParseTreeError),
    #[error(transparent)]
    Strategy(#[from] ParseStrategyError),
}

impl Shown {
    pub(super) fn from_json(json: &[u8]) -> Result<Self, ParseShownError> {
        Ok(if Strategy::is_meant_by(json) {
            Self::Strategy(Strategy::from_json(json)?)
        } else {
            Self::Tree(DecisionTree::from_json(json)?)
        })
    }
}
