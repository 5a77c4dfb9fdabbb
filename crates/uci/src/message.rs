//! Messages between a session and its engine thread.

use super::{Info, Reply, Settings};
use lucena_chess::{Game, Move};
use lucena_play::Pace;
use lucena_search::Limit;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An order to the engine thread.
pub(super) enum Order {
    /// Use these settings from now on.
    Settings(Settings),
    /// The next position is from another game.
    NewGame,
    /// Report this many times that all earlier orders are done.
    Ready(usize),
    /// Choose a move.
    Think(Box<Asked>),
}

/// An event that reaches a session.
pub(super) enum Heard {
    Line(String),
    /// The input has ended.
    End,
    Mind(Thought),
}

/// A message from the engine thread.
pub(super) enum Thought {
    Ready(usize),
    Said(Info),
    Chosen { told: Info, best: Reply },
}

/// A position to search.
pub(super) struct Asked {
    pub(super) game: Game,
    pub(super) pace: Pace,
    pub(super) limit: Limit,
    pub(super) among: Option<Vec<Move>>,
    pub(super) stop: Arc<AtomicBool>,
}
