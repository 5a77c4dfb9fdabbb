//! The contents of an opening book.

use super::ReportError;
use lucena_base::plural::{count, grouped, percent};
use lucena_base::progress::{Observer, Progress};
use lucena_chess::Game;
use lucena_chess::pgn::PgnReader;
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

/// Makes a book from the games of a PGN file, and reports the number of games read to `observer`.
///
/// # Errors
/// If a game cannot be read, no move is left for the book, or the work was stopped.
pub fn make_book(
    games: impl BufRead,
    params: BookParams,
    observer: &dyn Observer,
) -> Result<(Book, u64), ReportError> {
    let mut maker = BookBuilder::new(params);
    for (done, game) in (1..).zip(PgnReader::new(games)) {
        maker.add(&game?);
        if done % 256 == 0 {
            observer.check()?;
            observer.report(Progress { what: "reading games", done, total: None });
        }
    }
    let book = maker.book();
    if book.entries().is_empty() { Err(ReportError::EmptyBook) } else { Ok((book, maker.games())) }
}

impl BookReport {
    /// The report on a book and its legal moves in a position; warns `observer` of illegal ones.
    pub fn new(book: &Book, games: Option<u64>, game: &Game, observer: &dyn Observer) -> Self {
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
        Self { positions, entries, games, fen: game.to_string(), moves: moves.collect() }
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
