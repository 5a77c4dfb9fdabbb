//! The languages that code is written in: a small language that says what all of them can say, and how
//! each prints it.

pub(crate) mod ast;
pub(crate) mod c;
pub(crate) mod javascript;
pub(crate) mod print;
pub(crate) mod python;
pub(crate) mod rust;

/// A language that trees and strategies are written in.
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
    /// C99 that needs no header.
    C,
    /// Python 3 that imports nothing.
    Python,
    /// JavaScript, a module of ECMAScript 2015 or later that imports nothing.
    JavaScript,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Rust, Self::C, Self::Python, Self::JavaScript];

    /// How the name of a file ends that holds it.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Rust => "rs",
            Self::C => "c",
            Self::Python => "py",
            Self::JavaScript => "mjs",
        }
    }
}
