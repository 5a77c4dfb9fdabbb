use lucena_base::progress::{Observer, Stopped};
use lucena_chess::{Clock, Move};
use lucena_proof::policy::PolicyGrounds;
use lucena_search::{Limit, SearchRequest, SearchResult};
use lucena_tablebase::{Category, Dtz};
use std::time::Duration;

/// A request for a move, and its conditions.
#[derive(Clone, Copy)]
pub struct MoveRequest<'a> {
    /// The time control.
    pub pace: TimeMode,
    /// The request to a search, whose limits hold in addition to those of the player. Any player chooses
    /// among its moves and is watched by its observer.
    pub search: SearchRequest<'a>,
}

/// The time control of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeMode {
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

impl TimeMode {
    /// Returns the player's own clock, if there is one.
    pub fn clock(self) -> Option<Clock> {
        match self {
            Self::Clocks { own, .. } => Some(own),
            _ => None,
        }
    }
}

impl<'a> MoveRequest<'a> {
    /// Creates a request that allows any move, under a time control.
    pub fn at(pace: TimeMode, observer: &'a dyn Observer) -> Self {
        let search = SearchRequest { observer, ..SearchRequest::within(Limit::default()) };
        Self { pace, search }
    }

    /// Returns true if a move may be chosen.
    pub fn allows(&self, mv: Move) -> bool {
        self.search.among.is_none_or(|among| among.contains(&mv))
    }
}

/// A move, and the basis of its choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// The basis of the choice.
    pub grounds: Grounds,
}

/// The reason for a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grounds {
    /// Unknown: the player does not tell.
    Unstated,
    /// An opening book.
    Book,
    /// A policy of an endgame.
    Policy(PolicyGrounds),
    /// Syzygy files.
    Syzygy(Box<SyzygyGrounds>),
    /// A search.
    Search(SearchResult),
}

/// What Syzygy files say of a position in which they choose the move, or leave only some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyzygyGrounds {
    /// The result for the side to move under the fifty-move rule.
    pub category: Category,
    /// The distance to zeroing of the position after the move, for the other side; `None` if there are no files of
    /// distances.
    pub after: Option<Dtz>,
    /// The number of positions looked up.
    pub looked_up: u64,
    /// The number of moves that are equally good.
    pub tied: usize,
    /// The search that chose among them, if there was one.
    pub search: Option<SearchResult>,
}

impl From<PolicyGrounds> for Grounds {
    fn from(grounds: PolicyGrounds) -> Self {
        Self::Policy(grounds)
    }
}

/// The reason why a player makes no move. Without a move it loses the game, unless it was stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Forfeit {
    /// The player has no move.
    #[error("it has no move to offer")]
    NoMove,
    /// Its move is illegal.
    #[error("it offers {0:?}, which is not a legal move")]
    Illegal(String),
    /// The player made no move within a time limit.
    #[error("it gave no move within {0} ms and was stopped")]
    Stalled(u128),
    /// The player does not read its input.
    #[error("it does not read its input and was stopped")]
    NotReading,
    /// The player exited during the game.
    #[error("it has ended: {0}")]
    Crashed(String),
    /// Its work was stopped before it had a move: by the observer, or because a file could not be read.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
