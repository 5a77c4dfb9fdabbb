use lucena_base::work::Watch;
use lucena_chess::{Clock, Move};
use lucena_search::{Deepened, Limit};
use std::time::Duration;

/// The conditions under which a player is asked for a move.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The time control.
    pub pace: Pace,
    /// The search limit, in addition to that of the player.
    pub limit: Limit,
    /// The moves to choose from; all if absent.
    pub among: Option<&'a [Move]>,
    /// The observer that waits for the move.
    pub watch: &'a dyn Watch,
    /// The receiver of a search's result at each completed depth.
    pub deepened: Option<&'a Deepened<'a>>,
}

/// The time control of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// No time control: a player takes the time that it is configured for.
    #[default]
    Free,
    /// Clocks.
    Clocks {
        /// The player's own clock.
        own: Clock,
        /// The other side's clock.
        other: Clock,
    },
    /// A fixed time for each move.
    Each(Duration),
    /// No time limit: until it is stopped, or another limit is reached.
    Endless,
}

impl Pace {
    /// Returns the player's own clock, if there is one.
    pub fn clock(self) -> Option<Clock> {
        match self {
            Self::Clocks { own, .. } => Some(own),
            _ => None,
        }
    }
}

impl<'a> Task<'a> {
    /// Creates a task that allows any move, under a time control.
    pub fn at(pace: Pace, watch: &'a dyn Watch) -> Self {
        Self { pace, limit: Limit::default(), among: None, watch, deepened: None }
    }

    /// Returns true if a move may be chosen.
    pub fn allows(&self, mv: Move) -> bool {
        self.among.is_none_or(|among| among.contains(&mv))
    }
}
