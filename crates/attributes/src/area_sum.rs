//! Sums of a distance over the squares of an area around the weak king.

use super::ReaderBoard;
use super::definition::explanation;
use super::focus::{Area, Focus};
use super::geometry::{king_steps, knight_steps};
use super::reach::{cage, race, reachable_by_king, reachable_in};
use super::region::MatingCorners;
use super::scene::Scene;
use lucena_chess::{Bitboard, Material, Rank, Role, Side, Square};
use lucena_model::squares::{edge_steps, steps, way};
use std::sync::LazyLock;

/// The sum of a distance over the squares of an area around the weak king, which includes the square of the king.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AreaSum {
    area: KingArea,
    distance: Distance,
}

/// An area around the weak king, if the men that are not mentioned stand still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KingArea {
    /// What it could reach.
    Room,
    /// What it could reach if the strong king were off the board.
    Cage,
    /// What it could reach in two moves.
    TwoMoves,
    /// What it could reach in three moves.
    ThreeMoves,
    /// What it could reach before the strong king guards it.
    Race,
}

/// A distance of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Distance {
    /// A distance that follows from the square and the mating corners.
    Fixed(FixedDistance),
    /// King's moves to the nearest square on which a strong pawn promotes.
    Promotion,
    /// Knight's moves to the nearest strong knight.
    Knight,
}

/// A distance of a square that follows from the square and the mating corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FixedDistance {
    /// Files and ranks to the nearest mating corner.
    Corner,
    /// The same, squared.
    CornerSquared,
    /// King's moves to the nearest mating corner.
    CornerSteps,
    /// King's moves to the nearest edge.
    Edge,
    /// Files and ranks to the nearest mating corner, and king's moves to the nearest edge.
    CornerAndEdge,
}

impl KingArea {
    const EACH: [Self; 5] = [Self::Room, Self::Cage, Self::TwoMoves, Self::ThreeMoves, Self::Race];

    fn name(self) -> &'static str {
        match self {
            Self::Room => "kRoom",
            Self::Cage => "kCage",
            Self::TwoMoves => "kReach2",
            Self::ThreeMoves => "kReach3",
            Self::Race => "kRace",
        }
    }

    /// The squares in words.
    fn words(self) -> &'static str {
        match self {
            Self::Room => "the squares of the weak king and its room",
            Self::Cage => "the squares of the weak king and its cage",
            Self::TwoMoves => {
                "the squares of the weak king and those that it could reach in two moves"
            }
            Self::ThreeMoves => {
                "the squares of the weak king and those that it could reach in three moves"
            }
            Self::Race => {
                "the squares of the weak king and those that it could reach before the strong king guards them"
            }
        }
    }

    /// An instruction to make the area small or great.
    fn aim(self, greatest: bool) -> String {
        let (area, [small, great]) = match self {
            Self::Room => ("room of the weak king", ["small", "great"]),
            Self::Cage => ("cage of the weak king", ["small", "great"]),
            Self::TwoMoves => ("squares within two moves of the weak king", ["few", "many"]),
            Self::ThreeMoves => ("squares within three moves of the weak king", ["few", "many"]),
            Self::Race => (
                "squares that the weak king reaches before the strong king guards them",
                ["few", "many"],
            ),
        };
        format!("make the {area} {}", if greatest { great } else { small })
    }

    /// The word for it that is explained.
    fn explained_word(self) -> Option<&'static str> {
        match self {
            Self::Room => Some("room"),
            Self::Cage => Some("cage"),
            Self::TwoMoves | Self::ThreeMoves | Self::Race => None,
        }
    }

    fn squares(self, scene: &Scene) -> Bitboard {
        let beyond = match self {
            Self::Room => reachable_by_king(scene),
            Self::Cage => cage(scene),
            Self::TwoMoves => reachable_in(scene, 2),
            Self::ThreeMoves => reachable_in(scene, 3),
            Self::Race => race(scene),
        };
        beyond | scene.weak_king().bitboard()
    }
}

impl Distance {
    const EACH: [Self; 7] = [
        Self::Fixed(FixedDistance::Corner),
        Self::Fixed(FixedDistance::CornerSquared),
        Self::Fixed(FixedDistance::CornerSteps),
        Self::Fixed(FixedDistance::Edge),
        Self::Fixed(FixedDistance::CornerAndEdge),
        Self::Promotion,
        Self::Knight,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Fixed(FixedDistance::Corner) => "CornerSum",
            Self::Fixed(FixedDistance::CornerSquared) => "CornerSquare",
            Self::Fixed(FixedDistance::CornerSteps) => "CornerSteps",
            Self::Fixed(FixedDistance::Edge) => "EdgeSteps",
            Self::Fixed(FixedDistance::CornerAndEdge) => "CornerEdgeSum",
            Self::Promotion => "PromotionSteps",
            Self::Knight => "KnightSteps",
        }
    }

    /// The distance in words.
    fn words(self) -> &'static str {
        match self {
            Self::Fixed(FixedDistance::Corner) => "files and ranks to the nearest mating corner",
            Self::Fixed(FixedDistance::CornerSquared) => {
                "files and ranks to the nearest mating corner, squared,"
            }
            Self::Fixed(FixedDistance::CornerSteps) => "king's moves to the nearest mating corner",
            Self::Fixed(FixedDistance::Edge) => "king's moves to the nearest edge",
            Self::Fixed(FixedDistance::CornerAndEdge) => {
                "files and ranks to the nearest mating corner and king's moves to the nearest edge"
            }
            Self::Promotion => "king's moves to the strong side's nearest promotion square",
            Self::Knight => "knight's moves to the strong side's nearest knight",
        }
    }

    /// The place that it leads to, and the way it is measured.
    fn place(self) -> &'static str {
        match self {
            Self::Fixed(FixedDistance::Corner) => "a mating corner",
            Self::Fixed(FixedDistance::CornerSquared) => "a mating corner, distances squared",
            Self::Fixed(FixedDistance::CornerSteps) => "a mating corner, in king's moves",
            Self::Fixed(FixedDistance::Edge) => "the edge",
            Self::Fixed(FixedDistance::CornerAndEdge) => "a mating corner and the edge",
            Self::Promotion => "a promotion square of the strong side",
            Self::Knight => "a knight of the strong side",
        }
    }

    /// The word for the place that is explained.
    fn explained_word(self) -> Option<&'static str> {
        match self {
            Self::Fixed(FixedDistance::Edge) | Self::Promotion | Self::Knight => None,
            Self::Fixed(_) => Some("mating corner"),
        }
    }

    /// The kind of man that it leads to, if it leads to men of the strong side.
    fn role(self) -> Option<Role> {
        match self {
            Self::Fixed(_) => None,
            Self::Promotion => Some(Role::Pawn),
            Self::Knight => Some(Role::Knight),
        }
    }

    /// Returns true if a material has the men that it leads to.
    fn applies_to(self, material: Material) -> bool {
        let has = |role| material.slots_of(Side::Strong).any(|slot| material.role(slot) == role);
        self.role().is_none_or(has)
    }

    /// The corners that it leads to, if it does.
    fn corners(self, scene: &Scene) -> Option<Bitboard> {
        match self {
            Self::Fixed(FixedDistance::Edge) | Self::Promotion | Self::Knight => None,
            Self::Fixed(_) => Some(MatingCorners::new(scene).squares()),
        }
    }

    /// The squares of the men that it leads to.
    fn men(self, scene: &Scene) -> Bitboard {
        let (material, squares) = (scene.position.material(), scene.position.squares());
        let leads_to = |&slot: &usize| Some(material.role(slot)) == self.role();
        material.slots_of(Side::Strong).filter(leads_to).map(|slot| squares[slot]).collect()
    }

    /// The sum over some squares.
    fn sum(self, scene: &Scene, squares: Bitboard) -> u16 {
        let over = |distance: &dyn Fn(Square) -> u8| -> u16 {
            squares.into_iter().map(|at| u16::from(distance(at))).sum()
        };
        match self {
            Self::Fixed(distance) => distance.sum(MatingCorners::new(scene), squares),
            Self::Promotion => {
                let pawns = self.men(scene).into_iter();
                let goals: Bitboard =
                    pawns.map(|pawn| Square::new(pawn.file(), Rank::Eighth)).collect();
                over(&|from| least(goals, |at| king_steps(from, at)))
            }
            Self::Knight => {
                let knights = self.men(scene);
                over(&|from| least(knights, |at| KNIGHT_STEPS[at as usize][from as usize]))
            }
        }
    }

    /// The sum over all squares, which no placement exceeds.
    fn high(self) -> u16 {
        match self {
            Self::Fixed(distance) => {
                let sum = |corners| distance.sum(corners, Bitboard::FULL);
                MatingCorners::EACH.map(sum).into_iter().max().expect("there are mating corners")
            }
            Self::Promotion => 64 * 7,
            Self::Knight => 64 * 6,
        }
    }
}

impl FixedDistance {
    const EACH: [Self; 5] =
        [Self::Corner, Self::CornerSquared, Self::CornerSteps, Self::Edge, Self::CornerAndEdge];

    fn of(self, square: Square, corners: MatingCorners) -> u16 {
        let to_corner = |distance| u16::from(corners.least_from(square, distance));
        let to_edge = u16::from(edge_steps(square as u8));
        match self {
            Self::Corner => to_corner(way),
            Self::CornerSquared => to_corner(way) * to_corner(way),
            Self::CornerSteps => to_corner(steps),
            Self::Edge => to_edge,
            Self::CornerAndEdge => to_corner(way) + to_edge,
        }
    }

    /// The sum over some squares.
    fn sum(self, corners: MatingCorners, squares: Bitboard) -> u16 {
        let sums = &FIXED_SUMS[self as usize][corners as usize];
        let ranks = squares.0.to_le_bytes();
        sums.iter().zip(ranks).map(|(sums, rank)| sums[usize::from(rank)]).sum()
    }

    /// The sums over all sets of squares of each rank.
    fn sums(self, corners: MatingCorners) -> [[u16; 256]; 8] {
        std::array::from_fn(|rank| {
            std::array::from_fn(|set| {
                let squares = Bitboard((set as u64) << (8 * rank));
                squares.into_iter().map(|at| self.of(at, corners)).sum()
            })
        })
    }
}

/// By distance, mating corners and rank: the sums over all sets of squares of the rank.
static FIXED_SUMS: LazyLock<
    [[[[u16; 256]; 8]; MatingCorners::EACH.len()]; FixedDistance::EACH.len()],
> = LazyLock::new(|| {
    FixedDistance::EACH.map(|distance| MatingCorners::EACH.map(|corners| distance.sums(corners)))
});

/// The knight's moves between two squares.
static KNIGHT_STEPS: LazyLock<[[u8; 64]; 64]> =
    LazyLock::new(|| Square::ALL.map(|from| Square::ALL.map(|to| knight_steps(from, to))));

/// The least value over some squares.
fn least(places: Bitboard, number: impl Fn(Square) -> u8) -> u8 {
    places.into_iter().map(number).min().expect("the material has the men that are asked about")
}

impl AreaSum {
    /// All sums that a material has.
    pub(super) fn all(material: Material) -> impl Iterator<Item = Self> {
        let distances = Distance::EACH.into_iter().filter(move |one| one.applies_to(material));
        distances.flat_map(|distance| KingArea::EACH.map(|area| Self { area, distance }))
    }

    /// The name, for example `kRoomCornerSum`.
    pub fn name(self) -> String {
        format!("{}{}", self.area.name(), self.distance.name())
    }

    /// The meaning in words, without a full stop.
    pub fn meaning(self) -> String {
        let (distance, area) = (self.distance.words().trim_end_matches(','), self.area.words());
        format!("{distance}, added up over {area}")
    }

    /// The least and the greatest value.
    pub fn domain(self) -> (u16, u16) {
        (0, self.distance.high())
    }

    pub(super) fn value_in(self, scene: &Scene) -> u16 {
        self.distance.sum(scene, self.area.squares(scene))
    }

    pub(super) fn focus_in(self, scene: &Scene) -> Focus {
        let lie = |squares| scene.back().apply_to_bitboard(squares);
        let king = match self.area {
            KingArea::Race => scene.position.king(Side::Strong).bitboard(),
            _ => Bitboard::EMPTY,
        };
        let men = scene.weak_king().bitboard() | king | self.distance.men(scene);
        let summed = (Area::Room, lie(self.area.squares(scene)));
        let corners = self.distance.corners(scene).map(|squares| (Area::Corners, lie(squares)));
        Focus { men: lie(men), areas: [summed].into_iter().chain(corners).collect() }
    }

    /// The number that each square of the area adds.
    pub(super) fn parts_in(self, scene: &Scene) -> Vec<(Square, u16)> {
        let back = scene.back();
        let part =
            |square: Square| (back.apply(square), self.distance.sum(scene, square.bitboard()));
        self.area.squares(scene).into_iter().map(part).collect()
    }

    /// The sentence for a value: see [`Quantity::sentence`](super::Quantity::sentence).
    pub fn sentence(self, value: u16, view: &ReaderBoard) -> String {
        let (distance, area) = (self.distance.words(), self.area.words());
        view.with_names(&format!("the {distance} add up to {value} over {area}"))
    }

    /// An instruction to make the sum as small, or as great, as possible: see [`Quantity::aim`](super::Quantity::aim).
    pub fn aim(self, greatest: bool, view: &ReaderBoard) -> String {
        let lies = if greatest { "far from" } else { "near" };
        let (area, place) = (self.area.aim(greatest), self.distance.place());
        view.with_names(&format!("{area} and {lies} {place}"))
    }

    /// Explanations of words in the sentences: see [`Quantity::glossary`](super::Quantity::glossary).
    pub fn glossary(self) -> Vec<&'static str> {
        let words = [self.area.explained_word(), self.distance.explained_word()];
        words.into_iter().flatten().filter_map(explanation).collect()
    }
}
