use lucena_base::plural::capital;
use std::fmt;

/// A source of moves that has no reasons but itself: a book or a table.
///
/// ```
/// use lucena_explain::MoveSource;
///
/// assert_eq!(MoveSource::Table.to_string(), "looked up in the table");
/// assert_eq!(MoveSource::Book.sentence(), "From the book.");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveSource {
    /// An opening book.
    Book,
    /// The table of an endgame.
    Table,
}

impl MoveSource {
    /// The source as a sentence.
    pub fn sentence(self) -> String {
        format!("{}.", capital(&self.to_string()))
    }
}

impl fmt::Display for MoveSource {
    /// Writes the source, beginning with a small letter and without a full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Book => "from the book",
            Self::Table => "looked up in the table",
        })
    }
}
