//! Numbers that measures are made of: the way of the weak king to a mating corner, the squares that it reaches first,
//! and the strong king beside its men.

use super::focus::Area;
use super::geometry::{CORNERS, corners_of_color};
use super::number_spec::{NumberSpec, count, value, whether};
use super::reach::race;
use super::scene::Scene;
use lucena_chess::{Bitboard, Material, Role, Side, Slot, Square};
use lucena_model::squares::{files, ranks, steps, way};

/// The rule of an attribute by its name.
pub(super) fn number_spec(name: &str) -> Option<NumberSpec> {
    let corner =
        |number| value(number).about(Area::Corners, |s, _, _| MatingCorners::new(s).squares());
    Some(match name {
        "kMatingCornerSteps" => corner(|s, _, _| to_mating_corner(s, steps)),
        "kMatingCornerSum" => corner(|s, _, _| to_mating_corner(s, way)),
        "kRace" => count(Area::Room, |s, _, _| race(s)),
        "KkUnevenness" => value(|s, _, _| {
            let [strong, weak] = Side::ALL.map(|side| s.position.king(side) as u8);
            files(strong, weak).abs_diff(ranks(strong, weak))
        }),
        "KBeside" => {
            let beside = whether(|s, _, _| !beside_king(s).is_empty());
            beside.about_men(|s, _, _| beside_king(s))
        }
        "{X}Beside" => whether(|s, x, _| is_beside_king(s, s.at(x))),
        _ => return None,
    })
}

/// The strong men but knights that stand next to their king on a file or rank.
fn beside_king(scene: &Scene) -> Bitboard {
    let (material, squares) = (scene.position.material(), scene.position.squares());
    let counts = |&slot: &usize| !matches!(material.role(slot), Role::King | Role::Knight);
    let men = material.slots_of(Side::Strong).filter(counts).map(|slot| squares[slot]);
    men.filter(|&square| is_beside_king(scene, square)).collect()
}

/// Returns true if a square is next to the strong king on a file or rank.
fn is_beside_king(scene: &Scene, square: Square) -> bool {
    way(scene.position.king(Side::Strong) as u8, square as u8) == 1
}

/// The distance of the weak king from the nearest mating corner.
fn to_mating_corner(scene: &Scene, distance: fn(u8, u8) -> u8) -> u8 {
    MatingCorners::new(scene).least_from(scene.weak_king(), distance)
}

/// The corners in which mate can be forced.
#[derive(Clone, Copy)]
pub(super) enum MatingCorners {
    All,
    Light,
    Dark,
}

impl MatingCorners {
    pub(super) const EACH: [Self; 3] = [Self::All, Self::Light, Self::Dark];

    /// Those of the bishop's colour if the strong side has nothing but one bishop, or that and a knight, otherwise all.
    pub(super) fn new(scene: &Scene) -> Self {
        let position = &scene.position;
        match Self::bishop_of(position.material()) {
            None => Self::All,
            Some(bishop) => match corners_of_color(position.squares()[bishop]).has(Square::A1) {
                true => Self::Dark,
                false => Self::Light,
            },
        }
    }

    /// The bishop of a material whose colour the mating corners have, if there is one.
    pub(super) fn bishop_of(material: Material) -> Option<Slot> {
        let (mut bishop, mut has_knight) = (None, false);
        for slot in material.slots_of(Side::Strong) {
            match material.role(slot) {
                Role::King => {}
                Role::Bishop if bishop.is_none() => bishop = Some(slot),
                Role::Knight if !has_knight => has_knight = true,
                _ => return None,
            }
        }
        bishop
    }

    pub(super) fn squares(self) -> Bitboard {
        match self {
            Self::All => CORNERS,
            Self::Light => corners_of_color(Square::H1),
            Self::Dark => corners_of_color(Square::A1),
        }
    }

    /// The distance of a square from the nearest of these corners.
    pub(super) fn least_from(self, square: Square, distance: fn(u8, u8) -> u8) -> u8 {
        let distances = self.squares().into_iter().map(|at| distance(square as u8, at as u8));
        distances.min().expect("there are corners")
    }
}
