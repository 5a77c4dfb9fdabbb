//! The forms of models, and the errors for those that a model does not have.

use crate::ExplainError;
use lucena_base::named::named;
use lucena_base::progress::Observer;
use lucena_model::ModelKind;
use lucena_proof::policy::{Policy, Unplayable};
use lucena_tablebase::Tablebase;

/// A form of a model besides source code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text for the terminal.
    Text,
    /// Rules in Markdown.
    Rules,
    /// A lesson in Markdown; that of a tree is its rules.
    Lesson,
    /// The output of scikit-learn's `export_text` for a tree.
    ExportText,
    /// The arrays of scikit-learn for a tree, as JSON.
    Arrays,
    /// A tree for Graphviz.
    Dot,
    /// The picture of a tree.
    Svg,
    /// A tree for ONNX runtimes; the only form that is not text.
    Onnx,
}

named!(Form {
    "text": Text,
    "rules": Rules,
    "lesson": Lesson,
    "export-text": ExportText,
    "arrays": Arrays,
    "dot": Dot,
    "svg": Svg,
    "onnx": Onnx,
});

/// A model in a form.
pub enum ShownModel {
    /// The bytes of the form.
    Bytes(Vec<u8>),
    /// A lesson, which needs the table of its endgame.
    Lesson(Box<dyn LessonOfPlayer>),
}

impl From<String> for ShownModel {
    fn from(text: String) -> Self {
        Self::Bytes(text.into_bytes())
    }
}

/// A player that is proved for its lesson.
pub trait LessonOfPlayer: Policy {
    /// Proves the player, and returns the lesson as Markdown.
    ///
    /// # Errors
    /// If the observer asks to stop, or the table is of another endgame.
    fn to_markdown(
        &self,
        tablebase: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<String, ExplainError>;
}

/// The error for a model that cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShowError {
    /// The form of a tree cannot be cut off at a depth.
    #[error("{0} is for the whole tree: leave --max-depth out, or learn a tree of that depth")]
    WholeTree(&'static str),
    /// The model has no depth.
    #[error("a {0} has no depth: leave --max-depth out")]
    NoDepth(ModelKind),
    /// There is no such form of the kind.
    #[error("{0}: a {1} is shown as text, rules, lesson, or source in a language")]
    Form(String, ModelKind),
    /// The model makes no player.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
}

impl ShowError {
    /// The error for a depth at which a form of a kind of models is to be cut off, but cannot be.
    pub fn uncut(kind: ModelKind, form: &'static str) -> Self {
        match kind {
            ModelKind::Tree => Self::WholeTree(form),
            kind => Self::NoDepth(kind),
        }
    }
}
