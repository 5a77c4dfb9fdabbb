//! The driver of the searches for theories, strategies and measures.
//!
//! A search runs chains in parallel, each with its own random numbers. A [`Chain`] changes its candidate again and again;
//! a [`Search`] says which candidates win, and makes models of them. [`Annealing`] lets the chains run in rounds,
//! compares them, reports progress, and hands on every model that is better than the ones before. [`exhaust`] tries all
//! candidates instead.

mod annealing;
mod chain;
mod distinct;
mod exhaustion;
mod result;

pub use annealing::Annealing;
pub use chain::{Chain, Search, bound};
pub use distinct::{Fnv, distinct, first_of_each};
pub use exhaustion::{Exhaustion, exhaust};
pub use result::{Acceptance, MiningResult};
