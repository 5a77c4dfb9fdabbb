//! Measures, looked ahead.
//!
//! A [`Measure`](lucena_model::Measure) gives each position after a move a value. What can be forced is worked out from a
//! single position by a search, [`LookAhead`], or from every position of an endgame at once: by [`SafeMoveGraph`] in
//! any endgame, and by [`BareKingGraph`], many times faster, against a bare king without pawns. All give the same
//! [`Score`]s.

mod bare_king;
mod fixed_point;
mod graph;
mod look_ahead;
mod score;
mod short_score;

pub use bare_king::{BareKingGraph, Boards, Formation, KingSquares, TiedMoves, Won};
pub use graph::{SafeMoveGraph, Situation};
pub use look_ahead::{LookAhead, LookedAhead, Stop};
pub use score::Score;
