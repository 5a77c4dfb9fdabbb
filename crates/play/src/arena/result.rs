use super::{CrossTable, GameEnd, GameRecord, Rating, ratings};
use std::collections::BTreeMap;

/// The result of an arena.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArenaResult {
    /// The names of the players, in the order in which they entered.
    pub names: Vec<String>,
    /// The number of games in the schedule.
    pub asked: u64,
    /// The number of games that were in the file already.
    pub resumed: u64,
    /// The games played, ordered by number: not all of them if the work was stopped.
    pub records: Vec<GameRecord>,
}

impl ArenaResult {
    /// The cross table of the games.
    pub fn table(&self) -> CrossTable {
        CrossTable::of_records(self.names.len(), &self.records)
    }

    /// The rating of each player; `None` for players that cannot be compared: see [`ratings`].
    pub fn ratings(&self) -> Vec<Option<Rating>> {
        ratings(&self.table())
    }

    /// The number of games for each kind of end.
    pub fn ends(&self) -> BTreeMap<GameEnd, u64> {
        let mut ends = BTreeMap::new();
        for record in &self.records {
            *ends.entry(record.end).or_default() += 1;
        }
        ends
    }
}
