//! What a player names where both sides have more than a king: rooks behind and beside pawns, a king that is cut off,
//! the long side, checks from a distance, and short tactics.

use super::focus::Area;
use super::forces::Force;
use super::forcing::is_quiet;
use super::man::Man;
use super::number_spec::{NumberSpec, Of, count, value, whether};
use super::scene::Scene;
use super::tactics::Tactics;
use lucena_chess::{Bitboard, Position, Role, Side, Square, Step};
use lucena_model::squares::{cuts, files, steps};

/// The rule of an attribute by its name.
pub(super) fn number_spec(name: &str) -> Option<NumberSpec> {
    let rank: Of<Bitboard> = |s, x, _| s.at(x).rank().bitboard();
    Some(match name {
        "{Y}{X}Behind" => whether(|s, x, y| behind(s, x, y).has(s.at(y))).about(Area::Line, behind),
        "{Y}{X}Beside" => {
            whether(|s, x, y| s.at(x).rank() == s.at(y).rank()).about(Area::Line, rank)
        }
        "{E}{X}Cut" => value(|s, x, _| cut(s, x).map_or(0, |(files, _)| files))
            .about(Area::Line, |s, x, _| {
                cut(s, x).map_or(Bitboard::EMPTY, |(_, at)| at.file().bitboard())
            }),
        "{E}{X}LongSide" => value(|s, x, _| {
            let (king, pawn) = (s.position.king(!x.side) as u8 % 8, s.place(x) % 8);
            let is_right = king > pawn;
            // Beyond the fourth file the long side is that of the a-file.
            if king == pawn { 1 } else { 2 * u8::from(is_right == (pawn < 4)) }
        }),
        "{X}Checks" => count(Area::Goals, |s, x, _| safe_checks(s, x)),
        "{X}CheckDistance" => value(|s, x, _| {
            let king = s.position.king(!x.side) as u8;
            safe_checks(s, x).into_iter().map(|at| steps(at as u8, king)).max().unwrap_or(0)
        })
        .about(Area::Goals, |s, x, _| safe_checks(s, x)),
        "kSaves" => whether(|s, _, _| holds(s, Side::Weak, Tactics::saves)),
        "KStrikes" => whether(|s, _, _| holds(s, Side::Strong, Tactics::strikes)),
        "KSafe" => value(|s, _, _| number(s, Side::Strong, Tactics::safe_moves)),
        "kThreatens" => whether(|s, _, _| holds(s, Side::Weak, Tactics::weak_threatens)),
        "kSafe" => value(|s, _, _| number(s, Side::Weak, Tactics::safe_replies)),
        "KThreatens" => whether(|s, _, _| holds(s, Side::Strong, Tactics::strong_threatens)),
        "KForces" => value(|s, _, _| forced(s, Side::Strong, Tactics::strong_forces)),
        "kForces" => value(|s, _, _| forced(s, Side::Weak, Tactics::weak_forces)),
        "Quiet" => whether(|s, _, _| {
            let squares = *s.position.squares();
            Side::ALL.into_iter().all(|turn| is_quiet(&s.position.with(turn, squares)))
        }),
        _ => return None,
    })
}

/// The value of a search with a side to move; `None` if that is not legal.
fn with_turn<T>(scene: &Scene, turn: Side, search: fn(Tactics, &Position) -> T) -> Option<T> {
    let (tactics, position) = Tactics::new(&scene.position, turn)?;
    Some(search(tactics, &position))
}

fn holds(scene: &Scene, turn: Side, search: fn(Tactics, &Position) -> bool) -> bool {
    with_turn(scene, turn, search).unwrap_or(false)
}

fn number(scene: &Scene, turn: Side, search: fn(Tactics, &Position) -> u8) -> u8 {
    with_turn(scene, turn, search).unwrap_or(0)
}

fn forced(scene: &Scene, turn: Side, search: fn(Tactics, &Position) -> Force) -> u8 {
    with_turn(scene, turn, search).unwrap_or(Force::Open) as u8
}

/// The squares of a pawn's file behind it.
fn behind(scene: &Scene, pawn: Man, _: Man) -> Bitboard {
    let square = scene.at(pawn);
    square.file().bitboard() & !scene.pawn(pawn).way() & !square.bitboard()
}

/// The greatest number of files by which a rook or queen of a pawn's side cuts the enemy king off from the pawn, with the
/// square of that piece.
fn cut(scene: &Scene, pawn: Man) -> Option<(u8, Square)> {
    let (material, squares) = (scene.position.material(), scene.position.squares());
    let (king, place) = (scene.position.king(!pawn.side) as u8, scene.place(pawn));
    let is_heavy = |&slot: &usize| matches!(material.role(slot), Role::Rook | Role::Queen);
    let heavy = material.slots_of(pawn.side).filter(is_heavy).map(|slot| squares[slot]);
    let cutting = heavy.filter(|&at| cuts(king % 8, at as u8 % 8, place % 8));
    cutting.map(|at| (files(at as u8, place), at)).max()
}

/// The squares from which a rook or queen, moving now without a capture, would give a check and could not be taken.
fn safe_checks(scene: &Scene, man: Man) -> Bitboard {
    let position = scene.position.with(man.side, *scene.position.squares());
    let (king, occupied) = (position.king(!man.side), position.occupied());
    if position.is_attacked(king, man.side) {
        return Bitboard::EMPTY;
    }
    let mut checks = Bitboard::EMPTY;
    position.visit_targets(|slot, targets| {
        if slot == man.slot {
            checks = targets & !occupied & position.attacks(slot, king, occupied);
        }
    });
    let is_safe = |&to: &Square| {
        let after = position.after(Step { slot: man.slot, to, captured: None, promotion: None });
        let mut is_taken = false;
        after.visit_targets(|_, targets| is_taken |= targets.has(to));
        !is_taken
    };
    checks.into_iter().filter(is_safe).collect()
}
