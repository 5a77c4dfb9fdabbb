//! A position to practise with.

use lucena_chess::Position;
use lucena_tablebase::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

/// A position to practise.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct PracticePosition {
    /// The position.
    pub(super) fen: String,
    /// A key that stays the same from one visit to the next: the board and the side to move.
    pub(super) key: String,
    /// The outcome, such as "mate in 3".
    pub(super) says: String,
    /// The number of moves to mate with best play.
    pub(super) moves: u16,
    /// The most moves that any method that teaches the endgame takes to the end of the stage, against every defence;
    /// null without a stage.
    pub(super) most: Option<u16>,
}

impl PracticePosition {
    /// A position with White to move that is won in a number of moves.
    pub(super) fn new(position: &Position, moves: u16, most: Option<u16>) -> Self {
        let fen = position.to_string();
        let key = fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
        Self { fen, key, says: Outcome::Win(2 * moves - 1).to_string(), moves, most }
    }
}
