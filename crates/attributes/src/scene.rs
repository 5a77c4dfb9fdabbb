//! A position as attributes see it.

use super::man::Man;
use super::pawn_way::Pawn;
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Bitboard, Color, Material, Position, Side, Square};
use std::cell::OnceCell;

/// A position with facts that several attributes need, computed once.
///
/// Equal men are numbered in the order of their squares. If there are pawns, the strong side is made
/// White, so that its pawns run up. Positions that then look the same are equal.
pub(super) struct Scene {
    pub(super) position: Position,
    /// True if the colours, and so top and bottom, were exchanged.
    is_exchanged: bool,
    turning: OnceCell<Symmetry>,
    targets: OnceCell<Bitboard>,
    danger: OnceCell<Bitboard>,
    region: OnceCell<Bitboard>,
}

impl Scene {
    #[inline]
    pub(super) fn new(position: &Position) -> Self {
        let is_exchanged = position.material().has_pawns() && position.strong() == Color::Black;
        let position =
            if is_exchanged { position.with_colors_exchanged().tidy() } else { position.tidy() };
        Self {
            position,
            is_exchanged,
            turning: OnceCell::new(),
            targets: OnceCell::new(),
            danger: OnceCell::new(),
            region: OnceCell::new(),
        }
    }

    /// Puts the weak king on another square of the original board, and keeps what it does not decide.
    pub(super) fn put_weak_king(&mut self, square: Square) {
        let from = self.weak_king();
        let to = if self.is_exchanged { square.flip_rank() } else { square };
        let mut squares = *self.position.squares();
        squares[Material::king(Side::Weak)] = to;
        self.position = self.position.with(self.position.turn(), squares);
        self.turning = OnceCell::new();
        self.targets = OnceCell::new();
        // A king in check can leave for regions that are not connected otherwise.
        let is_same = |region: &Bitboard| region.has(to) && !self.danger().has(from);
        if !self.region.get().is_some_and(is_same) {
            self.region = OnceCell::new();
        }
    }

    /// Maps this board back to the original one.
    pub(super) fn back(&self) -> Symmetry {
        let turns_over = |symmetry: &Symmetry| {
            [Square::A1, Square::B1].map(|at| symmetry.apply(at)) == [Square::A8, Square::B8]
        };
        match Symmetry::ALL.into_iter().find(turns_over) {
            Some(upside_down) if self.is_exchanged => upside_down,
            _ => Symmetry::IDENTITY,
        }
    }

    /// The square of a man.
    #[inline]
    pub(super) fn at(&self, man: Man) -> Square {
        self.position.squares()[man.slot]
    }

    /// The number of a man's square, from a1 = 0 to h8 = 63.
    #[inline]
    pub(super) fn place(&self, man: Man) -> u8 {
        self.at(man) as u8
    }

    /// A pawn on its square.
    pub(super) fn pawn(&self, man: Man) -> Pawn {
        Pawn::new(self.at(man), man.side)
    }

    /// The position with the weak side to move.
    pub(super) fn with_weak_to_move(&self) -> Position {
        match self.position.turn() {
            Side::Weak => self.position,
            Side::Strong => self.position.with(Side::Weak, *self.position.squares()),
        }
    }

    pub(super) fn weak_king(&self) -> Square {
        self.position.king(Side::Weak)
    }

    /// The symmetry that brings the weak king nearest to a1.
    pub(super) fn turning(&self) -> Symmetry {
        let (material, squares) = (self.position.material(), self.position.squares());
        let first = Material::king(Side::Weak);
        *self
            .turning
            .get_or_init(|| Group::new(material).symmetry_to_region(material, squares, first))
    }

    /// The square of a man on the turned board.
    pub(super) fn turned(&self, man: Man) -> Square {
        self.turning().apply(self.at(man))
    }

    /// The squares that the strong side attacks with the weak king off the board.
    pub(super) fn danger(&self) -> Bitboard {
        *self.danger.get_or_init(|| self.position.danger(Side::Weak))
    }

    /// The square of the weak king and those that it could reach in any number of moves if nobody else moved: `find` finds
    /// them where they are not known.
    pub(super) fn region_or(&self, find: impl FnOnce() -> Bitboard) -> Bitboard {
        *self.region.get_or_init(find)
    }

    /// The squares to which the weak king can move.
    pub(super) fn targets(&self) -> Bitboard {
        *self.targets.get_or_init(|| self.position.king_targets(Side::Weak))
    }
}
