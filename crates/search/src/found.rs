use super::Value;
use lucena_chess::Move;
use std::time::Duration;

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The best move; `None` if there is no legal move.
    pub mv: Option<Move>,
    /// The value for the side to move, as far as it was searched.
    pub value: Value,
    /// The depth searched to its end, in plies; 0 if a limit was reached before.
    pub depth: u8,
    /// The number of positions searched.
    pub nodes: u64,
    /// The principal variation, as far as it is known.
    pub line: Vec<Move>,
    /// The time taken.
    pub time: Duration,
}
