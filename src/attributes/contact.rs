//! Who attacks, guards, pins and forks whom, and where a man could go.

use super::pawn::Pawn;
use crate::chess::{Bitboard, Material, Position, Role, Side, Slot, Square};

/// Whether a man is attacked by one of the other side.
pub(super) fn attacked(position: &Position, slot: Slot) -> bool {
    position.is_attacked(position.squares()[slot], !position.material().side(slot))
}

/// Whether a man is guarded by another of its side.
pub(super) fn guarded(position: &Position, slot: Slot) -> bool {
    let (material, squares) = (position.material(), position.squares());
    let side = material.side(slot);
    // The other king would stand on that square then, and hides nothing.
    let occupied = position.occupied() ^ position.king(!side).bitboard();
    material
        .slots_of(side)
        .filter(|&other| other != slot)
        .any(|other| position.attacks(other, squares[other], occupied).has(squares[slot]))
}

/// Whether a man stands between its king and a line piece of the other side, all else being clear.
pub(super) fn pinned(position: &Position, slot: Slot) -> bool {
    let (material, squares) = (position.material(), position.squares());
    let side = material.side(slot);
    let (king, occupied) = (position.king(side), position.occupied());
    let lifted = occupied ^ squares[slot].bitboard();
    material.slots_of(!side).any(|other| {
        let hits = |occupied| position.attacks(other, squares[other], occupied).has(king);
        !hits(occupied) && hits(lifted)
    })
}

/// Whether a man could go to a square where nobody takes it and it attacks the other king and
/// another man at once, if it is its turn.
pub(super) fn forks(position: &Position, slot: Slot) -> bool {
    let (material, squares) = (position.material(), position.squares());
    let other_side = !material.side(slot);
    targets(position, slot).into_iter().any(|to| {
        let after = After::new(position, slot, to);
        let attacks = position.attacks(slot, to, after.occupied);
        let hits = |&other: &Slot| attacks.has(squares[other]);
        hits(&Material::king(other_side))
            && material.slots_of(other_side).filter(hits).count() > 1
            && !after.is_attacked(to, other_side)
    })
}

/// Where a man other than a king could go if it is its turn, and not be taken.
pub(super) fn safe_targets(position: &Position, slot: Slot) -> Bitboard {
    let other_side = !position.material().side(slot);
    let is_safe = |to: &Square| !After::new(position, slot, *to).is_attacked(*to, other_side);
    collect(targets(position, slot).into_iter().filter(is_safe))
}

/// Where a man other than a king could go if it is its turn; taking en passant is left out.
pub(super) fn targets(position: &Position, slot: Slot) -> Bitboard {
    let (material, square) = (position.material(), position.squares()[slot]);
    let (side, occupied) = (material.side(slot), position.occupied());
    let attacks = position.attacks(slot, square, occupied);
    let goes = match material.role(slot) {
        Role::Pawn => {
            let pawn = Pawn::new(square, side);
            (attacks & position.men_of(!side)) | pawn.pushes(occupied)
        }
        _ => attacks & !position.men_of(side),
    };
    let is_legal =
        |to: &Square| !After::new(position, slot, *to).is_attacked(position.king(side), !side);
    collect((goes & !position.king(!side).bitboard()).into_iter().filter(is_legal))
}

/// Whether a pawn could go one square ahead, and not be taken there.
pub(super) fn can_advance(position: &Position, slot: Slot) -> bool {
    let side = position.material().side(slot);
    let next = Pawn::new(position.squares()[slot], side).next();
    !position.occupied().has(next) && !After::new(position, slot, next).is_attacked(next, !side)
}

fn collect(squares: impl Iterator<Item = Square>) -> Bitboard {
    squares.fold(Bitboard::EMPTY, |all, square| all | square.bitboard())
}

/// The board after a man has gone to a square and taken what stood there.
struct After<'p> {
    position: &'p Position,
    moved: Slot,
    to: Square,
    occupied: Bitboard,
}

impl<'p> After<'p> {
    fn new(position: &'p Position, moved: Slot, to: Square) -> Self {
        let from = position.squares()[moved].bitboard();
        let occupied = (position.occupied() ^ from) | to.bitboard();
        Self { position, moved, to, occupied }
    }

    /// Whether a side that has not moved attacks a square.
    fn is_attacked(&self, square: Square, by: Side) -> bool {
        let (material, squares) = (self.position.material(), self.position.squares());
        debug_assert_ne!(material.side(self.moved), by);
        let left = material.slots_of(by).filter(|&slot| squares[slot] != self.to);
        left.into_iter()
            .any(|slot| self.position.attacks(slot, squares[slot], self.occupied).has(square))
    }
}
