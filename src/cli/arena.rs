use super::output::{Bar, Report, wrote};
use super::tables::Tables;
use super::{Failure, interrupt};
use lucena::arena::{self, ArenaParams, Entrant, Openings};
use lucena::book::Book;
use lucena::chess::{Clock, Game, Material};
use lucena::report;
use lucena::roster::{Entry, LoadedPlayer, PlayerName, mined};
use lucena::tablebase::Tablebase;
use lucena_files::load;
use std::path::PathBuf;

/// How many random plies games begin with if nothing else is asked for.
const RANDOM_PLIES: u16 = 6;

/// Let players meet: every pair of them, from the same openings, with colours exchanged
///
/// The same seed plays the same games on any machine, unless players go by the clock. With --pgn, games
/// that stand in the file already are not played again: what was interrupted goes on, and more --games
/// are added. A game is drawn by the rules or at the move limit; it is lost by mate, by a player without
/// a legal move to offer, or on time.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena arena search:depth=2 search:depth=3 random --games 20
  lucena arena search random --games 1000 --clock 10+0.1 --pgn games.pgn
  lucena arena theory search:depth=4 --from '8/8/8/3k4/8/8/8/K6R w' --games 10 --format json

The settings of a search, with commas between them:
  depth=6, nodes=100000, time=50ms, whole=60s   how far; whole is for thirty moves
  eval=material, parts, mop-up, complete, FILE  what judges the ends of lines
  algorithm=minimax, negamax, alpha-beta, negascout
  on=..., off=...   with + between them, or all: deepening aspiration hash-table hash-move captures
                    promotions killers history checks null-move quiescence quiet-checks extend-checks
                    extend-recaptures extend-pawn-endings reductions
  table=16          MiB for the hash table")]
pub(super) struct Arena {
    /// Two players or more: exact, theory, strategy, tablebase, tree:FILE, strategy:FILE,
    /// search:depth=N, search:time=50ms, trained:FILE, random, king-refugee; more about searches below
    #[arg(value_name = "PLAYER", required = true)]
    players: Vec<PlayerName>,
    /// How many games each pair plays: two from every opening
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// The seed of the openings and of all players
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Keep the games as PGN, and go on with those that are there
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Openings: a FEN or an EPD in each line, or games as PGN
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "random_plies"])]
    openings: Option<PathBuf>,
    /// The position to begin with; if left out, the start
    #[arg(long, value_name = "FEN")]
    from: Option<Game>,
    /// How many random plies each opening has [default: 6, and with --from none]
    #[arg(long, value_name = "N")]
    random_plies: Option<u16>,
    /// A clock for each player, in seconds: 60 for a game, or 10+0.1 with some for each move
    #[arg(long, value_name = "TIME")]
    clock: Option<Clock>,
    /// A game of so many moves is called a draw
    #[arg(long, value_name = "N", default_value_t = ArenaParams::MOST_MOVES)]
    most_moves: u16,
    /// Go on with mined knowledge in endgames that this build carries code for
    #[arg(long)]
    endgames: bool,
    /// Open by a book, Polyglot's
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

impl Arena {
    /// Reports what has been played, also when Ctrl-C has ended it.
    pub(super) fn run(self) -> Result<(), Failure> {
        let players: Vec<LoadedPlayer> =
            self.players.iter().map(PlayerName::load).collect::<Result<_, _>>()?;
        let book = self.book.as_deref().map(|path| load(path, Book::from_bytes)).transpose()?;
        let params = self.params()?;
        let tablebases = self.tablebases(&players)?;
        let entry = |player| -> Result<Entry<'_>, Failure> {
            let mut entry = Entry::new(player, &tablebases)?;
            if self.endgames {
                entry = entry.with_endgames();
            }
            Ok(match &book {
                Some(book) => entry.with_book(book),
                None => entry,
            })
        };
        let entries: Vec<Entry<'_>> = players.iter().map(entry).collect::<Result<_, _>>()?;
        let entrants = entries.iter().map(|entry| entry as &dyn Entrant).collect();
        let arena = arena::Arena::new(entrants, params)?;
        interrupt::report_when_stopped();
        let contested = report::arena(&arena, self.pgn.as_deref(), &Bar::new())?;
        if let Some(path) = &self.pgn {
            wrote(path);
        }
        self.report.write(&contested, |out| contested.write_text(out))?;
        if interrupt::is_requested() { Err(Failure::Stopped) } else { Ok(()) }
    }

    fn params(&self) -> Result<ArenaParams, Failure> {
        let Self { games, seed, clock, most_moves, .. } = *self;
        let openings = match &self.openings {
            Some(path) => load(path, Openings::parse)?,
            None => {
                let usual = if self.from.is_some() { 0 } else { RANDOM_PLIES };
                let from = self.from.clone().unwrap_or_default();
                Openings::random(from, self.random_plies.unwrap_or(usual))?
            }
        };
        Ok(ArenaParams { games, seed, openings, clock, most_moves })
    }

    /// The tables that somebody will look into.
    fn tablebases(&self, players: &[LoadedPlayer]) -> Result<Vec<Tablebase>, Failure> {
        let mut materials: Vec<Material> = Vec::new();
        for player in players {
            materials.extend(player.endgame()?);
        }
        let looks_up =
            |name: &PlayerName| matches!(name, PlayerName::Tablebase | PlayerName::Generated(_));
        let is_asked = self.players.iter().any(looks_up);
        if is_asked && let Some(Ok(position)) = self.from.as_ref().map(Game::position) {
            materials.push(position.material());
        }
        if is_asked || self.endgames {
            materials.extend(mined());
        }
        let mut known = Vec::new();
        materials.retain(|material| {
            let is_new = !known.contains(material);
            known.push(*material);
            is_new
        });
        let solve = |&material| Ok(self.tables.solve(material)?);
        materials.iter().map(solve).collect()
    }
}
