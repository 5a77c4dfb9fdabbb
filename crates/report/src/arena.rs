//! The results of games between players.

use super::{tenths, timed};
use lucena_base::plural::{count, figure, grouped};
use lucena_base::progress::{Observer, Stopped};
use lucena_base::wilson::wilson_95_of;
use lucena_chess::pgn::GameResult;
use lucena_chess::{Color, Side};
use lucena_play::arena::{Arena, ArenaError, ArenaResult, CrossTable, GameEnd, GameRecord, Tally};
use lucena_tablebase::{Outcome, ProbeError, Tablebase};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// The results of games between players.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ArenaReport {
    /// The players, highest score first.
    pub players: Vec<ArenaPlayer>,
    /// The games of each pair of players, a row for each colour.
    pub pairs: Vec<ArenaPair>,
    /// The number of games by how they ended; endings that did not occur are left out.
    pub ends: Vec<ArenaEnding>,
    /// Results with the strong side of endgames, in the order in which the players were named;
    /// empty if no game began in an endgame.
    pub strong_sides: Vec<StrongSideResult>,
    /// Games lost by a fault of the player, not on the board; empty if there were none.
    pub faults: Vec<ArenaFault>,
    /// Games played.
    pub games: u64,
    /// Games requested; more than were played if the run was stopped.
    pub asked: u64,
    /// Games that were already in the file and were not played again.
    pub resumed: u64,
    /// Games of the file of openings that were left out because they cannot be read as games of chess.
    pub openings_left_out: u64,
    /// Mean plies of a game, the opening included; null if none was played.
    pub mean_plies: Option<f64>,
    /// Seconds taken by the games of this run.
    pub seconds: f64,
}

/// A player and its totals over all games.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ArenaPlayer {
    /// Its name.
    pub name: String,
    /// Games played.
    pub games: u64,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub tally: Tally,
    /// One for each win and a half for each draw.
    pub points: f64,
    /// The share of the points, from 0 to 1; null if it has played no game.
    pub score: Option<f64>,
    /// Wilson's 95 % interval of the score: low and high, from 0 to 1; null if it has played no
    /// game.
    pub score_95: Option<(f64, f64)>,
    /// Elo rating, relative to the mean of all rated players; null if all games against the others
    /// went one way, so that no finite rating fits.
    pub elo: Option<f64>,
    /// The 95 % interval of the rating: low and high; null if there is none.
    pub elo_95: Option<(f64, f64)>,
}

/// The games of one player with White against another with Black.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ArenaPair {
    /// The name of the player with White.
    pub white: String,
    /// The name of the player with Black.
    pub black: String,
    /// Games played.
    pub games: u64,
    /// Games that White won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games that White lost.
    pub lost: u64,
}

/// The number of games a player lost by one kind of fault, not on the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ArenaFault {
    /// The name of the player.
    pub name: String,
    /// The fault.
    pub end: GameEnd,
    /// The number of games.
    pub games: u64,
}

/// The number of games that ended in one way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ArenaEnding {
    /// The ending. At the move limit the game is drawn; without a legal move, out of time or after
    /// a crash the player loses.
    pub end: GameEnd,
    /// The number of games.
    pub games: u64,
}

/// Plays the games of an arena: see [`Arena::run`]. The tables give the values of endgames that
/// games begin in.
///
/// # Errors
/// If the file cannot be used, an entrant has no player, or a table file can no longer be read.
pub fn arena(
    arena: &Arena<'_>,
    file: Option<&Path>,
    tablebases: &[Tablebase],
    observer: &dyn Observer,
) -> Result<ArenaReport, ArenaError> {
    let (contest, seconds) = timed(|| arena.run(file, observer));
    let contest = contest?;
    let (table, ratings) = (contest.table(), contest.ratings());
    let named = contest.names.iter().zip(ratings).enumerate();
    let mut players: Vec<ArenaPlayer> = named
        .map(|(at, (name, rating))| {
            let tally = table.of(at);
            let (name, games, points) = (name.clone(), tally.games(), tally.points());
            let (score, score_95) = (tally.score(), tally.score_95());
            let (elo, elo_95) = rating.map(|rating| (rating.elo, rating.elo_95)).unzip();
            ArenaPlayer { name, games, tally, points, score, score_95, elo, elo_95 }
        })
        .collect();
    let share = |player: &ArenaPlayer| player.score.unwrap_or(0.0);
    players.sort_by(|one, other| share(other).total_cmp(&share(one)));
    let games = contest.records.len() as u64;
    let plies: usize = contest.records.iter().map(|record| record.plies).sum();
    let ends = contest.ends();
    Ok(ArenaReport {
        players,
        pairs: pairs(&table, &contest.names),
        strong_sides: by_strong_side(&contest, tablebases)?,
        faults: faults(&contest),
        ends: ends.into_iter().map(|(end, games)| ArenaEnding { end, games }).collect(),
        games,
        asked: contest.asked,
        resumed: contest.resumed,
        openings_left_out: arena.openings().left_out(),
        mean_plies: (games > 0).then(|| plies as f64 / games as f64),
        seconds,
    })
}

impl ArenaReport {
    /// The games of one player against another with both colours, from the first one's point of
    /// view.
    fn between(&self, one: &ArenaPlayer, other: &ArenaPlayer) -> Tally {
        let of = |white: &str, black: &str| -> Tally {
            let pairs = self.pairs.iter();
            pairs.filter(|pair| pair.white == white && pair.black == black).map(tally).sum()
        };
        let mut both = of(&one.name, &other.name);
        both += of(&other.name, &one.name).reversed();
        both
    }

    /// Writes the report as tables with a legend.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { games, asked, resumed, seconds, .. } = *self;
        let played = match games < asked {
            true => format!("{} of {}", grouped(games), count(asked, "game", "games")),
            false => count(games, "game", "games"),
        };
        write!(out, "{} players, {played}", self.players.len())?;
        if let Some(plies) = self.mean_plies {
            let moves = count((plies / 2.0).round_ties_even() as u64, "move", "moves");
            write!(out, " of {moves} on average")?;
        }
        writeln!(out, "\n")?;
        self.write_standing(out)?;
        writeln!(out)?;
        self.write_table(out)?;
        writeln!(out)?;
        let Tally { won, drawn, lost } = self.pairs.iter().map(tally).sum();
        let [won, drawn, lost] = [won, drawn, lost].map(grouped);
        writeln!(out, "{won:>10} won by White\n{drawn:>10} drawn\n{lost:>10} won by Black\n")?;
        for ArenaEnding { end, games } in &self.ends {
            writeln!(out, "{:>10} {}", grouped(*games), ended(*end))?;
        }
        if !self.faults.is_empty() {
            writeln!(out, "\nnot beaten on the board:")?;
        }
        for ArenaFault { name, end, games } in &self.faults {
            writeln!(out, "{:>10} {name}, {}", grouped(*games), ended(*end))?;
        }
        self.write_strong(out)?;
        writeln!(out, "\n{LEGEND}")?;
        if !self.strong_sides.is_empty() {
            writeln!(out, "{STRONG}")?;
        }
        if self.players.iter().any(|player| player.elo.is_none()) {
            writeln!(out, "{UNRATED}")?;
        }
        if self.openings_left_out > 0 {
            let left_out = count(self.openings_left_out, "game", "games");
            writeln!(out, "{left_out} left out of the openings")?;
        }
        match resumed {
            0 => writeln!(out, "played in {seconds:.2} s"),
            _ if resumed == games => writeln!(out, "all of them were in the file already"),
            _ => {
                let before = count(resumed, "game", "games");
                writeln!(out, "{before} taken from the file, the others played in {seconds:.2} s")
            }
        }
    }

    /// Writes a line for each player.
    fn write_standing(&self, out: &mut dyn Write) -> io::Result<()> {
        let room = self.room();
        write!(out, "{:room$}{:>8} {:>7} {:>7}", "", "points", "games", "score")?;
        writeln!(out, "  {:>15}  {:>6}  {:>15}", "likely", "Elo", "likely")?;
        for (at, player) in (1..).zip(&self.players) {
            let ArenaPlayer { name, games, points, score_95, elo_95, .. } = player;
            let (name, games) = (format!("{at:>2}  {name}"), grouped(*games));
            let score = player.score.map_or("-".into(), share);
            let elo = player.elo.map_or("-".into(), signed);
            let [score_95, elo_95] = [likely(*score_95, share), likely(*elo_95, signed)];
            write!(out, "{name:room$}{points:>8.1} {games:>7} {score:>7}")?;
            writeln!(out, "  {score_95:>15}  {elo:>6}  {elo_95:>15}")?;
        }
        Ok(())
    }

    /// Writes the cross table: won, drawn, lost.
    fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let cell = |one: &ArenaPlayer, other: &ArenaPlayer| {
            if one.name == other.name {
                return "·".into();
            }
            let Tally { won, drawn, lost } = self.between(one, other);
            format!("{won}-{drawn}-{lost}")
        };
        let row = |one| self.players.iter().map(|other| cell(one, other)).collect();
        let rows: Vec<Vec<String>> = self.players.iter().map(row).collect();
        let widths = rows.iter().flatten().map(|cell| cell.chars().count());
        let (room, width) = (self.room(), widths.max().unwrap_or(0).max(3));
        let padded = |cells: &[String]| -> String {
            cells.iter().map(|cell| format!("  {cell:>width$}")).collect()
        };
        let numbers: Vec<String> = (1..=rows.len()).map(|at| at.to_string()).collect();
        writeln!(out, "{:room$}{}", "", padded(&numbers))?;
        for ((number, player), row) in numbers.iter().zip(&self.players).zip(&rows) {
            let name = format!("{number:>2}  {}", player.name);
            writeln!(out, "{name:room$}{}", padded(row))?;
        }
        Ok(())
    }

    /// Writes the results with the strong side of endgames.
    fn write_strong(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.strong_sides.is_empty() {
            return Ok(());
        }
        let room = self.room();
        write!(out, "\n{:room$}{:>8} {:>8} ", "with the strong side", "games", "winnable")?;
        writeln!(out, "{:>7} {:>9}  {:>15}  {:>12}", "won", "win rate", "likely", "over optimum")?;
        for row in &self.strong_sides {
            let winnable = row.winnable.map_or("-".into(), grouped);
            write!(out, "{:room$}{:>8} {winnable:>8}", row.name, grouped(row.games))?;
            let rate = row.win_rate.map_or("-".into(), share);
            let (likely, over) = (likely(row.win_rate_95, share), figure(row.mean_excess_moves));
            writeln!(out, " {:>7} {rate:>9}  {likely:>15}  {over:>12}", grouped(row.tally.won))?;
        }
        Ok(())
    }

    /// The width of the column of numbers and names.
    fn room(&self) -> usize {
        self.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0) + 4
    }
}

fn tally(&ArenaPair { won, drawn, lost, .. }: &ArenaPair) -> Tally {
    Tally { won, drawn, lost }
}

/// A row for each ordered pair of players that have met: White, Black.
fn pairs(table: &CrossTable, names: &[String]) -> Vec<ArenaPair> {
    let players = 0..table.players();
    let colors = players.clone().flat_map(|white| players.clone().map(move |black| (white, black)));
    let row = |(white, black): (usize, usize)| {
        let tally = table.as_white(white, black);
        let Tally { won, drawn, lost } = tally;
        let [white, black] = [white, black].map(|at| names[at].clone());
        ArenaPair { white, black, games: tally.games(), won, drawn, lost }
    };
    colors.map(row).filter(|pair| pair.games > 0).collect()
}

/// The faults, in the order of the players.
fn faults(contest: &ArenaResult) -> Vec<ArenaFault> {
    let mut counts: BTreeMap<(usize, GameEnd), u64> = BTreeMap::new();
    for record in &contest.records {
        if !matches!(record.end.termination(), "normal" | "adjudication") {
            let is_blacks = record.result == GameResult::WhiteWins;
            let loser = if is_blacks { record.black } else { record.white };
            *counts.entry((loser, record.end)).or_default() += 1;
        }
    }
    let name = |at: usize| contest.names[at].clone();
    let faults = counts.into_iter();
    faults.map(|((at, end), games)| ArenaFault { name: name(at), end, games }).collect()
}

/// An ending in words.
fn ended(end: GameEnd) -> &'static str {
    match end {
        GameEnd::Checkmate => "by checkmate",
        GameEnd::Stalemate => "by stalemate",
        GameEnd::InsufficientMaterial => "with too few men left to mate",
        GameEnd::FiftyMoves => "by the fifty-move rule",
        GameEnd::ThreefoldRepetition => "by threefold repetition",
        GameEnd::MoveLimit => "drawn at the move limit",
        GameEnd::NoMove => "lost by a player that offered no move",
        GameEnd::IllegalMove => "lost by an illegal move",
        GameEnd::OutOfTime => "lost on time",
        GameEnd::Stalled => "lost by a player that stopped answering",
        GameEnd::Crashed => "lost by a player that quit during the game",
    }
}

/// A share in per cent.
fn share(share: f64) -> String {
    format!("{} %", tenths(share))
}

/// An interval, low and high.
fn likely(interval: Option<(f64, f64)>, format: fn(f64) -> String) -> String {
    interval.map_or("-".into(), |(low, high)| format!("{} … {}", format(low), format(high)))
}

fn signed(elo: f64) -> String {
    format!("{elo:+.0}")
}

const LEGEND: &str = "\
score  the share of the points: 1 for a win, a half for a draw; likely within Wilson's 95 % interval
Elo    relative to the mean of the rated players; likely within the 95 % interval by Fisher's information
table  games won, drawn and lost against the player with that number";

const STRONG: &str = "\
winnable      games that the strong side wins with best play; the win rate is the share of these, if known
over optimum  moves more than best play, on average over the games won by mate";

const UNRATED: &str = "\
-      all games against the others went one way, so that no finite Elo fits";

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
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub tally: Tally,
    /// The share won of the winnable games, or of all games without a table, from 0 to 1; null if
    /// there are none.
    pub win_rate: Option<f64>,
    /// Wilson's 95 % interval of the win rate: low and high, from 0 to 1.
    pub win_rate_95: Option<(f64, f64)>,
    /// Mean moves over the optimum, over the winnable games that it won by mate; null if there are
    /// none, or without a table.
    pub mean_excess_moves: Option<f64>,
}

/// A game with a strong side, from its point of view.
struct StrongSideGame {
    /// The player with the strong side.
    player: usize,
    is_won: bool,
    is_drawn: bool,
    /// True if best play wins; `None` without a table.
    is_winnable: Option<bool>,
    /// Moves over the optimum, if the game is winnable and was won by mate.
    excess_moves: Option<i64>,
}

impl StrongSideGame {
    /// The game, if it began in an endgame with a strong side.
    fn new(record: &GameRecord, tablebases: &[Tablebase]) -> Result<Option<Self>, Stopped> {
        let Some(start) = record.start.endgame else { return Ok(None) };
        let (material, strong, turn) = (start.material(), start.strong(), start.turn());
        let is_won = record.result == GameResult::won_by(strong);
        let is_even = material.roles(Side::Strong).eq(material.roles(Side::Weak));
        // A win by the opponent's fault proves nothing.
        if is_even || (is_won && record.end.is_fault()) {
            return Ok(None);
        }
        let best = tablebases.iter().find_map(|tablebase| match tablebase.probe(&start) {
            Ok(outcome) => Some(Ok(outcome)),
            Err(ProbeError::File(error)) => Some(Err(Stopped::from(error))),
            // Another one may hold the endgame.
            Err(_) => None,
        });
        let best = best.transpose()?;
        let is_winnable = best.map(|best| match turn {
            Side::Strong => matches!(best, Outcome::Win(_)),
            Side::Weak => matches!(best, Outcome::Loss(_)),
        });
        let is_mate = is_won && record.end == GameEnd::Checkmate;
        let best = best.filter(|_| is_mate && is_winnable == Some(true));
        let excess_moves = best.and_then(Outcome::moves).map(|best| {
            let plies = record.plies - record.start.plies;
            let moves = if turn == Side::Strong { plies.div_ceil(2) } else { plies / 2 };
            moves as i64 - i64::from(best)
        });
        let player = if strong == Color::White { record.white } else { record.black };
        let is_drawn = record.result == GameResult::Draw;
        Ok(Some(Self { player, is_won, is_drawn, is_winnable, excess_moves }))
    }
}

/// A row for each player that had the strong side of an endgame, in the order of the players.
fn by_strong_side(
    contest: &ArenaResult,
    tablebases: &[Tablebase],
) -> Result<Vec<StrongSideResult>, Stopped> {
    let records = contest.records.iter();
    let games = records.filter_map(|record| StrongSideGame::new(record, tablebases).transpose());
    let games: Vec<StrongSideGame> = games.collect::<Result<_, Stopped>>()?;
    let rows = contest.names.iter().enumerate().map(|(at, name)| {
        let own = games.iter().filter(|game| game.player == at);
        row(name, &own.collect::<Vec<_>>())
    });
    Ok(rows.filter(|row| row.games > 0).collect())
}

fn row(name: &str, games: &[&StrongSideGame]) -> StrongSideResult {
    let count =
        |is: fn(&StrongSideGame) -> bool| games.iter().filter(|game| is(game)).count() as u64;
    let all = games.len() as u64;
    let (won, drawn) = (count(|game| game.is_won), count(|game| game.is_drawn));
    let is_known = games.iter().all(|game| game.is_winnable.is_some());
    let winnable = is_known.then(|| count(|game| game.is_winnable == Some(true)));
    let won_of = match winnable {
        Some(_) => count(|game| game.is_won && game.is_winnable == Some(true)),
        None => won,
    };
    let of = winnable.unwrap_or(all);
    let excess: Vec<i64> = games.iter().filter_map(|game| game.excess_moves).collect();
    let mean = excess.iter().sum::<i64>() as f64 / excess.len() as f64;
    StrongSideResult {
        name: name.into(),
        games: all,
        winnable,
        tally: Tally { won, drawn, lost: all - won - drawn },
        win_rate: (of > 0).then(|| won_of as f64 / of as f64),
        win_rate_95: (of > 0).then(|| wilson_95_of(won_of as f64, of as f64)),
        mean_excess_moves: (!excess.is_empty()).then_some(mean),
    }
}
