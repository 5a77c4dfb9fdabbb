//! Theories: trees made as small as possible while a guarantee still holds from every position against every
//! defence.
//!
//! A policy that follows a tree does not need every distance to be right: the tree only has to prefer the right
//! move. The guarantee decides which errors are allowed, and a proof after every single change decides whether
//! the guarantee still holds. A [`TheoryGraph`] holds the endgame in numeric form, so that the proof can be
//! updated incrementally after a change.
//!
//! `docs/theories.md` explains the method with an example.
//! [`verify`] proves the result once more, from the rules of chess alone.

mod chain;
mod convert;
mod distil;
mod error;
mod game;
mod grow;
mod leeway;
mod mark;
mod order;
mod positions;
mod propose;
mod regrow;
mod sketch;
mod test_table;
mod theory_graph;

pub use distil::distil;
pub use error::TheoryError;
pub use lucena_base::progress::{Budget, SearchSettings};
pub use lucena_mine::{Annealing, MiningResult};
pub use lucena_proof::guarantee::{FIFTY_MOVES, Guarantee, VerifyError, verify};
pub use theory_graph::TheoryGraph;
