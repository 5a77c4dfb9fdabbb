//! The entry functions of strategies and trees: squares in, move out, in each language's style.

use super::chess::for_men;
use super::man::Man;
use crate::language::Language;
use crate::writer::filled;

/// The text that stands before the program, and the text that stands after it.
///
/// In the templates, `$men` is the number of men, `$board` the number of items of a board, `$squares` are
/// these items and `$numbers` the same as numbers of Rust.
pub(crate) fn around(language: Language, material: &str, men: &[Man]) -> [String; 2] {
    let texts = match language {
        Language::Rust => ["type Board = [usize; $board];", include_str!("entry/rust.txt")],
        Language::C => ["typedef struct { int at[$board]; } Board;", include_str!("entry/c.txt")],
        Language::Python => ["", include_str!("entry/python.txt")],
        Language::JavaScript => ["", include_str!("entry/javascript.txt")],
    };
    about(texts, material, men)
}

/// The text before a program and the text after it, for some men.
pub(crate) fn about(texts: [&str; 2], material: &str, men: &[Man]) -> [String; 2] {
    let has_pawn = men.iter().any(|man| man.kind == 'P');
    let items = |item: fn(usize) -> String| {
        let squares = (0..men.len()).map(item);
        squares.chain(has_pawn.then(|| "PAWN".into())).collect::<Vec<_>>().join(", ")
    };
    let values = [
        ("$material", &*material.to_lowercase()),
        ("$men", &men.len().to_string()),
        ("$board", &(men.len() + usize::from(has_pawn)).to_string()),
        ("$squares", &items(|man| format!("squares[{man}]"))),
        ("$numbers", &items(|man| format!("usize::from(squares[{man}])"))),
    ];
    texts.map(|text| filled(for_men(men, text).trim_end(), values))
}
