//! The squares that men can reach, and attacks, guards, pins and forks.

use super::geometry::king_steps;
use super::man::Man;
use super::scene::Scene;
use lucena_chess::{Bitboard, Material, Role, Side, Slot, Square, king_attacks};

/// Returns true if a man is attacked by the other side.
pub(super) fn is_attacked(scene: &Scene, man: Man) -> bool {
    scene.position.is_attacked(scene.at(man), !man.side)
}

/// Returns true if a man is guarded by another of its side.
pub(super) fn is_guarded(scene: &Scene, man: Man) -> bool {
    let (position, squares) = (&scene.position, scene.position.squares());
    // The capturing king would move to that square, so it blocks nothing.
    let occupied = position.occupied() ^ position.king(!man.side).bitboard();
    let mut others = position.material().slots_of(man.side).filter(|&other| other != man.slot);
    others.any(|other| position.attacks(other, squares[other], occupied).has(scene.at(man)))
}

/// Returns true if nothing but this man blocks the attack of an enemy line piece on its king.
pub(super) fn is_pinned(scene: &Scene, man: Man) -> bool {
    let (position, squares) = (&scene.position, scene.position.squares());
    let (king, occupied) = (position.king(man.side), position.occupied());
    let lifted = occupied ^ scene.at(man).bitboard();
    position.material().slots_of(!man.side).any(|other| {
        let hits = |occupied| position.attacks(other, squares[other], occupied).has(king);
        !hits(occupied) && hits(lifted)
    })
}

/// Returns true if a man, moving now, could go to a square where it cannot be captured and attacks the
/// enemy king and another man at once.
pub(super) fn forks(scene: &Scene, man: Man) -> bool {
    let (position, squares) = (&scene.position, scene.position.squares());
    targets(scene, man).into_iter().any(|to| {
        let after = After::new(scene, man, to);
        let attacks = position.attacks(man.slot, to, after.occupied);
        let hits = |&other: &Slot| attacks.has(squares[other]);
        hits(&Material::king(!man.side))
            && position.material().slots_of(!man.side).filter(hits).count() > 1
            && !after.is_attacked(to)
    })
}

/// The squares to which a man other than a king could safely move if it were its turn.
pub(super) fn safe_targets(scene: &Scene, man: Man) -> Bitboard {
    let is_safe = |to: &Square| !After::new(scene, man, *to).is_attacked(*to);
    targets(scene, man).into_iter().filter(is_safe).collect()
}

/// The squares to which a man other than a king could move if it were its turn, without en passant.
pub(super) fn targets(scene: &Scene, man: Man) -> Bitboard {
    let position = &scene.position;
    let occupied = position.occupied();
    let attacks = position.attacks(man.slot, scene.at(man), occupied);
    let goes = match man.role {
        Role::Pawn => (attacks & position.men_of(!man.side)) | scene.pawn(man).pushes(occupied),
        _ => attacks & !position.men_of(man.side),
    };
    let king = position.king(man.side);
    let is_legal = |to: &Square| !After::new(scene, man, *to).is_attacked(king);
    (goes & !position.king(!man.side).bitboard()).into_iter().filter(is_legal).collect()
}

/// Returns true if a pawn could safely move one square ahead.
pub(super) fn can_advance(scene: &Scene, pawn: Man) -> bool {
    let next = scene.pawn(pawn).next();
    !scene.position.occupied().has(next) && !After::new(scene, pawn, next).is_attacked(next)
}

/// The squares that the weak king could reach in any number of moves if nobody else moved.
pub(super) fn reachable_by_king(scene: &Scene) -> Bitboard {
    region(scene) & !scene.weak_king().bitboard()
}

/// The square of the weak king and those that it could reach in any number of moves if nobody else moved.
fn region(scene: &Scene) -> Bitboard {
    scene.region_or(|| reachable_in(scene, u8::MAX) | scene.weak_king().bitboard())
}

/// The squares that the weak king could reach in a number of moves if nobody else moved.
pub(super) fn reachable_in(scene: &Scene, moves: u8) -> Bitboard {
    let free = !scene.danger() & !scene.position.men_of(Side::Weak);
    reached_by_king(scene.weak_king(), free, moves)
}

/// The squares that the weak king could reach if the strong king were off the board.
pub(super) fn cage(scene: &Scene) -> Bitboard {
    let strong_king = scene.position.king(Side::Strong).bitboard();
    reached_by_king(scene.weak_king(), open_but_for_king(scene, strong_king), u8::MAX)
}

/// The squares that the weak king, moving first, could reach before the strong king guards them if the other men stood
/// still. The strong king may go a different way to each of them.
pub(super) fn race(scene: &Scene) -> Bitboard {
    let strong_king = scene.position.king(Side::Strong);
    let open = open_but_for_king(scene, Bitboard::EMPTY);
    reached_in_time(scene.weak_king(), u8::MAX, |squares, moves| {
        // By then the strong king has made one move less, and it guards what is one step away.
        let is_first = |at: &Square| king_steps(strong_king, *at) > moves;
        (squares & open).into_iter().filter(is_first).collect()
    })
}

/// The squares that neither a weak man takes up nor a strong man but the king guards, with the weak king and some more
/// squares treated as empty.
fn open_but_for_king(scene: &Scene, emptied: Bitboard) -> Bitboard {
    let position = &scene.position;
    let occupied = position.occupied() & !position.king(Side::Weak).bitboard() & !emptied;
    let king = Material::king(Side::Strong);
    let men = position.material().slots_of(Side::Strong).filter(|&slot| slot != king);
    let guarded = men.fold(Bitboard::EMPTY, |all, slot| {
        all | position.attacks(slot, position.squares()[slot], occupied)
    });
    !guarded & !position.men_of(Side::Weak)
}

/// The squares that a king can reach over free squares within a number of moves.
fn reached_by_king(from: Square, free: Bitboard, most: u8) -> Bitboard {
    reached_in_time(from, most, |squares, _| squares & free)
}

/// The squares that a king can reach within a number of moves, with `free` choosing those of some squares that it can
/// enter by its first move, its second, and so on.
fn reached_in_time(from: Square, most: u8, free: impl Fn(Bitboard, u8) -> Bitboard) -> Bitboard {
    let home = from.bitboard();
    let (mut reached, mut border) = (home, home);
    for moves in 1..=most {
        border = free(king_attacks(border) & !reached, moves);
        if border.is_empty() {
            break;
        }
        reached |= border;
    }
    reached & !home
}

/// The board after a man has moved to a square and captured what stood there.
struct After<'s> {
    scene: &'s Scene,
    moved: Man,
    to: Square,
    occupied: Bitboard,
}

impl<'s> After<'s> {
    fn new(scene: &'s Scene, moved: Man, to: Square) -> Self {
        let occupied = (scene.position.occupied() ^ scene.at(moved).bitboard()) | to.bitboard();
        Self { scene, moved, to, occupied }
    }

    /// Returns true if the side that has not moved attacks a square.
    fn is_attacked(&self, square: Square) -> bool {
        let (position, squares) = (&self.scene.position, self.scene.position.squares());
        let left = position.material().slots_of(!self.moved.side);
        left.filter(|&slot| squares[slot] != self.to)
            .any(|slot| position.attacks(slot, squares[slot], self.occupied).has(square))
    }
}
