use lucena_base::plural::capital;
use lucena_tablebase::Category;
use std::fmt;

/// A source of moves that has no reasons but itself: a book, a table or Syzygy files.
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
    /// Syzygy files.
    Syzygy {
        /// The result of the position.
        category: Category,
        /// The number of moves that keep it, if a search chose among them.
        searched: Option<usize>,
    },
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
        match self {
            Self::Book => f.write_str("from the book"),
            Self::Table => f.write_str("looked up in the table"),
            Self::Syzygy { category, searched } => {
                write!(f, "looked up in the Syzygy files: {}", category.noun())?;
                searched.map_or(Ok(()), |tied| {
                    write!(f, "; searched for the best of {tied} moves that keep it")
                })
            }
        }
    }
}
