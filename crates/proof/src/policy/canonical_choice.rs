//! Symmetric choices: made on the representative of a position, and transformed back to the board.

use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Color, Move, Position};

/// Chooses on the representative under a group of symmetries and transforms the choice back to the board.
/// This makes a policy symmetric under the group.
pub fn choose_canonically(
    group: Group,
    position: &Position,
    choose: impl FnOnce(&Position) -> Option<Move>,
) -> Option<Move> {
    let (position, symmetry) = representative(group, position);
    Some(symmetry.inverse().apply_to_move(choose(&position)?))
}

/// Returns the representative on which a choice is made, and the symmetry that leads to it. With pawns on the
/// board, a black strong side is flipped to become white.
pub(super) fn representative(group: Group, position: &Position) -> (Position, Symmetry) {
    let (position, turning) = match position.strong() {
        Color::Black if position.material().has_pawns() => {
            (position.with_colors_exchanged(), Symmetry::UPSIDE_DOWN)
        }
        _ => (*position, Symmetry::IDENTITY),
    };
    // The choice must not depend on the order of two equal men.
    let position = position.tidy();
    let symmetry = group.canonical_symmetry(&position);
    (symmetry.apply_to_position(&position), turning.then(symmetry))
}
