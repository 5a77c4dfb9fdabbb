//! Players by name, as users write them, and the files they are made from: trees, strategies,
//! measures, weights.
//!
//! | name | player |
//! |---|---|
//! | `exact`, `theory`, `learned` | the generated code of this build, for the endgames it has |
//! | `tree:FILE` | a tree from a file, for its endgame |
//! | `strategy` | the smallest built-in strategy, for the endgames that have one |
//! | `strategy:FILE` | a strategy from a file, for its endgame |
//! | `measure` | the smallest built-in measure, for the endgames that have one |
//! | `measure:FILE` | a measure from a file, for its endgame |
//! | `tree:win33`, `strategy:quick`, `measure:near` | a model of this build with that name, for the endgames that have one |
//! | `tablebase` | table lookup, in any endgame with a table |
//! | `search:depth=3,eval=material` | a search; see [`lucena_search::SearchParams`] and [`EvaluationName`] |
//! | `trained:FILE` | weights that were learned; `,plies=2` sets the look-ahead |
//! | `published` | the published network before training; see [`PublishedName`] |
//! | `random` | random legal moves |
//! | `king-refugee` | random moves among those that leave the own king nearest the centre |

mod built_in;
mod default_player;
mod entrant;
mod load;
mod measure_evaluation;
mod name;

pub use built_in::BuiltIn;
pub use default_player::{NotBuiltIn, built_in_players, default_explainer, default_player};
pub use entrant::{RosterEntrant, generated_kinds, generated_materials};
pub use load::{LoadPlayerError, LoadedPlayer, NoWeights, PolicyError, Predictions};
pub use measure_evaluation::MeasureEvaluation;
pub use name::{EvaluationName, ParsePlayerError, PlayerName, PublishedName, SearchName};
