//! Names that are valid in generated code.

/// Words that Rust reserves in any edition. Source: The Rust Reference, "Keywords".
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "Self", "static", "struct", "super", "trait", "true", "try", "type",
    "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Returns true if a text is a Rust identifier of ASCII letters, digits and `_`.
pub fn is_identifier(text: &str) -> bool {
    let first = text.chars().next();
    let begins = first.is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    begins && is_plain && text != "_" && !KEYWORDS.contains(&text)
}
