//! A position as attributes see it, and the geometry of the board.

use super::Axis;
use crate::chess::{Bitboard, Color, Material, Position, Side, Slot, Square};
use crate::symmetry::{Group, Symmetry};
use cozy_chess::{get_king_moves, get_knight_moves};
use std::cell::OnceCell;
use std::cmp::Ordering;

/// A position as attributes read it: equal men are numbered in the order of their squares, and where
/// there are pawns the strong side is White, so that its pawns run up. What looks the same is the same.
pub(super) struct Reading {
    pub(super) position: Position,
    /// From the board that is read to the one that was given.
    pub(super) back: Symmetry,
}

impl Reading {
    #[inline]
    pub(super) fn of(position: &Position) -> Self {
        if position.material().has_pawns() && position.strong() == Color::Black {
            let exchanged = position.with_colors_exchanged();
            return Self { position: exchanged.tidy(), back: upside_down() };
        }
        Self { position: position.tidy(), back: Symmetry::IDENTITY }
    }
}

/// Exchanges top and bottom.
fn upside_down() -> Symmetry {
    let is_it = |symmetry: &Symmetry| {
        (symmetry.apply(Square::A1), symmetry.apply(Square::B1)) == (Square::A8, Square::B8)
    };
    Symmetry::ALL.into_iter().find(is_it).expect("it is one of the eight")
}

/// A position with what several attributes need to know of it, worked out once.
pub(super) struct Scene {
    pub(super) position: Position,
    turning: OnceCell<Symmetry>,
    targets: OnceCell<Bitboard>,
}

impl Scene {
    #[inline]
    pub(super) fn new(position: &Position) -> Self {
        let Reading { position, .. } = Reading::of(position);
        Self { position, turning: OnceCell::new(), targets: OnceCell::new() }
    }

    /// Where a man stands once the board is turned so that the weak king is nearest to a1.
    pub(super) fn turned(&self, slot: Slot) -> Square {
        let (material, squares) = (self.position.material(), self.position.squares());
        let first = Material::king(Side::Weak);
        let turning =
            self.turning.get_or_init(|| Group::of(material).turning(material, squares, first));
        turning.apply(squares[slot])
    }

    /// Where the weak king can go.
    pub(super) fn targets(&self) -> Bitboard {
        *self.targets.get_or_init(|| self.position.king_targets(Side::Weak))
    }
}

/// How far apart two squares are along the file and along the rank.
pub(super) fn apart(one: Square, other: Square) -> [u8; 2] {
    Axis::BOTH.map(|axis| axis.along(one).abs_diff(axis.along(other)))
}

/// How far a square is from the nearer edge along the file and along the rank.
pub(super) fn to_edges(square: Square) -> [u8; 2] {
    Axis::BOTH.map(|axis| axis.along(square).min(7 - axis.along(square)))
}

/// The squares that the weak king could reach, one move after the other, if nobody else moved.
pub(super) fn room(position: &Position) -> Bitboard {
    let free = !position.danger(Side::Weak) & !position.men_of(Side::Weak);
    let home = position.king(Side::Weak).bitboard();
    let (mut reached, mut border) = (home, home);
    while !border.is_empty() {
        let next = border.into_iter().fold(Bitboard::EMPTY, |all, at| all | get_king_moves(at));
        border = next & free & !reached;
        reached |= border;
    }
    reached & !home
}

/// The lines of a box along one axis, both ends included.
pub(super) struct Extent {
    pub(super) low: u8,
    pub(super) high: u8,
}

impl Extent {
    pub(super) fn len(&self) -> u8 {
        self.high - self.low + 1
    }

    pub(super) fn has(&self, along: u8) -> bool {
        (self.low..=self.high).contains(&along)
    }
}

/// What a line piece cuts off along an axis, on the king's side of it.
pub(super) fn extent(axis: Axis, cutter: Square, king: Square) -> Extent {
    let (cutter, king) = (axis.along(cutter), axis.along(king));
    match king.cmp(&cutter) {
        Ordering::Less => Extent { low: 0, high: cutter - 1 },
        Ordering::Equal => Extent { low: 0, high: 7 },
        Ordering::Greater => Extent { low: cutter + 1, high: 7 },
    }
}

/// How many ranks and files a box has.
pub(super) fn sides(cutter: Square, king: Square) -> [u8; 2] {
    Axis::BOTH.map(|axis| extent(axis, cutter, king).len())
}

/// Whether two squares are on one diagonal.
pub(super) fn on_one_diagonal(one: Square, other: Square) -> bool {
    let [file, rank] = apart(one, other);
    file == rank
}

/// Whether two squares are both light or both dark.
pub(super) fn of_one_color(one: Square, other: Square) -> bool {
    is_dark(one) == is_dark(other)
}

fn is_dark(square: Square) -> bool {
    DARK.has(square)
}

/// The two corners of the colour of a square.
pub(super) fn corners_of_color(square: Square) -> Bitboard {
    if is_dark(square) { CORNERS & DARK } else { CORNERS & !DARK }
}

/// How many moves a king has to the nearest of some squares.
pub(super) fn steps_to_nearest(from: Square, places: Bitboard) -> Option<u8> {
    places.into_iter().map(|to| king_steps(from, to)).min()
}

/// How many moves a king has from one square to another.
pub(super) fn king_steps(from: Square, to: Square) -> u8 {
    let [file, rank] = apart(from, to);
    file.max(rank)
}

/// How many moves a knight has from one square to another on an empty board: at most six.
pub(super) fn knight_steps(from: Square, to: Square) -> u8 {
    let (mut reached, mut steps) = (from.bitboard(), 0);
    while !reached.has(to) {
        reached = reached.into_iter().fold(reached, |all, at| all | get_knight_moves(at));
        steps += 1;
    }
    steps
}

pub(super) const EDGE: Bitboard = Bitboard(0xff81_8181_8181_81ff);
pub(super) const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);
