//! All that `explain` may answer.

use super::annotated::AnnotatedGames;
use super::explain::Explained;
use super::explain_strategy::StrategyExplained;
use super::searched::Searched;
use schemars::JsonSchema;
use serde::Serialize;

/// What is said of a move, by the kind of player, or of the moves of games.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ExplainedMove {
    /// A tree's.
    Tree(Box<Explained>),
    /// A strategy's.
    Strategy(Box<StrategyExplained>),
    /// A search's.
    Search(Box<Searched>),
    /// Games, annotated.
    Games(Box<AnnotatedGames>),
}
