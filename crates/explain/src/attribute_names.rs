/// Whether a report for people also has the names of attributes, with their values: researchers read them, others need
/// the sentences alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AttributeNames {
    /// Sentences alone.
    #[default]
    Hidden,
    /// Each sentence with the name and the value that it is made from: `kRoom <= 48`.
    Shown,
}

impl AttributeNames {
    /// Figures behind a sentence that is padded to a width: two spaces and the figures, or nothing.
    pub(super) fn behind(self, sentence: &str, width: usize, figures: &str) -> String {
        match self {
            Self::Hidden => sentence.into(),
            Self::Shown => format!("{sentence:width$}  {figures}"),
        }
    }
}
