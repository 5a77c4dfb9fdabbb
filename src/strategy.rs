//! Strategies: what a person can carry in the head, found and proved.

mod exhaust;
mod ground;
mod plan;
mod questions;
mod trial;

pub use exhaust::{Exhausted, Winner, exhaust};
pub use ground::Ground;
pub use questions::askable;

/// No game of a strategy may take longer.
pub const FIFTY_MOVES: u16 = 50;
