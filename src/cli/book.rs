use super::file_kind::read_as;
use super::number::number_of;
use super::output::{ProgressDisplay, ReportArgs, check_outputs, note_about, write};
use super::{Failure, Result};
use lucena::book::{Book as Moves, BookParams};
use lucena::chess::Game;
use lucena::report::{BookOfGames, BookReport, ReportError, make_book};
use lucena_files::{ReadError, load};
use lucena_model::FileKind;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

/// Make an opening book from games, or show the moves of a book
///
/// Books are in Polyglot's format, which other programs use too.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena match search:depth=2 search:depth=3 --games 20 --pgn games.pgn
  lucena book make games.pgn --out book.bin --plies 20
  lucena book show book.bin
  lucena book show book.bin 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'")]
pub(super) struct Book {
    #[command(subcommand)]
    verb: BookVerb,
}

verbs! { BookVerb []:
    Make(Make),
    Show(Show),
}

/// Make a book from games: a move weighs 2 for each game that its side won and 1 for each draw
#[derive(clap::Args)]
struct Make {
    /// The games, as PGN
    games: PathBuf,
    /// The file for the book
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The number of plies to take from each game
    #[arg(long, value_name = "N", default_value_t = BookParams::default().plies, value_parser = number_of::<usize>("plies", ..))]
    plies: usize,
    /// Only take moves that were played in at least this many games
    #[arg(long = "min-games", alias = "least-games", value_name = "N", default_value_t = BookParams::default().least_games, value_parser = number_of::<u64>("games", ..))]
    least_games: u64,
    #[command(flatten)]
    report: ReportArgs,
}

/// Show the moves of a book in a position
#[derive(clap::Args)]
struct Show {
    /// The book
    book: PathBuf,
    /// The position; if left out, the initial one
    fen: Option<Game>,
    #[command(flatten)]
    report: ReportArgs,
}

impl Book {
    pub(super) fn run(self) -> Result<()> {
        self.verb.run()
    }
}

impl Make {
    fn run(self) -> Result<()> {
        check_outputs(&[("--out", Some(&self.out))])?;
        let made = read_as(&self.games, &[FileKind::Games], || self.book())?;
        note_about(&self.games, &made.log.to_strings());
        write(&self.out, &made.book.to_bytes())?;
        let booked = BookReport::of_games(&made, &ProgressDisplay::new());
        self.report.write(&booked, |out| booked.write_text(out))
    }

    fn book(&self) -> Result<BookOfGames> {
        let unread = |source| ReadError { path: self.games.clone(), source };
        let games = BufReader::new(File::open(&self.games).map_err(unread)?);
        let params = BookParams { plies: self.plies, least_games: self.least_games };
        let made = make_book(games, params, &ProgressDisplay::new());
        made.map_err(|error| match error {
            ReportError::Pgn(error) => Failure::of_games(&self.games, error),
            ReportError::NoGame => Failure::no_game(&self.games),
            error => error.into(),
        })
    }
}

impl Show {
    fn run(self) -> Result<()> {
        let read = || load(&self.book, Moves::from_bytes);
        let book = read_as(&self.book, &[FileKind::Book], read)?;
        let game = self.fen.unwrap_or_default();
        let booked = BookReport::new(&book, &game, &ProgressDisplay::new());
        self.report.write(&booked, |out| booked.write_text(out))
    }
}
