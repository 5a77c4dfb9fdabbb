//! The end of the game within a move: unstoppable mate, stalemate, checks.

use super::Attribute;
use super::attribute::{NO_OR_YES, Question};
use super::geometry::EDGE;
use super::man::{Man, Men};
use super::scene::Scene;
use super::teller::Teller;
use super::words::unit;
use lucena_chess::{Bitboard, Position, Side};

pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let king = men.king(Side::Weak);
    vec![ready(king), stalemate(king), checks(king)]
}

/// 2 if the weak king is checkmated, 1 if mate follows any move of the weak side, else 0. For 1 the
/// weak side must have a move, none of its moves may capture or promote, and after each the strong side
/// must mate without capturing or promoting.
///
/// ```text
/// 3 . K . .
/// 2 . . . R
/// 1 k . . .
///   a b c d      kReady = 1: after Kb1 comes Rd1
/// ```
fn ready(king: Man) -> Attribute {
    Question {
        name: format!("{king}Ready"),
        domain: 0..=2,
        meaning: format!(
            "2 if the {king:#} is checkmated, 1 if mate follows whatever the weak side does"
        ),
        men: vec![king],
        value: |scene: &Scene| readiness(&scene.with_weak_to_move()),
        sentence: move |tell: &Teller| {
            let king = tell.name(king);
            match (tell.range.from, tell.range.to) {
                (2, _) => format!("{king} is checkmated"),
                (1, 2) => format!("{king} is checkmated, or mate next move cannot be stopped"),
                (1, _) => "mate next move cannot be stopped".into(),
                (_, 0) => format!("{king} is not checkmated, and mate next move can be stopped"),
                _ => format!("{king} is not checkmated"),
            }
        },
    }
    .attribute()
    .aiming(move |tell| match tell.range.is_open_above() {
        false => "neither mate nor threaten a mate that cannot be stopped".into(),
        true => "mate, or else make sure that mate next move cannot be stopped".into(),
    })
}

/// True if the weak side would be stalemated if it were its turn.
fn stalemate(king: Man) -> Attribute {
    Question {
        name: format!("{king}Stalemate"),
        domain: NO_OR_YES,
        meaning: format!("whether the {king:#} is stalemated"),
        men: vec![king],
        value: |scene: &Scene| scene.with_weak_to_move().is_stalemate(),
        sentence: move |tell: &Teller| tell.is(king, "stalemated"),
    }
    .attribute()
    .aiming(move |tell| match tell.range.is_open_above() {
        false => format!("do not stalemate {}", tell.name(king)),
        true => format!("stalemate {}", tell.name(king)),
    })
}

/// The number of strong men that give check, 0 to 2.
fn checks(king: Man) -> Attribute {
    Question {
        name: format!("{king}Checks"),
        domain: 0..=2,
        meaning: format!("men that give the {king:#} check"),
        men: vec![king],
        value: |scene: &Scene| {
            let (position, home) = (&scene.position, scene.weak_king());
            let occupied = position.occupied();
            let checks = position.material().slots_of(Side::Strong).filter(|&slot| {
                position.attacks(slot, position.squares()[slot], occupied).has(home)
            });
            checks.count().min(2) as u8
        },
        sentence: move |tell: &Teller| {
            let count = tell.range.count(unit("man", "men"));
            format!("{} is checked by {count}", tell.name(king))
        },
    }
    .attribute()
    .aiming(move |tell| match tell.range.is_open_above() {
        false => "give no check".into(),
        true => "give check, with two men if possible".into(),
    })
}

/// 2 for checkmate, 1 for mate after any move, else 0, with the weak side to move.
fn readiness(position: &Position) -> u8 {
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
            && !step.departs()
            && (men > 3 || EDGE.has(step.to))
            && can_mate(&position.after(step));
    });
    is_ready.into()
}

/// Returns true if the side to move has a mate that neither captures nor promotes.
fn can_mate(position: &Position) -> bool {
    let mut found = false;
    position.visit_steps(|step| {
        if !found && !step.departs() {
            let after = position.after(step);
            found = after.is_check() && !after.has_moves();
        }
    });
    found
}

/// The squares from which a king can reach the edge in at most one move.
const NEAR_EDGE: Bitboard = Bitboard(0xffff_c3c3_c3c3_ffff);
