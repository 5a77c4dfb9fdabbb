use super::file_kind::{load_book, load_player, read_as};
use super::number::{number, number_of, seconds};
use super::output::{
    ProgressDisplay, ReportArgs, check_outputs, check_resumable, note_about, note_written,
};
use super::player_args::check_start;
use super::tables::TableArgs;
use super::{Failure, Result, interrupt};
use lucena::arena::{Arena, ArenaClock, ArenaParams, Entrant, GameDate, Openings};
use lucena::book::SharedBook;
use lucena::chess::{Game, TimeControl};
use lucena::dataset::Day;
use lucena::engine::{Engine, EngineSpec};
use lucena::report;
use lucena::roster::{LoadedPlayer, PlayerName, RosterEntrant};
use lucena_files::load;
use lucena_model::FileKind;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// The default number of random plies before a game.
const RANDOM_PLIES: u16 = 6;

/// Let players compete: every pair plays from the same openings with both colours
///
/// Players of lucena and programs that speak UCI can take part together. The same seed gives the same games on any
/// machine, apart from their date, unless players go by the clock. Games that the file of --pgn already holds are not
/// played again: an interrupted match continues, and a larger --games adds more. A game is drawn by the rules or at the
/// move limit; it is lost by mate, by an illegal move, on time, or by a program that exits or stops answering. For games
/// that begin in an endgame, the report also has the results of each player with the strong side.
#[derive(clap::Args)]
#[command(visible_alias = "arena")]
#[command(after_help = "Examples:
  lucena match search:depth=2 search:depth=3 random --games 20
  lucena match search random --games 1000 --clock 10+0.1 --pgn games.pgn
  lucena match search:depth=3 --engine cmd=stockfish --games 10 --clock 40/1:00+0.5
  lucena match theory search:depth=4 --fen '8/8/8/3k4/8/8/8/K6R w' --games 10 --format json
  lucena match search --engine 'cmd=stockfish option.UCI_LimitStrength=true option.UCI_Elo=1500' \\
    --movetime 0.1 --concurrency 2 --openings openings.epd

The settings of searches and engines: lucena help players")]
pub(super) struct Match {
    /// Two or more players, counting the engines: see "lucena help players". Those of an endgame need --fen or --openings
    #[arg(value_name = "PLAYER", required_unless_present = "engines")]
    players: Vec<PlayerName>,
    /// A program that speaks UCI, such as cmd=stockfish
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<EngineSpec>,
    /// The number of games of each pair: two from every opening
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number_of::<u64>("games", 2..))]
    games: u64,
    /// The seed of the openings and of all players
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    /// Write the games to a PGN file, and continue with those that it holds
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Openings: a FEN or an EPD in each line, or games as PGN
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "random_plies"])]
    openings: Option<PathBuf>,
    /// The position from which games start [default: the initial one]
    #[arg(long = "fen", alias = "from", value_name = "FEN")]
    from: Option<Game>,
    /// The number of random plies in each opening [default: 6, and with --fen none]
    #[arg(long, value_name = "N", value_parser = number_of::<u16>("plies", ..))]
    random_plies: Option<u16>,
    /// A clock for each player, in seconds: 60, 10+0.1 with an increment, 40/60+1 for each 40 moves
    #[arg(long = "clock", alias = "tc", value_name = "TIME", conflicts_with = "movetime")]
    tc: Option<TimeControl>,
    /// The time for each move, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds())]
    movetime: Option<Duration>,
    /// The seconds by which a player may exceed its time
    #[arg(long, value_name = "SECONDS", value_parser = seconds(), default_value = "0.1")]
    margin: Duration,
    /// The seconds beyond its time after which an engine counts as stalled
    #[arg(long, value_name = "SECONDS", value_parser = seconds(), default_value = "10")]
    patience: Duration,
    /// The number of games played at the same time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = number_of::<NonZeroUsize>("games", ..))]
    concurrency: Option<NonZeroUsize>,
    /// Call a game a draw after this many moves
    #[arg(long = "max-moves", alias = "most-moves", value_name = "N", default_value_t = ArenaParams::MAX_MOVES, value_parser = number_of::<u16>("moves", ..))]
    most_moves: u16,
    /// Use mined players in the endgames for which this build has code
    #[arg(long)]
    endgames: bool,
    /// Play the opening from a Polyglot book
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// The variable by which programs agree on the date of what they write: see
/// <https://reproducible-builds.org/specs/source-date-epoch/>.
const DATE_VARIABLE: &str = "SOURCE_DATE_EPOCH";

impl Match {
    /// Plays the games and reports them, even if Ctrl-C ends the match.
    pub(super) fn run(self) -> Result<()> {
        let pgn = ("--pgn", self.pgn.as_deref());
        check_resumable(pgn)?;
        check_outputs(&[pgn])?;
        let threads = self.concurrency.map_or(0, NonZeroUsize::get);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|_| {
            Failure::usage(format!("{threads} games at the same time are too many: ask for fewer"))
        })?;
        let players: Vec<LoadedPlayer> =
            self.players.iter().map(load_player).collect::<Result<_, _>>()?;
        let book = self.book.as_deref().map(load_book).transpose()?;
        let book = book.map(SharedBook::new);
        let (params, date) = (self.params()?, self.date()?);
        let endgames = params.openings.endgames();
        let remedy = "by --fen '8/8/8/3k4/8/8/8/K6R w', or by --openings";
        check_start(&players, !endgames.is_empty(), remedy)?;
        let tablebases = self.tables.solve_for(&players, endgames, self.endgames)?;
        let folder = self.tables.folder();
        let entry = |player| -> Result<RosterEntrant<'_>> {
            let mut entry = RosterEntrant::new(player, &tablebases)?.with_folder(&folder);
            entry.book = book.as_ref();
            Ok(if self.endgames { entry.with_endgames() } else { entry })
        };
        let entries: Vec<RosterEntrant<'_>> =
            players.iter().map(entry).collect::<Result<_, _>>()?;
        let bar = ProgressDisplay::new();
        let start = |spec: &EngineSpec| Engine::new(spec.clone(), self.patience, &bar);
        let engines: Vec<Engine> = self.engines.iter().map(start).collect::<Result<_, _>>()?;
        let entrants = entries.iter().map(|entry| entry as &dyn Entrant);
        let entrants = entrants.chain(engines.iter().map(|engine| engine as &dyn Entrant));
        let arena = Arena::new(entrants.collect(), params)?.with_date(date);
        interrupt::report_when_stopped();
        let pgn = self.pgn.as_deref();
        let contest = || pool.install(|| report::arena(&arena, pgn, &tablebases, &bar));
        let contested = match pgn {
            Some(path) => read_as(path, &[FileKind::Games], contest)?,
            None => contest()?,
        };
        drop(bar);
        if let Some(path) = &self.pgn {
            note_written(path);
        }
        self.report.write(&contested, |out| contested.write_text(out))?;
        if interrupt::is_requested() { Err(Failure::Stopped) } else { Ok(()) }
    }

    fn params(&self) -> Result<ArenaParams> {
        let Self { games, seed, margin, most_moves, .. } = *self;
        let timing = match (self.tc, self.movetime) {
            (Some(control), _) => ArenaClock::Clock(control),
            (None, Some(time)) if time.is_zero() => {
                return Err(Failure::usage(
                    "the time for a move is zero: give a longer --movetime",
                ));
            }
            (None, Some(time)) => ArenaClock::Each(time),
            (None, None) => ArenaClock::Free,
        };
        let openings = match &self.openings {
            Some(path) => {
                let kinds = &[FileKind::Games, FileKind::Positions];
                let (openings, log) = read_as(path, kinds, || load(path, Openings::parse))?;
                note_about(path, &log.to_strings());
                openings
            }
            None => {
                let usual = if self.from.is_some() { 0 } else { RANDOM_PLIES };
                let from = self.from.clone().unwrap_or_default();
                Openings::random(from, self.random_plies.unwrap_or(usual))?
            }
        };
        Ok(ArenaParams { games, seed, openings, timing, margin, most_moves })
    }

    /// The date of the games in their file.
    fn date(&self) -> Result<GameDate> {
        match std::env::var_os(DATE_VARIABLE) {
            _ if self.pgn.is_none() => Ok(GameDate::Unknown),
            None => Ok(GameDate::Begun),
            Some(text) => {
                let seconds = text.to_str().and_then(|text| text.parse().ok());
                let time = seconds.and_then(|seconds| {
                    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
                });
                time.and_then(Day::from_time).map(GameDate::On).ok_or_else(|| {
                    Failure::usage(format!(
                        "{DATE_VARIABLE}={} is not a date: set it to the seconds since 1970, as 1767225600 for 2026-01-01, or unset it",
                        text.to_string_lossy()
                    ))
                })
            }
        }
    }
}
