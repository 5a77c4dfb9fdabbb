//! The board is turned before a choice is made, so that the choice moves with the board.

use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Color, Move, Position};

/// Chooses on the representative under a group of symmetries and turns the choice back onto the
/// board: the way for a policy to be symmetric under them.
pub fn choose_canonically(
    group: Group,
    position: &Position,
    choose: impl FnOnce(&Position) -> Option<Move>,
) -> Option<Move> {
    let (position, symmetry) = representative(group, position);
    Some(symmetry.inverse().apply_to_move(choose(&position)?))
}

/// The representative on which a choice is made, and the symmetry that leads to it. With pawns on the
/// board a black strong side is turned round and becomes white.
pub(super) fn representative(group: Group, position: &Position) -> (Position, Symmetry) {
    let (position, turning) = match position.strong() {
        Color::Black if position.material().has_pawns() => {
            (position.with_colors_exchanged(), Symmetry::UPSIDE_DOWN)
        }
        _ => (*position, Symmetry::IDENTITY),
    };
    // Which of two equal men is which must not matter to the choice.
    let position = position.tidy();
    let symmetry = group.canonicaliser(&position);
    (symmetry.apply_to_position(&position), turning.then(symmetry))
}
