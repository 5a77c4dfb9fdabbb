use lucena_chess::{Clock, Move};
use lucena_search::{Limit, Onlooker};
use std::time::Duration;

/// What a player is asked for besides a move.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// How the time goes.
    pub pace: Pace,
    /// How far to look, besides what the player is made for.
    pub limit: Limit,
    /// The moves to choose from; without them, all.
    pub among: Option<&'a [Move]>,
    /// Who waits for the move.
    pub onlooker: &'a dyn Onlooker,
}

/// How the time goes in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// No time is kept: a player takes what it is made for.
    #[default]
    Free,
    /// By clocks.
    Clocks {
        /// The player's own.
        own: Clock,
        /// The other side's.
        other: Clock,
    },
    /// So long for each move.
    Each(Duration),
    /// As long as it takes: until it is stopped, or a limit is met.
    Endless,
}

impl Pace {
    /// The player's own clock, if there is one.
    pub fn clock(self) -> Option<Clock> {
        match self {
            Self::Clocks { own, .. } => Some(own),
            _ => None,
        }
    }
}

impl<'a> Task<'a> {
    /// Any move, at a pace.
    pub fn at(pace: Pace, onlooker: &'a dyn Onlooker) -> Self {
        Self { pace, limit: Limit::default(), among: None, onlooker }
    }

    /// Whether a move may be chosen.
    pub fn allows(&self, mv: Move) -> bool {
        self.among.is_none_or(|among| among.contains(&mv))
    }
}
