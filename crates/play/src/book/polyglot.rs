use super::polyglot_key;
use lucena_base::progress::Observer;
use lucena_chess::{Game, Move, Role, Square};
use rand::Rng;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

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
/// assert_eq!(read.moves(&game).draw(&mut rng), Some(mv));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Book {
    /// Sorted by key.
    entries: Vec<BookEntry>,
    /// The entries of a file that hold no move: their keys and the bits in place of a move, sorted by key.
    not_moves: Vec<(u64, u16)>,
}

impl Book {
    /// Builds a book, sorting the entries by key, then by weight (heaviest first), then by move.
    pub fn new(mut entries: Vec<BookEntry>) -> Self {
        entries.sort_by_key(|entry| (entry.key, u16::MAX - entry.weight, bits_of(entry.mv)));
        Self { entries, not_moves: Vec::new() }
    }

    /// Parses a book. The legality of its moves is only checked when a position is looked up; an entry that holds no
    /// move counts as an illegal one.
    ///
    /// # Errors
    /// If the bytes end in the middle of an entry, the entries are not sorted, or none of them holds a move.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let (whole, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(BookError::CutShort { whole: whole.len(), over: rest.len() });
        }
        let mut book = Self { entries: Vec::with_capacity(whole.len()), not_moves: Vec::new() };
        let mut last = 0;
        for (number, &bytes) in (1..).zip(whole) {
            let key = match BookEntry::from_bytes(bytes) {
                Ok(entry) => {
                    book.entries.push(entry);
                    entry.key
                }
                Err((key, bits)) => {
                    book.not_moves.push((key, bits));
                    key
                }
            };
            if last > key {
                return Err(BookError::Unsorted(number));
            }
            last = key;
        }
        match book.not_moves.first() {
            Some(&(_, bits)) if book.entries.is_empty() => Err(BookError::NoMove { bits }),
            _ => Ok(book),
        }
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

    /// Returns the book moves of a position; there are none if the position is not in the book.
    pub fn moves(&self, game: &Game) -> BookMoves {
        let key = polyglot_key(game.board());
        let start = self.entries.partition_point(|entry| entry.key < key);
        let known = self.entries[start..].iter().take_while(|entry| entry.key == key);
        let mut moves = BookMoves::default();
        for entry in known {
            // Some programs write castling as the king's move to the square it ends on.
            match game.parse_uci(&entry.mv.to_string()) {
                Ok(mv) => moves.legal.push((mv, entry.weight)),
                Err(_) => moves.illegal.push(entry.mv.to_string()),
            }
        }
        let start = self.not_moves.partition_point(|&(other, _)| other < key);
        let known = self.not_moves[start..].iter().take_while(|&&(other, _)| other == key);
        moves.illegal.extend(known.map(|(_, bits)| format!("{bits:#06x}")));
        moves
    }
}

/// The moves of a book in a position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BookMoves {
    /// The legal moves with their weights.
    pub legal: Vec<(Move, u16)>,
    /// The moves that are not legal there, in UCI, and bits that are no move, in hexadecimal; a damaged book has some.
    pub illegal: Vec<String>,
}

impl BookMoves {
    /// Draws a legal move at random in proportion to the weights; `None` if there is none.
    pub fn draw(&self, rng: &mut impl Rng) -> Option<Move> {
        let all: u64 = self.legal.iter().map(|&(_, weight)| u64::from(weight)).sum();
        if all == 0 {
            return None;
        }
        let mut lot = rng.gen_range(0..all);
        let drawn = self.legal.iter().find(|&&(_, weight)| {
            let is_drawn = lot < u64::from(weight);
            lot = lot.saturating_sub(weight.into());
            is_drawn
        });
        drawn.map(|&(mv, _)| mv)
    }

    /// A warning about the illegal moves of a position, if there are any.
    pub fn warning(&self, game: &Game) -> Option<String> {
        let illegal = Some(self.illegal.join(", ")).filter(|moves| !moves.is_empty())?;
        Some(format!(
            "the book has moves in \"{game}\" that are not legal and are left out: {illegal}; make the book again"
        ))
    }
}

/// A book that players share. It warns once about each position in which it has illegal moves.
#[derive(Debug, Default)]
pub struct SharedBook {
    book: Book,
    /// The keys of the positions that it has warned about.
    warned: Mutex<BTreeSet<u64>>,
}

impl SharedBook {
    /// A book that has not warned yet.
    pub fn new(book: Book) -> Self {
        Self { book, warned: Mutex::default() }
    }

    /// Draws a legal move of a position as [`BookMoves::draw`] does, and warns `observer` of illegal ones.
    pub fn draw(&self, game: &Game, rng: &mut impl Rng, observer: &dyn Observer) -> Option<Move> {
        let moves = self.book.moves(game);
        if let Some(warning) = moves.warning(game) {
            let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
            if warned.insert(polyglot_key(game.board())) {
                observer.warn(&warning);
            }
        }
        moves.draw(rng)
    }
}

/// One move of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookEntry {
    /// The key of the position: see [`polyglot_key`](super::polyglot_key).
    pub key: u64,
    /// The move. A king castles by taking its own rook, here as everywhere.
    pub mv: Move,
    /// The relative frequency among the moves of the position; 0 for never.
    pub weight: u16,
    /// Learning data of other programs; preserved unchanged.
    pub learn: u32,
}

/// The promotion pieces in the order of their codes, from 1 on.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl BookEntry {
    /// The size of an entry in a file, in bytes.
    pub(super) const BYTES: usize = 16;

    /// Reads an entry.
    ///
    /// # Errors
    /// The key and the bits in place of the move if they are no move.
    pub(super) fn from_bytes(bytes: [u8; Self::BYTES]) -> Result<Self, (u64, u16)> {
        let whole = u128::from_be_bytes(bytes);
        let (key, bits) = ((whole >> 64) as u64, (whole >> 48) as u16);
        Ok(Self {
            key,
            mv: move_of(bits).ok_or((key, bits))?,
            weight: (whole >> 32) as u16,
            learn: whole as u32,
        })
    }

    /// Returns the bytes of the entry in a file.
    pub(super) fn to_bytes(self) -> [u8; Self::BYTES] {
        let (key, bits) = (u128::from(self.key), u128::from(bits_of(self.mv)));
        let (weight, learn) = (u128::from(self.weight), u128::from(self.learn));
        (key << 64 | bits << 48 | weight << 32 | learn).to_be_bytes()
    }
}

/// Decodes a move. From the lowest bit, in groups of three bits: target file, target rank, source
/// file, source rank, promotion.
fn move_of(bits: u16) -> Option<Move> {
    let square = |bits: u16| Square::index(usize::from(bits & 63));
    let (from, to) = (square(bits >> 6), square(bits));
    let promotion = match bits >> 12 {
        0 => None,
        number => Some(*PROMOTIONS.get(usize::from(number - 1))?),
    };
    (from != to).then_some(Move { from, to, promotion })
}

/// Encodes a move.
pub(super) fn bits_of(mv: Move) -> u16 {
    let number = PROMOTIONS.iter().position(|&role| mv.promotion == Some(role));
    let promotion = number.map_or(0, |number| number as u16 + 1);
    promotion << 12 | (mv.from as u16) << 6 | mv.to as u16
}

/// An error in a book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file ends in the middle of an entry.
    #[error(
        "a book consists of entries of 16 bytes, but this one ends {over} bytes after entry {whole}: \
         it was cut short or is not a Polyglot book; use a complete one"
    )]
    CutShort {
        /// The number of complete entries.
        whole: usize,
        /// The number of bytes left over.
        over: usize,
    },
    /// An entry follows one with a higher key.
    #[error(
        "entry {0} has a lower key than the one before it, so lookups would fail: the \
         book is damaged or not a Polyglot book; make it again"
    )]
    Unsorted(usize),
    /// No entry holds a move.
    #[error(
        "no entry holds a move, the first has {bits:#06x} in its place: the book is damaged or not a \
         Polyglot book; make it again"
    )]
    NoMove {
        /// The bits in place of the first move.
        bits: u16,
    },
}
