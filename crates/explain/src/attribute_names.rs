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
    /// A sentence, with its figures behind two spaces if they are shown.
    pub(super) fn behind(self, sentence: &str, figures: &str) -> String {
        match self {
            Self::Shown if !figures.is_empty() => format!("{sentence}  {figures}"),
            Self::Hidden | Self::Shown => sentence.into(),
        }
    }
}
