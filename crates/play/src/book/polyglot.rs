use super::entry::bits_of;
use super::{BookEntry, BookError, polyglot_key};
use lucena_chess::{Game, Move};
use rand::Rng;

/// An opening book: weighted moves by position.
///
/// ```
/// use lucena_play::book::{Book, BookEntry, polyglot_key};
/// use lucena_chess::Game;
/// use rand::SeedableRng;
///
/// let game = Game::new();
/// let (key, mv) = (polyglot_key(game.board()), game.parse_move("e4")?);
/// let book = Book::new(vec![BookEntry { key, mv, weight: 1, learn: 0 }]);
/// let read = Book::from_bytes(&book.to_bytes())?;
/// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
/// assert_eq!(read.choose(&game, &mut rng)?, Some(mv));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Book {
    /// Sorted by key.
    entries: Vec<BookEntry>,
}

impl Book {
    /// Builds a book, sorting the entries by key, then by weight (heaviest first), then by move.
    pub fn new(mut entries: Vec<BookEntry>) -> Self {
        entries.sort_by_key(|entry| (entry.key, u16::MAX - entry.weight, bits_of(entry.mv)));
        Self { entries }
    }

    /// Parses a book. The legality of its moves is only checked when a position is looked up.
    ///
    /// # Errors
    /// If the bytes end in the middle of an entry, the entries are not sorted, or a move is invalid.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let (whole, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(BookError::CutShort { whole: whole.len(), over: rest.len() });
        }
        let mut entries: Vec<BookEntry> = Vec::with_capacity(whole.len());
        for (number, &bytes) in (1..).zip(whole) {
            let read = BookEntry::from_bytes(bytes);
            let entry = read.map_err(|bits| BookError::NoMove { entry: number, bits })?;
            if entries.last().is_some_and(|before| before.key > entry.key) {
                return Err(BookError::Unsorted(number));
            }
            entries.push(entry);
        }
        Ok(Self { entries })
    }

    /// Returns the book in the file format.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    }

    /// The entries, sorted by key.
    pub fn entries(&self) -> &[BookEntry] {
        &self.entries
    }

    /// The number of positions in the book.
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|one, other| one.key == other.key).count()
    }

    /// Returns the book moves of a position with their weights; empty if the position is not in the book.
    ///
    /// # Errors
    /// If one of the moves is not legal in the position.
    pub fn moves(&self, game: &Game) -> Result<Vec<(Move, u16)>, BookError> {
        let key = polyglot_key(game.board());
        let start = self.entries.partition_point(|entry| entry.key < key);
        let known = self.entries[start..].iter().take_while(|entry| entry.key == key);
        let legal = |entry: &BookEntry| {
            let illegal = || BookError::Illegal { mv: entry.mv.to_string(), fen: game.to_string() };
            let is_legal = game.board().is_legal(entry.mv);
            is_legal.then_some((entry.mv, entry.weight)).ok_or_else(illegal)
        };
        known.map(legal).collect()
    }

    /// Draws a move at random in proportion to the weights; `None` if the book has none.
    ///
    /// # Errors
    /// If a book move of the position is not legal.
    pub fn choose(&self, game: &Game, rng: &mut impl Rng) -> Result<Option<Move>, BookError> {
        let moves = self.moves(game)?;
        let all: u64 = moves.iter().map(|&(_, weight)| u64::from(weight)).sum();
        if all == 0 {
            return Ok(None);
        }
        let mut lot = rng.gen_range(0..all);
        let drawn = moves.into_iter().find(|&(_, weight)| {
            let is_drawn = lot < u64::from(weight);
            lot = lot.saturating_sub(weight.into());
            is_drawn
        });
        Ok(drawn.map(|(mv, _)| mv))
    }
}
