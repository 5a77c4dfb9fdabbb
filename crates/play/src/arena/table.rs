use super::GameRecord;
use lucena_base::wilson::wilson_95_of;
use lucena_chess::pgn::GameResult;
use schemars::JsonSchema;
use serde::Serialize;
use std::ops::AddAssign;

/// The numbers of games won, drawn and lost by one side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Tally {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

impl Tally {
    /// The number of games.
    pub fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// One point for a win, a half for a draw.
    pub fn points(self) -> f64 {
        self.won as f64 + self.drawn as f64 / 2.0
    }

    /// The share of the points, from 0 to 1; `None` if no game was played.
    pub fn score(self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The 95 % Wilson interval of the score: low and high, from 0 to 1; `None` if no game was
    /// played. Draws make it too wide rather than too narrow.
    pub fn score_95(self) -> Option<(f64, f64)> {
        (self.games() > 0).then(|| wilson_95_of(self.points(), self.games() as f64))
    }

    /// The tally of the same games for the other side.
    pub fn reversed(self) -> Self {
        Self { won: self.lost, drawn: self.drawn, lost: self.won }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, more: Self) {
        self.won += more.won;
        self.drawn += more.drawn;
        self.lost += more.lost;
    }
}

impl std::iter::Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |mut all, tally| {
            all += tally;
            all
        })
    }
}

/// The results of players against one another, by colour.
///
/// ```
/// use lucena_play::arena::{CrossTable, Tally};
///
/// let mut table = CrossTable::new(2);
/// table.add(0, 1, Tally { won: 3, drawn: 1, lost: 0 });
/// table.add(1, 0, Tally { won: 1, drawn: 0, lost: 2 });
/// assert_eq!(table.between(0, 1), Tally { won: 5, drawn: 1, lost: 1 });
/// assert_eq!(table.of(1).points(), 1.5);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossTable {
    players: usize,
    /// The tallies of each player as White against each other player.
    cells: Vec<Tally>,
}

impl CrossTable {
    /// An empty table for a number of players.
    pub fn new(players: usize) -> Self {
        Self { players, cells: vec![Tally::default(); players * players] }
    }

    /// The table of games.
    pub(super) fn of_records<'r>(
        players: usize,
        records: impl IntoIterator<Item = &'r GameRecord>,
    ) -> Self {
        let mut table = Self::new(players);
        for record in records {
            let tally = match record.result {
                GameResult::WhiteWins => Tally { won: 1, ..Tally::default() },
                GameResult::BlackWins => Tally { lost: 1, ..Tally::default() },
                GameResult::Draw => Tally { drawn: 1, ..Tally::default() },
                // An arena finishes all its games.
                GameResult::Unknown => Tally::default(),
            };
            table.add(record.white, record.black, tally);
        }
        table
    }

    /// Adds games of `white` against `black`, counted for White.
    ///
    /// # Panics
    /// If there is no such player.
    pub fn add(&mut self, white: usize, black: usize, tally: Tally) {
        let at = self.at(white, black);
        self.cells[at] += tally;
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// The tally of one player as White against another.
    ///
    /// # Panics
    /// If there is no such player.
    pub fn as_white(&self, white: usize, black: usize) -> Tally {
        self.cells[self.at(white, black)]
    }

    /// The tally of one player against another with both colours.
    ///
    /// # Panics
    /// If there is no such player.
    pub fn between(&self, one: usize, other: usize) -> Tally {
        let mut both = self.as_white(one, other);
        both += self.as_white(other, one).reversed();
        both
    }

    /// The tally of a player against all others.
    ///
    /// # Panics
    /// If there is no such player.
    pub fn of(&self, player: usize) -> Tally {
        let others = (0..self.players).filter(|&other| other != player);
        others.map(|other| self.between(player, other)).sum()
    }

    fn at(&self, white: usize, black: usize) -> usize {
        assert!(white < self.players && black < self.players, "there is no such player");
        white * self.players + black
    }
}
