//! Files, ranks and distances on the board.

use super::words::{Unit, unit};
use cozy_chess::get_knight_moves;
use lucena_chess::{Bitboard, Square};
use lucena_tree::squares;

/// One of the two kinds of lines on a board. Differences are counted in them: squares that are two
/// ranks apart have one rank between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    File,
    Rank,
}

impl Line {
    /// Ranks, then files: the order in which attributes list them.
    pub(super) const BOTH: [Self; 2] = [Self::Rank, Self::File];

    /// The number of the line through a square, from 0.
    pub(super) fn of(self, square: Square) -> u8 {
        match self {
            Self::File => square.file() as u8,
            Self::Rank => square.rank() as u8,
        }
    }

    /// All squares of the line through a square.
    pub(super) fn through(self, square: Square) -> Bitboard {
        match self {
            Self::File => square.file().bitboard(),
            Self::Rank => square.rank().bitboard(),
        }
    }

    pub(super) fn unit(self) -> Unit {
        match self {
            Self::File => unit("file", "files"),
            Self::Rank => unit("rank", "ranks"),
        }
    }

    /// "file" or "rank".
    pub(super) fn word(self) -> &'static str {
        self.unit().one
    }

    /// "File" or "Rank", as in attribute names.
    pub(super) fn capital(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Rank => "Rank",
        }
    }
}

/// The differences in ranks and files between two squares.
pub(super) fn apart(one: Square, other: Square) -> [u8; 2] {
    Line::BOTH.map(|line| line.of(one).abs_diff(line.of(other)))
}

/// The distances in ranks and files of a square from the nearer edge.
pub(super) fn to_edges(square: Square) -> [u8; 2] {
    Line::BOTH.map(|line| line.of(square).min(7 - line.of(square)))
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

/// Returns true if two squares are on one diagonal.
pub(super) fn on_one_diagonal(one: Square, other: Square) -> bool {
    let [ranks, files] = apart(one, other);
    ranks == files
}

/// Returns true if two squares have the same colour.
pub(super) fn of_one_color(one: Square, other: Square) -> bool {
    DARK.has(one) == DARK.has(other)
}

/// The two corners of the colour of a square.
pub(super) fn corners_of_color(square: Square) -> Bitboard {
    if DARK.has(square) { CORNERS & DARK } else { CORNERS & !DARK }
}

/// Collects squares into a bitboard.
pub(super) fn collect(squares: impl Iterator<Item = Square>) -> Bitboard {
    squares.fold(Bitboard::EMPTY, |all, square| all | square.bitboard())
}

pub(super) const EDGE: Bitboard = Bitboard(0xff81_8181_8181_81ff);
pub(super) const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);
