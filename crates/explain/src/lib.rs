//! The reasons for a player's moves, and the cost of other moves.
//!
//! [`explain`] gives the reasons of any player that goes by a model: the tests on the path of a tree, the rule that a
//! strategy used and the comparison of each key, or what each move forces by a measure. The moves of the weak side, which
//! no model chooses, are explained by the table: the moves that keep the result, and what each other move allows
//! ([`explain_table`]). An [`Explanation`] has the figures of its kind; [`Reasons`] are the same for all kinds of players,
//! and are what people read. The values of moves come from the table in all cases, and also for the moves of whole games
//! ([`assess_game`]). [`show()`] writes a whole model in one of its [`Form`]s.

mod attribute_names;
pub mod chart;
mod choice_reason;
pub mod diagram;
mod error;
mod explanation;
pub mod export;
mod finding;
mod forced;
mod game;
mod known_rule;
pub mod lesson;
mod measure;
mod measure_reasons;
mod measure_sentences;
mod move_source;
mod move_value;
mod reasons;
mod refutation;
mod rejection;
mod rule_marks;
mod rule_sentence;
mod show;
mod strategy;
mod strategy_reasons;
mod strategy_sentences;
mod table;
mod table_reasons;
mod tree;
mod tree_reasons;

pub use attribute_names::AttributeNames;
pub use choice_reason::ChoiceReason;
pub use error::ExplainError;
pub use explanation::{Explanation, explain, reason};
pub use finding::Finding;
pub use forced::Forced;
pub use game::{LostResult, MoveAssessment, assess_game};
pub use known_rule::KnownRule;
pub use measure::{
    ForcingMove, LesserForce, MeasureAlternative, MeasureExplanation, TermFinding, UnsafeMove,
    explain_measure,
};
pub use measure_sentences::{measure_aims, measure_instructions, measure_sentences};
pub use move_source::MoveSource;
pub use move_value::{ChosenMove, LostWin, OtherMoves, ValuedMove};
pub use reasons::{Alternative, PlayedMove, ReasonRule, ReasonStep, ReasonedMove, Reasons};
pub use refutation::Refutation;
pub use rejection::{Comparison, RejectionReason};
pub use rule_marks::rule_marks;
pub use rule_sentence::{claim_sentence, clause_sentence, rule_sentence, turn_sentence};
pub use show::{Form, LessonOfPlayer, ShowError, ShownModel, show};
pub use strategy::{
    KeyComparison, KeyDifference, RuleStep, SkippedRule, StrategyAlternative, StrategyExplanation,
    explain_strategy,
};
pub use strategy_sentences::StrategySentences;
pub use table::{TableExplanation, TableMove, explain_table};
pub use tree::{
    Candidate, Support, TreeAlternative, TreeExplanation, ViewDifference, explain_tree,
};
pub use tree_reasons::class_sentence;
