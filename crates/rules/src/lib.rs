//! Rules about the outcomes of an endgame: a small language, exact counts, and a search for rules without exceptions.
//!
//! A [`Rule`] says of the positions that meet its conditions that the strong side wins, or that it does not: "Black to
//! move, the king in front of the pawn: a draw". [`RuleList::from_toml`] reads rules that people write. [`count`] looks at
//! every position of the endgame and counts how often each rule applies and is right, with its first exception. [`search`]
//! finds rules that are always right, and [`repair`] the conditions that a rule lacks.
//!
//! A list that says what holds otherwise has rules of thumb: the first that applies decides. [`count_thumb`] counts them, and
//! [`search_thumb`] finds a list with few errors.
//!
//! ```
//! use lucena_base::progress::NoObserver;
//! use lucena_rules::{RuleList, count};
//! use lucena_tablebase::{Metric, TableFolder};
//!
//! let list = RuleList::from_toml(r#"
//!     material = "KPvK"
//!
//!     [[rules]]
//!     name = "square"
//!     title = "The pawn runs"
//!     claim = "win"
//!     when = ["kPCatches = 0", "PHangs = 0", "kRoom <= 58"]
//! "#)?;
//! let folder = TableFolder::in_memory().of_metric(Metric::Dtz);
//! let counted = count(&list, &folder.tablebase(list.material(), &NoObserver)?, &NoObserver)?;
//! let rule = &counted.rules[0];
//! assert_eq!((rule.applies, rule.right), (72_230, 72_230));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod boards;
mod comparison;
mod count;
mod kept_values;
mod positions;
mod rule;
mod rule_file;
mod search;
mod thumb_count;

pub use comparison::ComparisonError;
pub use count::{Example, ListCounts, RuleCounts, WithoutClause, count};
pub use rule::{Claim, Clause, Rule, RuleList};
pub use rule_file::{ReadRulesError, RuleFileError};
pub use search::{SearchParams, repair, search, search_thumb};
pub use thumb_count::{DecisionCounts, ThumbCounts, count_thumb};
