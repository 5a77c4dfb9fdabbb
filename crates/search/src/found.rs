use super::Value;
use lucena_chess::Move;
use std::time::Duration;

/// What a search has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The best move; nothing where there is no legal one.
    pub mv: Option<Move>,
    /// What it is worth to the side to move, as far as was seen.
    pub value: Value,
    /// The depth that was searched to its end, in plies; 0 where a limit came before.
    pub depth: u8,
    /// Positions that were looked at.
    pub nodes: u64,
    /// What is expected to be played, as far as it is known.
    pub line: Vec<Move>,
    /// How long it took.
    pub time: Duration,
}
