/// What is told about a game besides its moves: names with texts, in the order in which they are
/// written.
///
/// Six names are always there, and `?` where nothing is known: `Event`, `Site`, `Date`, `Round`,
/// `White` and `Black`. `Result`, `SetUp` and `FEN` are not among the tags: they follow from the game.
///
/// ```
/// use lucena_chess::pgn::Tags;
///
/// let mut tags = Tags::default();
/// tags.set("White", "Lucena, L. R. de")?;
/// tags.set("ECO", "C41")?;
/// assert_eq!(tags.get("White"), Some("Lucena, L. R. de"));
/// assert_eq!((tags.get("Round"), tags.get("WhiteElo")), (Some("?"), None));
/// assert!(tags.set("Result", "1-0").is_err());
/// # Ok::<(), lucena_chess::pgn::TagError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tags {
    /// The six of [`ROSTER`] first, in their order.
    tags: Vec<(String, String)>,
}

/// A tag that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TagError {
    /// The name is none.
    #[error("{0:?} is no name of a tag: use letters, digits and _")]
    Name(String),
    /// The text is more than a line.
    #[error("the text of the tag {0} is more than one line: write it in one")]
    Text(String),
    /// The tag says what the game says.
    #[error("the tag {0} follows from the game: leave it out")]
    Derived(String),
}

/// The tags that every game has, and what stands in them where nothing is known.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// Those that follow from the game.
const DERIVED: [&str; 3] = ["Result", "SetUp", "FEN"];

impl Default for Tags {
    fn default() -> Self {
        let tags = ROSTER.map(|(name, unknown)| (name.to_owned(), unknown.to_owned()));
        Self { tags: tags.into() }
    }
}

impl Tags {
    /// The text of a tag, if it is there.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, text)| text)
    }

    /// Every name and its text, in the order in which they are written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Sets a tag, in place of what it was before.
    ///
    /// # Errors
    /// When the name or the text cannot be written, or the tag follows from the game.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), TagError> {
        if DERIVED.contains(&name) {
            return Err(TagError::Derived(name.into()));
        }
        let is_of_names = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if name.is_empty() || !name.chars().all(is_of_names) {
            return Err(TagError::Name(name.into()));
        }
        if text.contains(['\n', '\r', '\0']) {
            return Err(TagError::Text(name.into()));
        }
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = text.into(),
            None => self.tags.push((name.into(), text.into())),
        }
        Ok(())
    }

    /// How many are always there.
    pub(super) const ROSTER: usize = ROSTER.len();
}
