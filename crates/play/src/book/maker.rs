use super::entry::bits_of;
use super::{Book, BookEntry, polyglot_key};
use lucena_chess::pgn::{GameResult, PgnGame};
use lucena_chess::{Color, Move};
use std::collections::BTreeMap;

/// What goes into a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookParams {
    /// How many plies of each game are looked at.
    pub plies: usize,
    /// A move is taken that was played in at least so many games.
    pub least_games: u64,
}

impl Default for BookParams {
    /// Ten moves of each side, all that were played.
    fn default() -> Self {
        Self { plies: 20, least_games: 1 }
    }
}

/// Makes a book from games: a move weighs 2 for every game that was won by the side that played it and
/// 1 for every draw. A move that has brought nothing is left out, and so are games of which nobody
/// knows what they came to.
///
/// ```
/// use lucena_play::book::{BookMaker, BookParams};
/// use lucena_chess::{Game, pgn::PgnReader};
///
/// let games = "1. e4 e5 1-0\n\n1. e4 c5 1/2-1/2\n\n1. d4 d5 0-1\n";
/// let mut maker = BookMaker::new(BookParams::default());
/// for game in PgnReader::new(games.as_bytes()) {
///     maker.add(&game?);
/// }
/// let moves = maker.book().moves(&Game::new())?;
/// assert_eq!(moves, [("e2e4".parse()?, 3)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct BookMaker {
    params: BookParams,
    games: u64,
    /// By the key of the position and the bits of the move.
    played: BTreeMap<(u64, u16), Played>,
}

/// What a move has come to.
#[derive(Debug, Clone)]
struct Played {
    mv: Move,
    games: u64,
    weight: u64,
}

impl BookMaker {
    /// A book to be made.
    pub fn new(params: BookParams) -> Self {
        Self { params, games: 0, played: BTreeMap::new() }
    }

    /// How many games have gone into it.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Takes a game in, if it is known what it came to.
    pub fn add(&mut self, game: &PgnGame) {
        // For White and for Black.
        let weights = match game.result {
            GameResult::WhiteWins => [2, 0],
            GameResult::Draw => [1, 1],
            GameResult::BlackWins => [0, 2],
            GameResult::Unknown => return,
        };
        self.games += 1;
        for (board, mv) in game.game.history().take(self.params.plies) {
            let at = (polyglot_key(board), bits_of(mv));
            let played = self.played.entry(at).or_insert(Played { mv, games: 0, weight: 0 });
            played.games += 1;
            played.weight += match board.side_to_move() {
                Color::White => weights[0],
                Color::Black => weights[1],
            };
        }
    }

    /// The book of the games so far. Where a weight is more than the format holds, those of the
    /// position are made smaller in proportion.
    pub fn book(&self) -> Book {
        let taken: Vec<(u64, &Played)> = self
            .played
            .iter()
            .filter(|(_, played)| played.weight > 0 && played.games >= self.params.least_games)
            .map(|(&(key, _), played)| (key, played))
            .collect();
        let mut entries = Vec::with_capacity(taken.len());
        for position in taken.chunk_by(|one, other| one.0 == other.0) {
            let most = position.iter().map(|(_, played)| played.weight).max().unwrap_or(1);
            let room = u64::from(u16::MAX);
            for &(key, &Played { mv, weight, .. }) in position {
                let fitted = if most > room {
                    (u128::from(weight) * u128::from(room) / u128::from(most)).max(1) as u16
                } else {
                    weight as u16
                };
                entries.push(BookEntry { key, mv, weight: fitted, learn: 0 });
            }
        }
        Book::new(entries)
    }
}
