//! The contents of an opening book.

use super::ReportError;
use lucena_base::plural::{count, grouped, percent};
use lucena_base::progress::{Observer, Progress};
use lucena_chess::Game;
use lucena_chess::pgn::{PgnLog, PgnReader};
use lucena_play::book::{Book, BookBuilder, BookMoves, BookParams};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, BufRead, Write};

/// The contents of an opening book, and its moves in a position.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BookReport {
    /// Positions that the book knows.
    pub positions: usize,
    /// Moves it knows over all positions.
    pub entries: usize,
    /// Games it was made from; null if it was read from a file.
    pub games: Option<u64>,
    /// Games that were left out because they cannot be read as games of chess; null if it was read from a file.
    pub games_left_out: Option<u64>,
    /// The FEN of the position that was looked up.
    pub fen: String,
    /// The book's moves in that position, heaviest first; empty if it does not know the position.
    pub moves: Vec<BookMove>,
}

/// A move that a book plays.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BookMove {
    /// The move in UCI's notation.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// Its weight, from 0 to 65535.
    pub weight: u16,
    /// The probability of the move, from 0 to 1.
    pub share: f64,
}

/// A book that was made from games.
#[derive(Debug, Clone, PartialEq)]
pub struct BookOfGames {
    /// The book.
    pub book: Book,
    /// The number of games that it was made from.
    pub games: u64,
    /// What the file of games had that is peculiar, and the games that were left out.
    pub log: PgnLog,
}

/// Makes a book from the games of a PGN file, and reports the number of games read to `observer`. Games whose moves
/// cannot be followed are left out.
///
/// # Errors
/// If the file or none of its games can be read, no move is left for the book, or the work was stopped.
pub fn make_book(
    games: impl BufRead,
    params: BookParams,
    observer: &dyn Observer,
) -> Result<BookOfGames, ReportError> {
    let mut maker = BookBuilder::new(params);
    let (mut reader, mut first_error, mut has_any) = (PgnReader::new(games), None, false);
    for (done, game) in (1..).zip(reader.by_ref()) {
        has_any = true;
        match game {
            Ok(game) => maker.add(&game),
            Err(error) if error.is_fatal() => return Err(error.into()),
            Err(error) => first_error = first_error.or(Some(error)),
        }
        if done % 256 == 0 {
            observer.check()?;
            observer.report(Progress { what: "reading games", done, total: None });
        }
    }
    let (book, games) = (maker.book(), maker.games());
    match first_error {
        Some(error) if games == 0 => Err(error.into()),
        _ if !has_any => Err(ReportError::NoGame),
        _ if book.entries().is_empty() => Err(ReportError::EmptyBook),
        _ => Ok(BookOfGames { book, games, log: reader.into_log() }),
    }
}

impl BookReport {
    /// The report on a book that was made from games, with its moves in the initial position.
    pub fn of_games(made: &BookOfGames, observer: &dyn Observer) -> Self {
        let report = Self::new(&made.book, &Game::new(), observer);
        Self { games: Some(made.games), games_left_out: Some(made.log.left_out()), ..report }
    }

    /// The report on a book and its legal moves in a position; warns `observer` of illegal ones.
    pub fn new(book: &Book, game: &Game, observer: &dyn Observer) -> Self {
        let known = book.moves(game);
        known.warning(game).iter().for_each(|warning| observer.warn(warning));
        let BookMoves { legal: mut known, .. } = known;
        known.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight));
        let all: u64 = known.iter().map(|&(_, weight)| u64::from(weight)).sum();
        let legal = "the book has looked whether its moves are legal";
        let moves = known.into_iter().map(|(mv, weight)| BookMove {
            uci: game.uci(mv).expect(legal),
            san: game.san(mv).expect(legal),
            weight,
            share: if all == 0 { 0.0 } else { f64::from(weight) / all as f64 },
        });
        let (positions, entries) = (book.positions(), book.entries().len());
        Self {
            positions,
            entries,
            games: None,
            games_left_out: None,
            fen: game.to_string(),
            moves: moves.collect(),
        }
    }

    /// Writes the report in sentences.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let entries = count(self.entries as u64, "move", "moves");
        let positions = count(self.positions as u64, "position", "positions");
        write!(out, "{entries} in {positions}")?;
        match self.games {
            Some(games) => writeln!(out, ", from {}", count(games, "game", "games"))?,
            None => writeln!(out)?,
        }
        if let Some(left_out @ 1..) = self.games_left_out {
            writeln!(out, "{} left out", count(left_out, "game", "games"))?;
        }
        if self.moves.is_empty() {
            return writeln!(out, "the book does not know {}", self.fen);
        }
        writeln!(out, "\n{:>8} {:>8} {:>9}   in {}", "move", "weight", "share", self.fen)?;
        for BookMove { san, weight, share, .. } in &self.moves {
            writeln!(out, "{san:>8} {:>8} {:>9}", grouped((*weight).into()), percent(*share))?;
        }
        Ok(())
    }
}
