//! Measures, looked ahead.
//!
//! A [`Measure`](lucena_model::Measure) gives each position after a move a value. Four ways work out what can be forced:
//! [`BareKingGraph`] from every position of an endgame against a bare king without pawns, board by board;
//! [`SafeMoveGraph`] from every position of any endgame, by lists of moves; [`LookAhead`] from single positions, by a
//! search; and [`BareKingSearch`] the same against a bare king. All give the same [`Score`]s.

mod bare_king;
mod fixed_point;
mod graph;
mod look_ahead;
mod score;
mod short_score;

pub use bare_king::{
    BareKingGraph, BareKingSearch, Boards, Formation, KingSquares, TiedMoves, Won,
};
pub use graph::{SafeMoveGraph, Situation};
pub use look_ahead::{LookAhead, LookedAhead, Stop};
pub use score::Score;
