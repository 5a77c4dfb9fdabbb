//! Why a player moves as it does, and what another move would cost.
//!
//! A player that goes by a tree shows the tests on the tree's path as sentences ([`explain`]), one that
//! goes by a strategy the rule that it used and what each key compared ([`explain_strategy`]). What moves
//! are worth, the table says of both alike, and of the moves of whole games ([`judge_game`]).

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
