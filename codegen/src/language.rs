//! The target languages, and the small intermediate language that is printed in each of them.

pub(crate) mod ast;
pub(crate) mod print;
pub(crate) mod rust;

use ast::Program;
use print::{C, JAVASCRIPT, PYTHON};

/// A target language for models.
///
/// ```
/// use lucena_codegen::Language;
///
/// assert_eq!(Language::ALL.map(Language::extension), ["rs", "c", "py", "mjs"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// Rust that needs nothing but `core`.
    Rust,
    /// C99 without headers.
    C,
    /// Python 3 without imports.
    Python,
    /// JavaScript: a module of ECMAScript 2015 or later without imports.
    JavaScript,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 4] = [Self::Rust, Self::C, Self::Python, Self::JavaScript];

    /// The name in small letters, as options and files write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::C => "c",
            Self::Python => "python",
            Self::JavaScript => "javascript",
        }
    }

    /// The file name extension.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Rust => "rs",
            Self::C => "c",
            Self::Python => "py",
            Self::JavaScript => "mjs",
        }
    }

    /// The text of a whole file: comments, what comes before the program, the program, the entry.
    pub(crate) fn file(
        self,
        head: &[String],
        before: &str,
        program: &Program,
        entry: &str,
    ) -> String {
        match self {
            Self::Rust => rust::file(head, before, program, entry),
            Self::C => C.file(head, before, program, entry),
            Self::Python => PYTHON.file(head, before, program, entry),
            Self::JavaScript => JAVASCRIPT.file(head, before, program, entry),
        }
    }
}
