//! Experiments that compare learners, players and searches, and the roster of players by name.

pub mod curve;
mod error;
pub mod experiment;
pub mod frontier;
pub mod roster;
pub mod study;

pub use error::ExperimentError;
