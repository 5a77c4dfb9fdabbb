//! The kinds of models.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// A decision tree.
    Tree,
    /// Ordered rules about moves.
    Strategy,
    /// A number that is made smaller.
    Measure,
}

impl ModelKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Tree, Self::Strategy, Self::Measure];

    /// Returns the kind with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The name, as in files: a noun in the singular.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::Strategy => "strategy",
            Self::Measure => "measure",
        }
    }

    /// What models of the kind consist of: "leaves", "rules" or "terms".
    pub const fn parts(self) -> &'static str {
        match self {
            Self::Tree => "leaves",
            Self::Strategy => "rules",
            Self::Measure => "terms",
        }
    }

    /// The version of the files that are written and read.
    pub const fn format(self) -> u32 {
        match self {
            Self::Tree => 2,
            Self::Strategy | Self::Measure => 1,
        }
    }

    /// How to make a file of this kind again.
    pub(super) fn remedy(self) -> &'static str {
        match self {
            Self::Tree => "learn it again",
            Self::Strategy | Self::Measure => "mine it again",
        }
    }
}

impl fmt::Display for ModelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
