//! The game graph of an endgame up to symmetry.
//!
//! A proof covers endgames of five men, on which lists of all replies would not fit into memory, and policies
//! that are not symmetric. It therefore numbers the full board too, and finds replies by taking them back.
//! Searches and training try many players on one small endgame, and read its lists again and again.

mod end;
mod endgame;
pub(crate) mod policy_graph;
pub(crate) mod position_numbers;
mod worklist;

pub use end::End;
pub use endgame::{After, Before, Edge, EndgameGraph, GraphSpec, Numbering};
pub use worklist::{ReversedReplies, Worklist};
