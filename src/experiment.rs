//! Experiments of the published studies, repeated: what each part of a search is worth.

mod positions;
mod searches;

pub use positions::{ParsePositionsError, Positions, TestPosition};
pub use searches::{Group, SearchExperiment, SearchRow, SearchSetting, search_settings, searches};
