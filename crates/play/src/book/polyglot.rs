use super::entry::bits_of;
use super::{BookEntry, BookError, polyglot_key};
use lucena_chess::{Game, Move};
use rand::Rng;

/// An opening book: what may be played in which position.
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
    /// A book of entries: sorted by key, then by weight, the heaviest first, then by the move.
    pub fn new(mut entries: Vec<BookEntry>) -> Self {
        entries.sort_by_key(|entry| (entry.key, u16::MAX - entry.weight, bits_of(entry.mv)));
        Self { entries }
    }

    /// Reads a book. Whether its moves are legal is seen when a position is looked up.
    ///
    /// # Errors
    /// When the bytes end in the midst of an entry, the entries are not in order, or one has no move.
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

    /// The book as a file has it.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    }

    /// Its entries, sorted by key.
    pub fn entries(&self) -> &[BookEntry] {
        &self.entries
    }

    /// How many positions it knows.
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|one, other| one.key == other.key).count()
    }

    /// What it plays in a position, each move with its weight; nothing where it does not know it.
    ///
    /// # Errors
    /// When one of them is not legal there.
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

    /// A move by lot, each as likely as its weight says; nothing where the book has none.
    ///
    /// # Errors
    /// When a move of the position is not legal.
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
