//! Bishops: corners of their colour and others, the wall of two of them, and driving the weak king to the
//! target corner with bishop and knight.

use super::focus::Area;
use super::geometry::{CORNERS, corners_of_color, king_steps, knight_steps};
use super::man::Man;
use super::number_spec::{NumberSpec, Of, count, value, whether};
use super::reach::{cage, reachable_by_king};
use super::scene::Scene;
use cozy_chess::get_king_moves;
use lucena_chess::{Bitboard, Role, Side, Square};
use lucena_model::squares::{edge_steps, files, ranks};

/// The rule of an attribute by its name. `X` is a bishop, `Y` another or a knight.
pub(super) fn number_spec(name: &str) -> Option<NumberSpec> {
    let corners = |squares: Of<Bitboard>, steps| value(steps).about(Area::Corners, squares);
    let target = |distance: Of<u8>| value(distance).about(Area::Corners, targets);
    Some(match name {
        "k{X}RightCornerSteps" => corners(right, |s, x, y| near(s.weak_king(), right(s, x, y))),
        "k{X}WrongCornerSteps" => corners(wrong, |s, x, y| near(s.weak_king(), wrong(s, x, y))),
        "K{X}RightCornerSteps" => corners(right, |s, x, y| near(strong_king(s), right(s, x, y))),
        "K{X}WrongCornerSteps" => corners(wrong, |s, x, y| near(strong_king(s), wrong(s, x, y))),
        "kWall" => whether(|s, x, y| behind_wall(s, [x, y]).is_some()),
        "kWallSize" => {
            count(Area::Room, |s, x, y| behind_wall(s, [x, y]).unwrap_or(Bitboard::FULL))
        }
        "kBCovered" => count(Area::Goals, |s, _, _| covered(s)),
        "KTargetSteps" => target(|s, x, y| to_target(s, [x, y], strong_king(s), king_steps)),
        "KTargetSum" => target(|s, x, y| to_target(s, [x, y], strong_king(s), way)),
        "kTargetSum" => target(|s, x, y| to_target(s, [x, y], s.weak_king(), way)),
        "KTargetSupport" => whether(|s, x, y| {
            targets(s, x, y).into_iter().any(|at| knight_steps(strong_king(s), at) == 1)
        })
        .about(Area::Corners, targets),
        "{Y}TargetSteps" => target(|s, x, y| to_target(s, [x, y], s.at(y), king_steps)),
        "{Y}TargetSum" => target(|s, x, y| to_target(s, [x, y], s.at(y), way)),
        "{Y}TargetJumps" => target(|s, x, y| to_target(s, [x, y], s.at(y), knight_steps)),
        "kScreened" => {
            count(Area::Moves, |s, x, y| nearer_to_wrong(s, x, y) & s.position.danger(Side::Weak))
        }
        "kUnscreened" => {
            count(Area::Moves, |s, x, y| nearer_to_wrong(s, x, y) & !s.position.danger(Side::Weak))
        }
        "kTriangle" => value(|s, x, _| triangle(s, x, |_, _| true)),
        "{X}Triangle" => value(|s, x, _| triangle(s, x, |corner, far| way(s.at(x), corner) == far)),
        "{Y}WSquare" => value(w_square),
        "kWrongRoom" => count(Area::Room, |s, x, y| wrong_part(reachable_by_king(s), s, x, y)),
        "kWrongCage" => count(Area::Room, |s, x, y| wrong_part(cage(s), s, x, y)),
        _ => return None,
    })
}

fn strong_king(scene: &Scene) -> Square {
    scene.position.king(Side::Strong)
}

/// The number of files and ranks between two squares, added up.
fn way(one: Square, other: Square) -> u8 {
    lucena_model::squares::way(one as u8, other as u8)
}

/// The least value over some squares.
fn least(places: Bitboard, number: impl Fn(Square) -> u8) -> u8 {
    places.into_iter().map(number).min().expect("there is a place")
}

/// The number of king moves to the nearest of some squares.
fn near(from: Square, places: Bitboard) -> u8 {
    least(places, |at| king_steps(from, at))
}

/// The corners of a bishop's colour.
fn right(scene: &Scene, bishop: Man, _: Man) -> Bitboard {
    corners_of_color(scene.at(bishop))
}

/// The other corners.
fn wrong(scene: &Scene, bishop: Man, _: Man) -> Bitboard {
    CORNERS & !corners_of_color(scene.at(bishop))
}

/// The corners of a bishop's colour that are nearest to the weak king.
fn targets(scene: &Scene, bishop: Man, other: Man) -> Bitboard {
    let (corners, king) = (right(scene, bishop, other), scene.weak_king());
    let steps = near(king, corners);
    corners.into_iter().filter(|corner| king_steps(king, *corner) == steps).collect()
}

fn to_target(
    scene: &Scene,
    [bishop, other]: [Man; 2],
    from: Square,
    distance: fn(Square, Square) -> u8,
) -> u8 {
    least(targets(scene, bishop, other), |corner| distance(from, corner))
}

/// The squares next to the weak king that are nearer to a wrong corner than the king is.
fn nearer_to_wrong(scene: &Scene, bishop: Man, other: Man) -> Bitboard {
    let (home, wrong) = (scene.weak_king(), wrong(scene, bishop, other));
    let far = |from: Square| least(wrong, |corner| way(from, corner));
    get_king_moves(home).into_iter().filter(|&at| far(at) < far(home)).collect()
}

/// The squares that are nearer to a wrong corner than to a right one.
fn wrong_part(squares: Bitboard, scene: &Scene, bishop: Man, other: Man) -> Bitboard {
    let far = |from: Square, places| least(places, |corner| way(from, corner));
    let [right, wrong] = [right, wrong].map(|corners| corners(scene, bishop, other));
    squares.into_iter().filter(|&at| far(at, wrong) < far(at, right)).collect()
}

/// The distances from the corner, in files and ranks, of the hypotenuses of the large, medium and small
/// triangle.
const HYPOTENUSES: [u8; 3] = [6, 4, 2];

/// The number of the smallest of Delétang's triangles around the weak king that satisfies a condition: 0
/// none, 1 large, 2 medium, 3 small. The triangle's corner is of the bishop's colour.
fn triangle(scene: &Scene, bishop: Man, is_asked: impl Fn(Square, u8) -> bool) -> u8 {
    let king = scene.weak_king();
    let mut found = 0;
    for corner in corners_of_color(scene.at(bishop)) {
        for (number, far) in (1..).zip(HYPOTENUSES) {
            if way(king, corner) < far && is_asked(corner, far) {
                found = found.max(number);
            }
        }
    }
    found
}

/// The squares of the W: distance from the corner along the edge, and distance from the edge.
const W: [[u8; 2]; 5] = [[5, 1], [4, 3], [3, 1], [2, 3], [1, 1]];

/// The number of squares that a knight has advanced along the W at the edge nearest to the weak king.
fn w_square(scene: &Scene, bishop: Man, knight: Man) -> u8 {
    let (home, at) = (scene.weak_king() as u8, scene.place(knight));
    let mut come = 0;
    for corner in corners_of_color(scene.at(bishop)) {
        for [along, across] in [[files, ranks], [ranks, files]] {
            let far = |count: fn(u8, u8) -> u8, from| count(from, corner as u8);
            if far(across, home) == edge_steps(home) {
                let stands = [far(along, at), far(across, at)];
                let number = W.iter().position(|square| *square == stands);
                come = come.max(number.map_or(0, |number| number as u8 + 1));
            }
        }
    }
    come
}

/// The squares on the weak king's side of the wall, or `None` without a wall. Two bishops side by side
/// make two walls; the one that leaves fewer squares counts.
fn behind_wall(scene: &Scene, bishops: [Man; 2]) -> Option<Bitboard> {
    let diagonals: [fn(Square) -> u8; 2] = [
        |square| 7 + square.file() as u8 - square.rank() as u8,
        |square| square.file() as u8 + square.rank() as u8,
    ];
    let behind = |diagonal: fn(Square) -> u8| {
        let [one, other] = bishops.map(|bishop| diagonal(scene.at(bishop)));
        let king = diagonal(scene.weak_king());
        if one.abs_diff(other) != 1 || king == one || king == other {
            return None;
        }
        let same_side = |square: &Square| {
            let at = diagonal(*square);
            at != one && at != other && (at < one) == (king < one)
        };
        Some(Square::ALL.into_iter().filter(same_side).collect())
    };
    diagonals.into_iter().filter_map(behind).min_by_key(|squares: &Bitboard| squares.len())
}

/// The squares within two moves of the weak king that bishops attack, as if it blocked nothing.
fn covered(scene: &Scene) -> Bitboard {
    let (position, home) = (&scene.position, scene.weak_king());
    let occupied = position.occupied() & !home.bitboard();
    let material = position.material();
    let bishops =
        material.slots_of(Side::Strong).filter(|&slot| material.role(slot) == Role::Bishop);
    let near: Bitboard = Square::ALL
        .into_iter()
        .filter(|square| (1..=2).contains(&king_steps(home, *square)))
        .collect();
    bishops.fold(Bitboard::EMPTY, |all, slot| {
        all | position.attacks(slot, position.squares()[slot], occupied)
    }) & near
}
