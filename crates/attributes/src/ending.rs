//! The end of the game within a move: checks, and mate that cannot be stopped.

use super::geometry::EDGE;
use lucena_chess::{Bitboard, Position, Side};

/// The number of strong men that give check, at most 2.
pub(super) fn checks(position: &Position) -> u8 {
    let (king, occupied) = (position.king(Side::Weak), position.occupied());
    let gives_check =
        |&slot: &usize| position.attacks(slot, position.squares()[slot], occupied).has(king);
    position.material().slots_of(Side::Strong).filter(gives_check).count().min(2) as u8
}

/// The value of `kReady`, with the weak side to move: 2 for checkmate, 1 if mate can follow any
/// move, else 0.
pub(super) fn readiness(position: &Position) -> u8 {
    // With only one piece against it, a bare king can be mated on the edge only.
    let material = position.material();
    let men = material.men();
    let king = position.king(Side::Weak);
    if men == 3 && !NEAR_EDGE.has(king) {
        return 0;
    }
    if !position.has_moves() {
        return if position.is_check() { 2 } else { 0 };
    }
    let mut is_ready = true;
    position.visit_steps(|step| {
        is_ready = is_ready
            && !step.converts()
            && (men > 3 || EDGE.has(step.to))
            && can_mate(&position.after(step));
    });
    is_ready.into()
}

/// Returns true if the side to move has a mate that neither captures nor promotes.
fn can_mate(position: &Position) -> bool {
    let mut found = false;
    position.visit_steps(|step| {
        if !found && !step.converts() {
            let after = position.after(step);
            found = after.is_check() && !after.has_moves();
        }
    });
    found
}

/// The squares from which a king can reach the edge in at most one move.
const NEAR_EDGE: Bitboard = Bitboard(0xffff_c3c3_c3c3_ffff);
