//! Files, ranks and distances on the board.

use super::words::Unit;
use cozy_chess::get_knight_moves;
use lucena_chess::{Bitboard, Square};
use lucena_model::squares;

/// One of the two kinds of lines on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    File,
    Rank,
}

impl Line {
    /// The lines of a template.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "File" => Some(Self::File),
            "Rank" => Some(Self::Rank),
            _ => None,
        }
    }

    /// The unit in which such lines are counted.
    pub(super) fn unit(self) -> Unit<'static> {
        match self {
            Self::File => Unit::new("files"),
            Self::Rank => Unit::new("ranks"),
        }
    }
}

/// The number of king moves between two squares.
pub(super) fn king_steps(from: Square, to: Square) -> u8 {
    squares::steps(from as u8, to as u8)
}

/// The number of king moves to the nearest of some squares, or `None` if there are none.
pub(super) fn steps_to_nearest(from: Square, places: Bitboard) -> Option<u8> {
    places.into_iter().map(|to| king_steps(from, to)).min()
}

/// The number of knight moves between two squares on an empty board, at most six.
pub(super) fn knight_steps(from: Square, to: Square) -> u8 {
    let (mut reached, mut steps) = (from.bitboard(), 0);
    while !reached.has(to) {
        reached = reached.into_iter().fold(reached, |all, at| all | get_knight_moves(at));
        steps += 1;
    }
    steps
}

/// Returns true if two squares have the same colour.
pub(super) fn of_one_color(one: Square, other: Square) -> bool {
    DARK.has(one) == DARK.has(other)
}

/// The two corners of the colour of a square.
pub(super) fn corners_of_color(square: Square) -> Bitboard {
    if DARK.has(square) { CORNERS & DARK } else { CORNERS & !DARK }
}

pub(super) const EDGE: Bitboard = Bitboard(0xff81_8181_8181_81ff);
pub(super) const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);
