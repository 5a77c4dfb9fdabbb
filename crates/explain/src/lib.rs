//! The reasons for a player's moves, and the cost of other moves.
//!
//! For a player that follows a tree, [`explain`] gives the tests on the tree's path as sentences;
//! for one that follows a strategy, [`explain_strategy`] gives the rule that it used and the
//! comparison of each key; for one that follows a measure, [`explain_measure`] gives what each move
//! forces. The values of moves come from the table in all cases, and also for the moves of whole
//! games ([`assess_game`]).

mod attribute_names;
pub mod chart;
mod choice_reason;
pub mod diagram;
mod error;
pub mod export;
mod finding;
mod forced;
mod game;
pub mod lesson;
mod measure;
mod measure_sentences;
mod measure_text;
mod move_value;
mod reasons;
mod refutation;
mod rejection;
mod strategy;
mod strategy_sentences;
mod strategy_text;
mod table_reasons;
mod tree;
mod tree_text;

pub use attribute_names::AttributeNames;
pub use choice_reason::ChoiceReason;
pub use error::ExplainError;
pub use finding::Finding;
pub use forced::Forced;
pub use game::{LostResult, MoveAssessment, assess_game};
pub use measure::{
    ForcingMove, LesserForce, MeasureAlternative, MeasureExplanation, TermFinding, UnsafeMove,
    explain_measure,
};
pub use measure_sentences::{measure_aims, measure_instructions, measure_sentences};
pub use move_value::{ChosenMove, LostWin, OtherMoves, ValuedMove};
pub use reasons::{Alternative, PlayedMove, ReasonStep, ReasonedMove, Reasons};
pub use refutation::Refutation;
pub use rejection::{Comparison, RejectionReason};
pub use strategy::{
    KeyComparison, KeyDifference, RuleStep, SkippedRule, StrategyAlternative, StrategyExplanation,
    explain_strategy,
};
pub use strategy_sentences::StrategySentences;
pub use tree::{
    Candidate, Explanation, Support, TreeAlternative, ViewDifference, explain, reasons,
};
pub use tree_text::class_sentence;
