//! Results with the strong side of endgames.

use lucena_base::wilson::wilson_95_of;
use lucena_chess::pgn::GameResult;
use lucena_chess::{Color, Position, Side};
use lucena_play::arena::{ArenaResult, GameEnd, GameRecord};
use lucena_tablebase::{Outcome, Tablebase};
use schemars::JsonSchema;
use serde::Serialize;

/// A player's results with the strong side of endgames.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StrongSideResult {
    /// The name of the player.
    pub name: String,
    /// Games in which it had the strong side, without those that the other side lost by a fault of
    /// its own: a crash, no answer, no move or an illegal move.
    pub games: u64,
    /// Those of them that best play wins from the start; null without a table.
    pub winnable: Option<u64>,
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
    /// The share won of the winnable games, or of all games without a table, from 0 to 1; null if
    /// there are none.
    pub win_rate: Option<f64>,
    /// Wilson's 95 % interval of the win rate: low and high, from 0 to 1.
    pub win_rate_95: Option<(f64, f64)>,
    /// Mean moves over the optimum, over the winnable games that it won by mate; null if there are
    /// none, or without a table.
    pub mean_excess_moves: Option<f64>,
}

/// A game with a strong side.
struct StrongSideGame<'r> {
    record: &'r GameRecord,
    start: Position,
    best: Option<Outcome>,
}

impl StrongSideGame<'_> {
    /// The game, if it began in an endgame with a strong side.
    fn of<'r>(record: &'r GameRecord, tablebases: &[Tablebase]) -> Option<StrongSideGame<'r>> {
        let start = record.start.endgame?;
        let material = start.material();
        let is_even = material.roles(Side::Strong).eq(material.roles(Side::Weak));
        let mut tablebases = tablebases.iter();
        let best = tablebases.find_map(|tablebase| tablebase.probe(&start).ok());
        let game = StrongSideGame { record, start, best };
        // A win by the opponent's fault proves nothing.
        let is_given = game.is_won() && record.end.is_fault();
        (!is_even && !is_given).then_some(game)
    }

    /// The player with the strong side.
    fn player(&self) -> usize {
        match self.start.strong() {
            Color::White => self.record.white,
            Color::Black => self.record.black,
        }
    }

    /// Returns true if best play wins for the strong side; `None` without a table.
    fn is_winnable(&self) -> Option<bool> {
        self.best.map(|best| match self.start.turn() {
            Side::Strong => matches!(best, Outcome::Win(_)),
            Side::Weak => matches!(best, Outcome::Loss(_)),
        })
    }

    fn is_won(&self) -> bool {
        self.record.result == GameResult::won_by(self.start.strong())
    }

    fn is_drawn(&self) -> bool {
        self.record.result == GameResult::Draw
    }

    /// Moves over the optimum, if the game is winnable and was won by mate.
    fn excess_moves(&self) -> Option<i64> {
        let best = self.best?.moves().filter(|_| self.is_winnable() == Some(true))?;
        let plies = self.record.plies - self.record.start.plies;
        let moves = match self.start.turn() {
            Side::Strong => plies.div_ceil(2),
            Side::Weak => plies / 2,
        };
        (self.is_won() && self.record.end == GameEnd::Checkmate)
            .then(|| moves as i64 - i64::from(best))
    }
}

/// A row for each player that had the strong side of an endgame, in the order of the players.
pub(super) fn by_strong_side(
    contest: &ArenaResult,
    tablebases: &[Tablebase],
) -> Vec<StrongSideResult> {
    let games: Vec<StrongSideGame<'_>> = contest
        .records
        .iter()
        .filter_map(|record| StrongSideGame::of(record, tablebases))
        .collect();
    let rows = contest.names.iter().enumerate().map(|(at, name)| {
        let own: Vec<&StrongSideGame<'_>> =
            games.iter().filter(|game| game.player() == at).collect();
        row(name, &own)
    });
    rows.filter(|row| row.games > 0).collect()
}

fn row(name: &str, games: &[&StrongSideGame<'_>]) -> StrongSideResult {
    let count = |is: &dyn Fn(&StrongSideGame<'_>) -> bool| {
        games.iter().filter(|game| is(game)).count() as u64
    };
    let all = games.len() as u64;
    let (won, drawn) = (count(&|game| game.is_won()), count(&|game| game.is_drawn()));
    let is_known = games.iter().all(|game| game.best.is_some());
    let winnable = is_known.then(|| count(&|game| game.is_winnable() == Some(true)));
    let won_of = match winnable {
        Some(_) => count(&|game| game.is_won() && game.is_winnable() == Some(true)),
        None => won,
    };
    let of = winnable.unwrap_or(all);
    let excess: Vec<i64> = games.iter().filter_map(|game| game.excess_moves()).collect();
    let mean = excess.iter().sum::<i64>() as f64 / excess.len() as f64;
    StrongSideResult {
        name: name.into(),
        games: all,
        winnable,
        won,
        drawn,
        lost: all - won - drawn,
        win_rate: (of > 0).then(|| won_of as f64 / of as f64),
        win_rate_95: (of > 0).then(|| wilson_95_of(won_of as f64, of as f64)),
        mean_excess_moves: (!excess.is_empty()).then_some(mean),
    }
}
