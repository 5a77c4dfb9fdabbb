//! Experiments over everything that learns, plays and proves, and the players that they name.

pub mod curve;
mod error;
pub mod experiment;
pub mod frontier;
pub mod roster;
pub mod study;

pub use error::ExperimentError;
