/// The tags of a game: names with values, in the order in which they are written.
///
/// Six tags are always present, with `?` for an unknown value: `Event`, `Site`, `Date`, `Round`,
/// `White` and `Black`. `Result`, `SetUp` and `FEN` are not stored: they follow from the game.
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
/// tags.set("white", "Lucena")?;
/// assert_eq!(tags.get("White"), Some("Lucena"));
/// # Ok::<(), lucena_chess::pgn::TagError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tags {
    /// The six tags of [`ROSTER`] first, in their order.
    tags: Vec<(String, String)>,
}

/// An invalid tag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TagError {
    /// The name is invalid.
    #[error("{0:?} is not a valid tag name: use letters, digits and _")]
    Name(String),
    /// The text has more than one line.
    #[error("the text of the tag {0} has more than one line: write it in one line")]
    Text(String),
    /// The tag follows from the game.
    #[error("the tag {0} follows from the game: leave it out")]
    Derived(String),
}

/// The tags that every game has, with their values if unknown.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// The tags that follow from the game.
const DERIVED: [&str; 3] = ["Result", "SetUp", "FEN"];

/// Returns the standard spelling of a name that a program acts on, whatever its capitals; other names are unchanged.
pub(super) fn standard_name(name: &str) -> &str {
    let roster = ROSTER.iter().map(|&(known, _)| known);
    let mut known = roster.chain(DERIVED).chain(["Variant"]);
    known.find(|known| known.eq_ignore_ascii_case(name)).unwrap_or(name)
}

impl Default for Tags {
    fn default() -> Self {
        let tags = ROSTER.map(|(name, unknown)| (name.to_owned(), unknown.to_owned()));
        Self { tags: tags.into() }
    }
}

impl Tags {
    /// Returns the text of a tag, if present. Capitals make no difference in the names that every game has.
    pub fn get(&self, name: &str) -> Option<&str> {
        let name = standard_name(name);
        self.iter().find(|(known, _)| *known == name).map(|(_, text)| text)
    }

    /// Iterates over the names and texts, in the order in which they are written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Sets a tag, replacing its old text.
    ///
    /// # Errors
    /// If the name or the text is invalid, or the tag follows from the game.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), TagError> {
        let name = standard_name(name);
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

    /// The number of tags that are always present.
    pub(super) const ROSTER: usize = ROSTER.len();
}
