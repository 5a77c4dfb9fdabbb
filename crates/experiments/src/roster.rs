//! Players by name, as people write them, and what they are made from: trees, weights, tables.
//!
//! | name | who plays |
//! |---|---|
//! | `exact`, `theory` | the generated code of this build, in the endgames that it knows |
//! | `tree:FILE` | a tree from a file, in its endgame |
//! | `strategy` | the smallest strategy that this build carries, in the endgames that have one |
//! | `strategy:FILE` | a strategy from a file, in its endgame |
//! | `tablebase` | looking up, in any endgame whose table is at hand |
//! | `search:depth=3,eval=material` | a search; see [`crate::search::SearchParams`] and [`EvaluationName`] |
//! | `random` | any legal move |
//! | `king-refugee` | any of the moves that leave its king nearest the centre |

mod built_in;
mod built_in_strategy;
mod entry;
mod error;
mod load;
mod name;

pub use built_in::BuiltIn;
pub use built_in_strategy::BuiltInStrategy;
pub use entry::{Entry, kinds_for, mined};
pub use error::{LoadPlayerError, PolicyError};
pub use load::LoadedPlayer;
pub use name::{EvaluationName, ParsePlayerError, PlayerName, SearchName};
