//! What measures are made of: areas around the weak king, mating corners, and men side by side.

use super::focus::Area;
use super::geometry::{CORNERS, corners_of_color, king_steps};
use super::number_spec::{NumberSpec, count, value, whether};
use super::reach::reached_by_king;
use super::scene::Scene;
use cozy_chess::get_king_moves;
use lucena_chess::{Bitboard, Material, Role, Side, Square};
use lucena_tree::squares::{files, ranks, steps, way};

/// The rule of an attribute by its name.
pub(super) fn number_spec(name: &str) -> Option<NumberSpec> {
    let corner = |number| value(number).about(Area::Corners, |s, _, _| mating_corners(s));
    Some(match name {
        "kMatingCornerSteps" => corner(|s, _, _| nearest(s, s.weak_king(), steps)),
        "kMatingCornerSum" => corner(|s, _, _| nearest(s, s.weak_king(), way)),
        "kRace" => count(Area::Room, |s, _, _| race(s)),
        "KkUnevenness" => value(|s, _, _| {
            let [strong, weak] = Side::ALL.map(|side| s.position.king(side) as u8);
            files(strong, weak).abs_diff(ranks(strong, weak))
        }),
        "KBeside" => whether(|s, _, _| {
            let material = s.position.material();
            let counts = |&slot: &usize| !matches!(material.role(slot), Role::King | Role::Knight);
            material.slots_of(Side::Strong).filter(counts).any(|slot| {
                are_side_by_side(s.position.king(Side::Strong), s.position.squares()[slot])
            })
        }),
        "{X}Beside" => whether(|s, x, _| are_side_by_side(s.position.king(Side::Strong), s.at(x))),
        _ => return None,
    })
}

fn are_side_by_side(one: Square, other: Square) -> bool {
    way(one as u8, other as u8) == 1
}

/// The corners in which the weak king can be mated: those of the bishop's colour if the strong side has one bishop
/// and nothing else but knights, otherwise all.
pub(super) fn mating_corners(scene: &Scene) -> Bitboard {
    let material = scene.position.material();
    let (mut bishop, mut decides) = (None, true);
    for slot in material.slots_of(Side::Strong) {
        match material.role(slot) {
            Role::Bishop if bishop.is_none() => bishop = Some(scene.position.squares()[slot]),
            Role::King | Role::Knight => {}
            _ => decides = false,
        }
    }
    match bishop {
        Some(bishop) if decides => corners_of_color(bishop),
        _ => CORNERS,
    }
}

/// The distance of a square from the nearest mating corner.
fn nearest(scene: &Scene, from: Square, distance: fn(u8, u8) -> u8) -> u8 {
    let corners = mating_corners(scene).into_iter();
    corners.map(|corner| distance(from as u8, corner as u8)).min().expect("there are corners")
}

/// The squares that the weak king could reach before the strong king guards them if the other men stood still.
pub(super) fn race(scene: &Scene) -> Bitboard {
    let position = &scene.position;
    let (strong, weak) = (position.king(Side::Strong), position.king(Side::Weak));
    let occupied = position.occupied() ^ weak.bitboard();
    let king = Material::king(Side::Strong);
    let men = position.material().slots_of(Side::Strong).filter(|&slot| slot != king);
    let guarded = men.fold(Bitboard::EMPTY, |all, slot| {
        all | position.attacks(slot, position.squares()[slot], occupied)
    });
    let free = !guarded & !position.men_of(Side::Weak);
    let (mut reached, mut border, mut moves) = (weak.bitboard(), weak.bitboard(), 0);
    while !border.is_empty() {
        moves += 1;
        let next = border.into_iter().fold(Bitboard::EMPTY, |all, at| all | get_king_moves(at));
        let is_first = |at: &Square| king_steps(strong, *at) > moves;
        border = (next & free & !reached).into_iter().filter(is_first).collect();
        reached |= border;
    }
    reached & !weak.bitboard()
}

/// The squares that the weak king could reach in a number of moves if the strong side stood still, with its own.
pub(super) fn reach(scene: &Scene, moves: u8) -> Bitboard {
    let position = &scene.position;
    let free = !position.danger(Side::Weak) & !position.men_of(Side::Weak);
    reached_by_king(scene.weak_king(), free, moves) | scene.weak_king().bitboard()
}
