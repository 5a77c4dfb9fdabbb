//! What games between players came to.

use super::arena_strong::{ContestedStrong, by_strong_side};
use super::timed;
use lucena_base::words::{count, grouped};
use lucena_base::work::Watch;
use lucena_chess::pgn::GameResult;
use lucena_play::arena::{Arena, ArenaError, Contest, CrossTable, End, Tally};
use lucena_tablebase::Tablebase;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// What games between players came to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Contested {
    /// The players, the one with the largest share of the points first.
    pub players: Vec<ContestedPlayer>,
    /// The games of every two players, a row for each colour.
    pub pairs: Vec<ContestedPair>,
    /// How games ended, and how many; ends that did not happen are left out.
    pub ends: Vec<ContestedEnd>,
    /// What players came to with the strong side of endgames, in the order in which they were named; empty
    /// where no game began in one.
    pub strong_sides: Vec<ContestedStrong>,
    /// What went wrong with players: games that they lost without being beaten on the board; empty where
    /// nothing did.
    pub faults: Vec<ContestedFault>,
    /// Games played.
    pub games: u64,
    /// Games that were to be played: more than were played where the work was stopped.
    pub asked: u64,
    /// Games that stood in the file already and were not played again.
    pub resumed: u64,
    /// Plies of a game on average, those of the opening included; null where none was played.
    pub mean_plies: Option<f64>,
    /// Seconds that the games took this time.
    pub seconds: f64,
}

/// A player and all its games.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ContestedPlayer {
    /// Its name.
    pub name: String,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
    /// One for each win and a half for each draw.
    pub points: f64,
    /// The share of the points, from 0 to 1; null where it has played no game.
    pub score: Option<f64>,
    /// Wilson's interval of the score at 95 %: low and high, from 0 to 1; null where it has played no
    /// game.
    pub score_95: Option<(f64, f64)>,
    /// Its strength in Elo's points, the mean of all that are rated being 0; null where all between it
    /// and the others went one way, so that no number is large or small enough.
    pub elo: Option<f64>,
    /// The interval of the strength at 95 %: low and high; null where there is none.
    pub elo_95: Option<(f64, f64)>,
}

/// The games of one player with White against another with Black.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ContestedPair {
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

/// How often a player lost without being beaten on the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ContestedFault {
    /// The name of the player.
    pub name: String,
    /// What it lost by.
    pub end: End,
    /// How many games.
    pub games: u64,
}

/// How often something ended a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ContestedEnd {
    /// What ended the games. By a move limit a game is drawn; without a legal move, out of time,
    /// and by a player that is gone, it is lost.
    pub end: End,
    /// How many games.
    pub games: u64,
}

/// Plays the games of an arena: see [`Arena::run`]. Tables say what endgames that games began in are worth.
///
/// # Errors
/// When the file cannot be used, or an entrant has no player.
pub fn arena(
    arena: &Arena<'_>,
    file: Option<&Path>,
    tablebases: &[Tablebase],
    watch: &dyn Watch,
) -> Result<Contested, ArenaError> {
    let (contest, seconds) = timed(|| arena.run(file, watch));
    Ok(Contested::new(&contest?, tablebases, seconds))
}

impl Contested {
    /// The report on games that were played.
    pub fn new(contest: &Contest, tablebases: &[Tablebase], seconds: f64) -> Self {
        let (table, ratings) = (contest.table(), contest.ratings());
        let named = contest.names.iter().zip(ratings).enumerate();
        let mut players: Vec<ContestedPlayer> = named
            .map(|(at, (name, rating))| {
                let tally = table.of(at);
                let Tally { won, drawn, lost } = tally;
                ContestedPlayer {
                    name: name.clone(),
                    games: tally.games(),
                    won,
                    drawn,
                    lost,
                    points: tally.points(),
                    score: tally.score(),
                    score_95: tally.score_95(),
                    elo: rating.map(|rating| rating.elo),
                    elo_95: rating.map(|rating| rating.elo_95),
                }
            })
            .collect();
        let share = |player: &ContestedPlayer| player.score.unwrap_or(0.0);
        players.sort_by(|one, other| share(other).total_cmp(&share(one)));
        let games = contest.records.len() as u64;
        let plies: usize = contest.records.iter().map(|record| record.plies).sum();
        let ends = contest.ends();
        Self {
            players,
            pairs: pairs(&table, &contest.names),
            strong_sides: by_strong_side(contest, tablebases),
            faults: faults(contest),
            ends: ends.into_iter().map(|(end, games)| ContestedEnd { end, games }).collect(),
            games,
            asked: contest.asked,
            resumed: contest.resumed,
            mean_plies: (games > 0).then(|| plies as f64 / games as f64),
            seconds,
        }
    }

    /// The games of one player against another with both colours, as the first sees them.
    fn between(&self, one: &ContestedPlayer, other: &ContestedPlayer) -> Tally {
        let of = |white: &str, black: &str| -> Tally {
            let pairs = self.pairs.iter();
            let of_both = pairs.filter(|pair| pair.white == white && pair.black == black);
            of_both.map(|&ContestedPair { won, drawn, lost, .. }| Tally { won, drawn, lost }).sum()
        };
        let mut both = of(&one.name, &other.name);
        both += of(&other.name, &one.name).turned();
        both
    }

    /// The report as tables with a legend.
    ///
    /// # Errors
    /// When it cannot be written.
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
        self.write_colors(out)?;
        for ContestedEnd { end, games } in &self.ends {
            writeln!(out, "{:>10} {}", grouped(*games), ended(*end))?;
        }
        self.write_faults(out)?;
        self.write_strong(out)?;
        writeln!(out, "\n{LEGEND}")?;
        if !self.strong_sides.is_empty() {
            writeln!(out, "{STRONG}")?;
        }
        if self.players.iter().any(|player| player.elo.is_none()) {
            writeln!(out, "{UNRATED}")?;
        }
        match resumed {
            0 => writeln!(out, "played in {seconds:.2} s"),
            _ if resumed == games => writeln!(out, "all of them stood in the file"),
            _ => {
                let before = count(resumed, "game", "games");
                writeln!(out, "{before} stood in the file, the rest was played in {seconds:.2} s")
            }
        }
    }

    /// A line for each player.
    fn write_standing(&self, out: &mut dyn Write) -> io::Result<()> {
        let room = self.room();
        write!(out, "{:room$}{:>8} {:>7} {:>7}", "", "points", "games", "score")?;
        writeln!(out, "  {:>15}  {:>6}  {:>15}", "likely", "Elo", "likely")?;
        for (at, player) in (1..).zip(&self.players) {
            let ContestedPlayer { name, games, points, .. } = player;
            let name = format!("{at:>2}  {name}");
            write!(out, "{name:room$}{points:>8.1} {:>7}", grouped(*games))?;
            let interval = |low: String, high: String| format!("{low} … {high}");
            let score = player.score.map_or("-".into(), share);
            let likely = player.score_95.map(|(low, high)| interval(share(low), share(high)));
            write!(out, " {score:>7}  {:>15}", likely.unwrap_or("-".into()))?;
            let elo = player.elo.map_or("-".into(), signed);
            let likely = player.elo_95.map(|(low, high)| interval(signed(low), signed(high)));
            writeln!(out, "  {elo:>6}  {:>15}", likely.unwrap_or("-".into()))?;
        }
        Ok(())
    }

    /// Everybody against everybody: won, drawn, lost.
    fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let cell = |one: &_, other: &_| {
            let Tally { won, drawn, lost } = self.between(one, other);
            format!("{won}-{drawn}-{lost}")
        };
        let rows: Vec<Vec<String>> = self
            .players
            .iter()
            .map(|one| {
                let others = self.players.iter();
                let cell = |other: &ContestedPlayer| match one.name == other.name {
                    true => "·".into(),
                    false => cell(one, other),
                };
                others.map(cell).collect()
            })
            .collect();
        let room = self.room();
        let width =
            rows.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(0).max(3);
        write!(out, "{:room$}", "")?;
        for at in 1..=rows.len() {
            write!(out, "  {at:>width$}")?;
        }
        writeln!(out)?;
        for ((at, player), row) in (1..).zip(&self.players).zip(&rows) {
            let name = format!("{at:>2}  {}", player.name);
            write!(out, "{name:room$}")?;
            for cell in row {
                write!(out, "  {cell:>width$}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// What White and Black came to, whoever they were.
    fn write_colors(&self, out: &mut dyn Write) -> io::Result<()> {
        let pairs = self.pairs.iter();
        let all = pairs.map(|&ContestedPair { won, drawn, lost, .. }| Tally { won, drawn, lost });
        let Tally { won, drawn, lost } = all.sum();
        let [won, drawn, lost] = [won, drawn, lost].map(grouped);
        writeln!(out, "{won:>10} won by White\n{drawn:>10} drawn\n{lost:>10} won by Black\n")
    }

    /// Who lost without being beaten.
    fn write_faults(&self, out: &mut dyn Write) -> io::Result<()> {
        if !self.faults.is_empty() {
            writeln!(out, "\nnot beaten on the board:")?;
        }
        for ContestedFault { name, end, games } in &self.faults {
            writeln!(out, "{:>10} {name}, {}", grouped(*games), ended(*end))?;
        }
        Ok(())
    }

    /// What players came to with the strong side of endgames.
    fn write_strong(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.strong_sides.is_empty() {
            return Ok(());
        }
        let room = self.room();
        write!(
            out,
            "\n{:room$}{:>8} {:>8} {:>7}",
            "with the strong side", "games", "winnable", "won"
        )?;
        writeln!(out, " {:>9}  {:>15}  {:>12}", "win rate", "likely", "over optimum")?;
        for row in &self.strong_sides {
            let winnable = row.winnable.map_or("-".into(), grouped);
            write!(out, "{:room$}{:>8} {winnable:>8}", row.name, grouped(row.games))?;
            let rate = row.win_rate.map_or("-".into(), share);
            let likely = row
                .win_rate_95
                .map_or("-".into(), |(low, high)| format!("{} … {}", share(low), share(high)));
            let over = row.mean_excess_moves.map_or("-".into(), |moves| format!("{moves:.2}"));
            writeln!(out, " {:>7} {rate:>9}  {likely:>15}  {over:>12}", grouped(row.won))?;
        }
        Ok(())
    }

    /// The room for a number and a name.
    fn room(&self) -> usize {
        self.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0) + 4
    }
}

/// A row for every two players that have met, by colour.
fn pairs(table: &CrossTable, names: &[String]) -> Vec<ContestedPair> {
    let players = 0..table.players();
    let colors = players.clone().flat_map(|white| players.clone().map(move |black| (white, black)));
    let row = |(white, black): (usize, usize)| {
        let tally = table.as_white(white, black);
        let Tally { won, drawn, lost } = tally;
        let [white, black] = [white, black].map(|at| names[at].clone());
        ContestedPair { white, black, games: tally.games(), won, drawn, lost }
    };
    colors.map(row).filter(|pair| pair.games > 0).collect()
}

/// Who lost by what without being beaten, by the order of the players.
fn faults(contest: &Contest) -> Vec<ContestedFault> {
    let mut counts: BTreeMap<(usize, End), u64> = BTreeMap::new();
    for record in &contest.records {
        if !matches!(record.end.termination(), "normal" | "adjudication") {
            let loser =
                if record.result == GameResult::WhiteWins { record.black } else { record.white };
            *counts.entry((loser, record.end)).or_default() += 1;
        }
    }
    let named = |((at, end), games): ((usize, End), u64)| ContestedFault {
        name: contest.names[at].clone(),
        end,
        games,
    };
    counts.into_iter().map(named).collect()
}

/// How games ended, for people.
fn ended(end: End) -> &'static str {
    match end {
        End::Checkmate => "by checkmate",
        End::Stalemate => "by stalemate",
        End::InsufficientMaterial => "with too few men left to mate",
        End::FiftyMoves => "by the fifty-move rule",
        End::ThreefoldRepetition => "by the same position for the third time",
        End::MoveLimit => "called a draw at the move limit",
        End::NoMove => "lost by a player without a move to offer",
        End::IllegalMove => "lost by an illegal move",
        End::OutOfTime => "lost on time",
        End::Stalled => "lost by a player that said nothing any more",
        End::Crashed => "lost by a player that ended in the midst of the game",
    }
}

/// A share in per cent that never rounds up to all or down to nothing.
fn share(share: f64) -> String {
    match share {
        1.0 => "100 %".into(),
        0.0 => "0 %".into(),
        share => format!("{:.1} %", (100.0 * share).clamp(0.1, 99.9)),
    }
}

fn signed(elo: f64) -> String {
    format!("{elo:+.0}")
}

const LEGEND: &str = "\
score  the share of the points: 1 for a win, a half for a draw; likely within Wilson's interval at 95 %
Elo    beside the mean of those who are rated; likely within the interval of 95 % by Fisher's information
table  games won, drawn and lost against the player with that number";

const STRONG: &str = "\
winnable      games that the strong side wins with best play; the win rate is the share of these, where known
over optimum  moves more than best play takes, on average over the games that it won by mate";

const UNRATED: &str = "\
-      all between this player and the others went one way: no number of Elo's is far enough from theirs";
