//! Experiments that compare learners, players and searches.

pub mod curve;
mod error;
pub mod experiment;
pub mod frontier;
pub mod study;

pub use error::ExperimentError;
