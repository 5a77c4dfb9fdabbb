//! Experiments: the effect of each part of a search, and proofs of players that search, learn or
//! look up.

mod positions;
mod proofs;
mod searches;

pub use crate::error::ExperimentError;
pub use positions::{ParsePositionsError, Positions, TestPosition};
pub use proofs::{ProofRow, prove_players};
pub use searches::{
    Group, SearchExperiment, SearchRow, SearchSetting, compare_searches, search_settings,
};
