use super::polyglot::bits_of;
use super::{Book, BookEntry, polyglot_key};
use lucena_chess::pgn::{GameResult, PgnGame};
use lucena_chess::{Color, Move};
use std::collections::BTreeMap;

/// Parameters of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookParams {
    /// The number of plies taken from each game.
    pub plies: usize,
    /// The minimum number of games in which a move must have been played.
    pub least_games: u64,
}

impl Default for BookParams {
    /// Ten moves of each side, and every move that was played.
    fn default() -> Self {
        Self { plies: 20, least_games: 1 }
    }
}

/// Builds a book from games. A move's weight is 2 for each game won by the side that played it and 1
/// for each draw. Moves with weight 0 and games with an unknown result are left out.
#[derive(Debug, Clone)]
pub struct BookBuilder {
    params: BookParams,
    games: u64,
    /// Statistics by the key of the position and the bits of the move.
    played: BTreeMap<(u64, u16), MoveStats>,
}

/// The statistics of a move.
#[derive(Debug, Clone)]
struct MoveStats {
    mv: Move,
    games: u64,
    weight: u64,
}

impl BookBuilder {
    /// Starts a book.
    pub fn new(params: BookParams) -> Self {
        Self { params, games: 0, played: BTreeMap::new() }
    }

    /// The number of games added.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds a game, unless its result is unknown.
    pub fn add(&mut self, game: &PgnGame) {
        // White's and Black's.
        let weights = match game.result {
            GameResult::WhiteWins => [2, 0],
            GameResult::Draw => [1, 1],
            GameResult::BlackWins => [0, 2],
            GameResult::Unknown => return,
        };
        self.games += 1;
        for (board, mv) in game.game.history().take(self.params.plies) {
            let at = (polyglot_key(board), bits_of(mv));
            let played = self.played.entry(at).or_insert(MoveStats { mv, games: 0, weight: 0 });
            played.games += 1;
            played.weight += match board.side_to_move() {
                Color::White => weights[0],
                Color::Black => weights[1],
            };
        }
    }

    /// Returns the book of the games so far. If a weight exceeds the range of the format, all weights of
    /// the position are scaled down in proportion.
    pub fn book(&self) -> Book {
        let taken: Vec<(u64, &MoveStats)> = self
            .played
            .iter()
            .filter(|(_, played)| played.weight > 0 && played.games >= self.params.least_games)
            .map(|(&(key, _), played)| (key, played))
            .collect();
        let mut entries = Vec::with_capacity(taken.len());
        for position in taken.chunk_by(|one, other| one.0 == other.0) {
            let most = position.iter().map(|(_, played)| played.weight).max().unwrap_or(1);
            let room = u64::from(u16::MAX);
            for &(key, &MoveStats { mv, weight, .. }) in position {
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
