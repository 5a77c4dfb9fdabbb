//! Experiments: what each part of a search is worth, and what players that search, learn and know are
//! worth against every defence.

mod positions;
mod searches;
mod truth;

pub use positions::{ParsePositionsError, Positions, TestPosition};
pub use searches::{Group, SearchExperiment, SearchRow, SearchSetting, search_settings, searches};
pub use truth::{TruthError, TruthRow, truth};
