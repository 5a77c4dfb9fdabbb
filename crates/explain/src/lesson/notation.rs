//! Boards and moves in the notation of a page.

use lucena_attributes::{Attribute, ReaderBoard};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Move, Position};

/// An attribute's sentence after a move, about the board as it stands.
pub(super) fn shows(attribute: &Attribute, position: &Position, mv: Move) -> Option<String> {
    let after = position.play(mv).ok()?;
    if after.material() != position.material() {
        return None;
    }
    let value = attribute.value(&after);
    Some(attribute.sentence(value..=value, &ReaderBoard::of(&after, Symmetry::IDENTITY)))
}

/// A board as a text block, and its FEN.
pub(super) fn board(position: &Position) -> String {
    format!("```text\n{position:#}\n```\n\nWhite to move: `{position}`\n")
}

/// Moves in a list for people: "Kb2", "Kb2 and Re1", "Kb2, Kb1 and Re1".
pub(super) fn sans(position: &Position, moves: &[Move]) -> String {
    let sans: Vec<String> = moves.iter().filter_map(|&mv| position.san(mv).ok()).collect();
    match sans.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}
