//! Measures, looked ahead.
//!
//! A [`Measure`](lucena_tree::Measure) gives each position after a move a value. [`SafeMoveGraph`] works out the value
//! that can be forced from every position of an endgame at once; [`LookAhead`] searches from single positions, by the
//! rules alone. Both give the same [`Score`]s.

mod bare_king;
mod fixed_point;
mod graph;
mod look_ahead;
mod score;

pub use bare_king::{BareKingGraph, Boards, Formation, KingSquares, TiedMoves, Won};
pub use fixed_point::BackwardGraph;
pub use graph::{SafeMoveGraph, Situation};
pub use look_ahead::{LookAhead, LookedAhead, Stop};
pub use score::Score;
