//! The distance of a square from the centre of the board.

use lucena_chess::Square;

/// Returns a king's steps to the nearest of the four central squares.
pub(super) fn steps_to_centre(square: Square) -> u8 {
    let off = |along: u8| if along < 4 { 3 - along } else { along - 4 };
    off(square.file() as u8).max(off(square.rank() as u8))
}
