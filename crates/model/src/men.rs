//! Names of the men of an endgame, as attributes and rules write them.

use std::fmt;

/// The letters of roles, from king to pawn, each with its word.
const ROLES: [(char, &str); 6] =
    [('K', "king"), ('Q', "queen"), ('R', "rook"), ('B', "bishop"), ('N', "knight"), ('P', "pawn")];

/// The word for the letter of a role, in either case: "rook".
///
/// # Panics
/// If it is no letter of a role.
pub fn role_word(letter: char) -> &'static str {
    let is_it = |(role, _): &&(char, &str)| *role == letter.to_ascii_uppercase();
    ROLES.iter().find(is_it).map(|(_, word)| *word).expect("one of the six letters of roles")
}

/// The name of a man. `{}` writes its letters, in upper case for the strong side, and `{:#}` its words:
/// "R", "strong rook". Equal men of a side are numbered: "B1", "strong bishop 1".
///
/// ```
/// let bishop = lucena_model::ManName { role: 'B', is_strong: true, number: Some(1) };
/// assert_eq!(format!("{bishop}, {bishop:#}"), "B1, strong bishop 1");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ManName {
    /// The letter of the role, in upper case.
    pub role: char,
    /// True for a man of the strong side.
    pub is_strong: bool,
    /// The number among equal men of its side, from 1; `None` if it has no equal.
    pub number: Option<usize>,
}

impl fmt::Display for ManName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number.map_or(String::new(), |number| number.to_string());
        if f.alternate() {
            let side = if self.is_strong { "strong" } else { "weak" };
            let space = if number.is_empty() { "" } else { " " };
            return write!(f, "{side} {}{space}{number}", role_word(self.role));
        }
        let letter = if self.is_strong { self.role } else { self.role.to_ascii_lowercase() };
        write!(f, "{letter}{number}")
    }
}
