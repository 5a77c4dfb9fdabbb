//! Experiments: the effect of each part of a search, and proofs of players that search, learn or
//! look up.

mod positions;
mod searches;
mod truth;

pub use crate::error::ExperimentError;
pub use positions::{ParsePositionsError, Positions, TestPosition};
pub use searches::{Group, SearchExperiment, SearchRow, SearchSetting, search_settings, searches};
pub use truth::{TruthRow, truth};
