use super::losing_replies::LosingReplies;
use lucena_base::plural::count;
use lucena_base::progress::{Deadline, Observer, Stopped};
use lucena_chess::{Clock, Move};
use lucena_proof::policy::PolicyGrounds;
use lucena_search::{Limit, SearchRequest, SearchResult};
use lucena_tablebase::{Category, Standing};

use std::fmt;
use std::time::{Duration, Instant};

/// A request for a move, and its conditions.
#[derive(Clone, Copy)]
pub struct MoveRequest<'a> {
    /// When the move was asked for: the clock has been running since then.
    pub begun: Instant,
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
        Self { begun: Instant::now(), pace, search }
    }

    /// Returns an observer of the work on tables for the move. Tables that are not at hand are solved on the player's time:
    /// this leaves half of the time for the move, or nine tenths of what a clock has left, to a search.
    pub fn deadline_for_tables(&self) -> Deadline<'a> {
        let time = match self.pace {
            TimeMode::Free | TimeMode::Endless => None,
            TimeMode::Each(time) => Some(time / 2),
            TimeMode::Clocks { own, .. } => Some(own.left / 10),
        };
        Deadline::new(self.search.observer, time.and_then(|time| self.begun.checked_add(time)))
    }

    /// Returns the time control less the time that has passed.
    pub fn pace_left(&self) -> TimeMode {
        let passed = self.begun.elapsed();
        match self.pace {
            TimeMode::Each(time) => TimeMode::Each(time.saturating_sub(passed)),
            TimeMode::Clocks { own, other } => {
                let left = own.left.saturating_sub(passed);
                TimeMode::Clocks { own: Clock { left, ..own }, other }
            }
            pace @ (TimeMode::Free | TimeMode::Endless) => pace,
        }
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
    /// Tables.
    Tables(Box<TableGrounds>),
    /// A search.
    Search(SearchResult),
}

/// What tables say of a position in which they choose the move, or leave only some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableGrounds {
    /// The knowledge of the position after the move, for the other side.
    pub after: Standing,
    /// The number of moves looked up.
    pub looked_up: u64,
    /// The number of moves that are equally good.
    pub tied: usize,
    /// In a drawn position, the replies to the move that lose.
    pub losing: Option<LosingReplies>,
    /// The search that chose among them, if there was one.
    pub search: Option<SearchResult>,
}

impl TableGrounds {
    /// The result for the side that moves, under the fifty-move rule.
    pub fn category(&self) -> Category {
        self.after.category.before_move()
    }
}

impl fmt::Display for TableGrounds {
    /// Writes the source of the move, the result unless it is plain from the distance to mate, and what decided between
    /// equal moves; begins with a small letter and has no full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { after, tied, losing, search, .. } = self;
        let category = self.category();
        f.write_str(match after.outcome {
            Some(_) => "looked up in the table",
            None => "looked up in the Syzygy files",
        })?;
        if after.outcome.is_none() || !matches!(category, Category::Win | Category::Loss) {
            write!(f, ": {}", category.noun())?;
        }
        if let Some(LosingReplies { losing, all }) = losing.filter(|losing| losing.all > 0) {
            let verb = if losing == 1 { "loses" } else { "lose" };
            write!(f, "; {losing} of {} {verb}", count(all.into(), "reply", "replies"))?;
        }
        match search {
            Some(_) => write!(f, "; searched for the best of {tied} moves that are equally good"),
            None => Ok(()),
        }
    }
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
