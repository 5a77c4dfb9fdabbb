use super::{CrossTable, End, Rating, Record, ratings};
use std::collections::BTreeMap;

/// What the games of an arena came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contest {
    /// The names of the players, in the order in which they entered.
    pub names: Vec<String>,
    /// How many games were to be played.
    pub asked: u64,
    /// How many of them stood in the file already.
    pub resumed: u64,
    /// The games that were played, in the order of their numbers: fewer than were asked for where the
    /// work was stopped.
    pub records: Vec<Record>,
}

impl Contest {
    /// Who came to what against whom.
    pub fn table(&self) -> CrossTable {
        CrossTable::of_records(self.names.len(), &self.records)
    }

    /// How strong each player is; nothing for those who cannot be compared: see [`ratings`].
    pub fn ratings(&self) -> Vec<Option<Rating>> {
        ratings(&self.table())
    }

    /// How often each thing ended a game.
    pub fn ends(&self) -> BTreeMap<End, u64> {
        let mut ends = BTreeMap::new();
        for record in &self.records {
            *ends.entry(record.end).or_default() += 1;
        }
        ends
    }
}
