//! The reasons for a player's moves, and the cost of other moves.
//!
//! For a player that follows a tree, [`explain`] gives the tests on the tree's path as sentences;
//! for one that follows a strategy, [`explain_strategy`] gives the rule that it used and the
//! comparison of each key. The values of moves come from the table, for both alike and for the
//! moves of whole games ([`judge_game`]).

pub mod chart;
pub mod diagram;
mod error;
pub mod export;
mod finding;
mod game;
pub mod lesson;
mod strategy;
mod support;
mod tree;
mod weigh;

pub use error::ExplainError;
pub use finding::Finding;
pub use game::{JudgedMove, Thrown, judge_game};
pub use strategy::{Behind, Compared, Ruled, Ruling, StrategyExplanation, explain_strategy};
pub use support::Support;
pub use tree::{Candidate, Difference, Explanation, Instead, explain, reasons};
pub use weigh::{GivesAway, Others, Weighed};
