use lucena_base::progress::Stopped;
use lucena_chess::{Game, Move};
use lucena_tablebase::{RatedMove, RatedMoves, TableLookup, Wdl};
use std::cmp::Ordering;

/// The replies to a move that lose, and all replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LosingReplies {
    /// The number of replies that lose.
    pub losing: u32,
    /// The number of replies.
    pub all: u32,
}

impl LosingReplies {
    /// Counts the replies to a move in a game. Replies of unknown result do not count as losing.
    pub(super) fn new(game: &Game, mv: Move, tables: &TableLookup<'_>) -> Result<Self, Stopped> {
        tables.check()?;
        let mut after = game.clone();
        if after.play(mv).is_err() || after.status().is_over() {
            return Ok(Self { losing: 0, all: 0 });
        }
        let replies = RatedMoves::new(&after, tables)?.moves;
        let loses = |reply: &&RatedMove| reply.after.category.wdl() == Some(Wdl::Win);
        let losing = replies.iter().filter(loses).count() as u32;
        Ok(Self { losing, all: replies.len() as u32 })
    }

    /// The order of the shares. A move without a reply leaves nothing to lose.
    pub(super) fn compare(self, other: Self) -> Ordering {
        let cross = |one: Self, other: Self| u64::from(one.losing) * u64::from(other.all.max(1));
        cross(self, other).cmp(&cross(other, self))
    }
}
