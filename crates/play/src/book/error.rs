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
    /// The move of an entry is not possible on any board.
    #[error(
        "entry {entry} has the move {bits:#06x}, which is not a move: the book is damaged or not a \
         Polyglot book; make it again"
    )]
    NoMove {
        /// The number of the entry, counted from 1.
        entry: usize,
        /// The bits of the move.
        bits: u16,
    },
    /// A move is not legal in the position that was looked up.
    #[error("the book plays {mv} in \"{fen}\", which is not legal there: use another book")]
    Illegal {
        /// The move.
        mv: String,
        /// The position.
        fen: String,
    },
}
