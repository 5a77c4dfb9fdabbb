//! Experiments over everything that learns, plays and proves, and the players that they name.

pub mod curve;
pub mod experiment;
pub mod frontier;
pub mod roster;
pub mod study;
