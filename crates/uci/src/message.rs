//! What goes between a session and the mind that thinks for it.

use super::{Info, Reply, Settings};
use lucena_chess::{Game, Move};
use lucena_play::Pace;
use lucena_search::Limit;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a mind is told to do.
pub(super) enum Order {
    /// Be somebody else from now on.
    Settings(Settings),
    /// The next position is of another game.
    NewGame,
    /// Say so often that all that went before is done.
    Ready(usize),
    /// Choose a move.
    Think(Box<Asked>),
}

/// What reaches a session.
pub(super) enum Heard {
    Line(String),
    /// Nothing more is said.
    End,
    Mind(Thought),
}

/// What comes out of a mind.
pub(super) enum Thought {
    Ready(usize),
    Said(Info),
    Chosen { told: Info, best: Reply },
}

/// A position to think about.
pub(super) struct Asked {
    pub(super) game: Game,
    pub(super) pace: Pace,
    pub(super) limit: Limit,
    pub(super) among: Option<Vec<Move>>,
    pub(super) stop: Arc<AtomicBool>,
}
