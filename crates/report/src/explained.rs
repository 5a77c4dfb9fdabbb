//! All answers of the verb `explain`.

use super::annotated::AnnotatedGames;
use super::explain::Explained;
use super::explain_strategy::StrategyExplained;
use super::searched::Searched;
use schemars::JsonSchema;
use serde::Serialize;

/// The explanation of a move, by the kind of player, or of the moves of games.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ExplainedMove {
    /// The explanation of a tree's move.
    Tree(Box<Explained>),
    /// The explanation of a strategy's move.
    Strategy(Box<StrategyExplained>),
    /// The explanation of a search's move.
    Search(Box<Searched>),
    /// Annotated games.
    Games(Box<AnnotatedGames>),
}
