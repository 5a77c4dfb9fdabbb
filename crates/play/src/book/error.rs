/// Why a book cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file ends in the midst of an entry.
    #[error(
        "a book is made of entries of 16 bytes, and this one ends {over} bytes behind entry {whole}: \
         it was cut short or is no Polyglot book; take a whole one"
    )]
    CutShort {
        /// How many entries are whole.
        whole: usize,
        /// How many bytes are left.
        over: usize,
    },
    /// An entry stands behind one with a higher key.
    #[error(
        "entry {0} has a lower key than the one before it, so that nothing can be looked up: the \
         book is damaged or no Polyglot book; make it again"
    )]
    Unsorted(usize),
    /// An entry whose move is none on any board.
    #[error(
        "entry {entry} has the move {bits:#06x}, which is none: the book is damaged or no Polyglot \
         book; make it again"
    )]
    NoMove {
        /// The number of the entry, the first being 1.
        entry: usize,
        /// What stands in its place.
        bits: u16,
    },
    /// A move that is not legal in the position that is looked up.
    #[error("the book plays {mv} in \"{fen}\", which is not legal there: take another book")]
    Illegal {
        /// The move.
        mv: String,
        /// The position.
        fen: String,
    },
}
