//! Quantities: what a measure adds up.

use super::focus::{Area, Focus};
use super::geometry::{CORNERS, corners_of_color, king_steps, knight_steps};
use super::reach::cage;
use super::region::{mating_corners, race, reach};
use super::scene::Scene;
use super::{Attribute, AttributeSet, ReaderBoard, Selections, ValueEncoding};
use lucena_base::named::nearest;
use lucena_chess::{Bitboard, Material, Position, Rank, Role, Side, Square};
use lucena_tree::QuantityColumn;
use lucena_tree::squares::{edge_steps, steps, way};
use std::sync::LazyLock;

/// A number that describes a position with the weak side to move: an attribute, or a sum over an area around the weak
/// king, which can be too great for an attribute.
///
/// ```
/// use lucena_attributes::QuantitySet;
///
/// let set = QuantitySet::named("KRvK".parse()?, ["kRoom", "kRoomCornerSum"])?;
/// let position = "8/8/8/8/8/1R6/8/k1K5 b - - 0 1".parse()?;
/// // The king can go to a2, which is one rank from the corner.
/// assert_eq!(set.values(&position), [1, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quantity {
    /// An attribute.
    Attribute(Box<Attribute>),
    /// A sum over an area.
    Sum(AreaSum),
}

/// The sum of a distance over the squares of an area around the weak king, with the square of the king itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AreaSum {
    area: KingArea,
    distance: Distance,
}

/// An area around the weak king.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KingArea {
    /// What it could reach if the others stood still.
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
    /// Files and ranks to the nearest mating corner.
    Corner,
    /// The same, squared.
    CornerSquared,
    /// King's moves to the nearest mating corner.
    CornerSteps,
    /// Files or ranks to the nearest edge.
    Edge,
    /// Files and ranks to the nearest mating corner, and to the nearest edge.
    CornerAndEdge,
    /// King's moves to the nearest square on which a strong pawn promotes.
    Promotion,
    /// Knight's moves to the nearest strong knight.
    Knight,
}

impl KingArea {
    const ALL: [Self; 5] = [Self::Room, Self::Cage, Self::TwoMoves, Self::ThreeMoves, Self::Race];

    fn name(self) -> &'static str {
        match self {
            Self::Room => "kRoom",
            Self::Cage => "kCage",
            Self::TwoMoves => "kReach2",
            Self::ThreeMoves => "kReach3",
            Self::Race => "kRace",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Room => "the room of the weak king, with its own square",
            Self::Cage => "the cage of the weak king, with its own square",
            Self::TwoMoves => "all squares within two moves of the weak king, with its own",
            Self::ThreeMoves => "all squares within three moves of the weak king, with its own",
            Self::Race => {
                "the square of the weak king and all that it could reach before the strong king guards them"
            }
        }
    }

    fn squares(self, scene: &Scene) -> Bitboard {
        match self {
            Self::Room => reach(scene, u8::MAX),
            Self::Cage => cage(scene) | scene.weak_king().bitboard(),
            Self::TwoMoves => reach(scene, 2),
            Self::ThreeMoves => reach(scene, 3),
            Self::Race => race(scene) | scene.weak_king().bitboard(),
        }
    }
}

impl Distance {
    const ALL: [Self; 7] = [
        Self::Corner,
        Self::CornerSquared,
        Self::CornerSteps,
        Self::Edge,
        Self::CornerAndEdge,
        Self::Promotion,
        Self::Knight,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Corner => "CornerSum",
            Self::CornerSquared => "CornerSquare",
            Self::CornerSteps => "CornerSteps",
            Self::Edge => "EdgeSteps",
            Self::CornerAndEdge => "CornerEdgeSum",
            Self::Promotion => "PromotionSteps",
            Self::Knight => "KnightSteps",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Corner => "files and ranks to the nearest mating corner",
            Self::CornerSquared => "files and ranks to the nearest mating corner, squared",
            Self::CornerSteps => "king's moves to the nearest mating corner",
            Self::Edge => "squares to the nearest edge",
            Self::CornerAndEdge => {
                "files and ranks to the nearest mating corner plus squares to the nearest edge"
            }
            Self::Promotion => {
                "king's moves to the nearest promotion square of a pawn of the strong side"
            }
            Self::Knight => "knight's moves to the nearest knight of the strong side",
        }
    }

    /// Returns true if a material has what is measured.
    fn applies_to(self, material: Material) -> bool {
        let has = |role| material.slots_of(Side::Strong).any(|slot| material.role(slot) == role);
        match self {
            Self::Promotion => has(Role::Pawn),
            Self::Knight => has(Role::Knight),
            _ => true,
        }
    }

    /// The sum over some squares.
    fn sum(self, scene: &Scene, squares: Bitboard) -> u16 {
        let over = |one: &dyn Fn(Square) -> u16| squares.into_iter().map(one).sum();
        let corners = || &CORNER_DISTANCES[self as usize][CornerSet::of(scene) as usize];
        let of_role = |role| {
            let (material, at) = (scene.position.material(), *scene.position.squares());
            let strong = material.slots_of(Side::Strong);
            strong.filter(move |&slot| material.role(slot) == role).map(move |slot| at[slot])
        };
        let least = |places: &mut dyn Iterator<Item = u8>| places.min().map_or(0, u16::from);
        match self {
            Self::Promotion => over(&|square| {
                let promotion = |pawn: Square| Square::new(pawn.file(), Rank::Eighth);
                let pawns = of_role(Role::Pawn);
                least(&mut pawns.map(|pawn| king_steps(square, promotion(pawn))))
            }),
            Self::Knight => over(&|square| {
                least(
                    &mut of_role(Role::Knight)
                        .map(|knight| KNIGHT_STEPS[knight as usize][square as usize]),
                )
            }),
            _ => {
                let distances = corners();
                over(&|square| distances[square as usize])
            }
        }
    }

    /// The distance of a square that depends on nothing but the mating corners.
    fn from_corners(self, square: Square, corners: Bitboard) -> u16 {
        let at = square as u8;
        let nearest = |distance: fn(u8, u8) -> u8| {
            corners.into_iter().map(|corner| distance(at, corner as u8)).min().map_or(0, u16::from)
        };
        let edge = u16::from(edge_steps(at));
        match self {
            Self::Corner => nearest(way),
            Self::CornerSquared => nearest(way) * nearest(way),
            Self::CornerSteps => nearest(steps),
            Self::Edge => edge,
            Self::CornerAndEdge => nearest(way) + edge,
            Self::Promotion | Self::Knight => 0,
        }
    }
}

/// The mating corners.
#[derive(Clone, Copy)]
enum CornerSet {
    All,
    Light,
    Dark,
}

impl CornerSet {
    fn of(scene: &Scene) -> Self {
        let corners = mating_corners(scene);
        match (corners.has(Square::A1), corners.has(Square::H1)) {
            (true, true) => Self::All,
            (true, false) => Self::Dark,
            (false, _) => Self::Light,
        }
    }
}

/// By distance, set of corners and square.
static CORNER_DISTANCES: LazyLock<[[[u16; 64]; 3]; Distance::ALL.len()]> = LazyLock::new(|| {
    let sets = [CORNERS, corners_of_color(Square::H1), corners_of_color(Square::A1)];
    Distance::ALL.map(|one| sets.map(|set| Square::ALL.map(|at| one.from_corners(at, set))))
});

/// The knight's moves between two squares.
static KNIGHT_STEPS: LazyLock<[[u8; 64]; 64]> =
    LazyLock::new(|| Square::ALL.map(|from| Square::ALL.map(|to| knight_steps(from, to))));

impl AreaSum {
    /// All sums that a material has.
    fn all(material: Material) -> impl Iterator<Item = Self> {
        let distances = Distance::ALL.into_iter().filter(move |one| one.applies_to(material));
        distances.flat_map(|distance| KingArea::ALL.map(|area| Self { area, distance }))
    }

    fn name(self) -> String {
        format!("{}{}", self.area.name(), self.distance.name())
    }

    fn meaning(self) -> String {
        format!("{}, added up over {}", self.distance.meaning(), self.area.meaning())
    }

    /// The sum over all squares, which no placement exceeds.
    fn high(self) -> u16 {
        match self.distance {
            Distance::Promotion => 64 * 7,
            Distance::Knight => 64 * 6,
            distance => {
                let sets = CORNER_DISTANCES[distance as usize].iter();
                sets.map(|distances| distances.iter().sum()).max().unwrap_or(0)
            }
        }
    }
}

impl Quantity {
    /// The name, for example `kRoomCornerSum`.
    pub fn name(&self) -> String {
        match self {
            Self::Attribute(attribute) => attribute.name().into(),
            Self::Sum(sum) => sum.name(),
        }
    }

    /// The meaning in words, without a full stop.
    pub fn meaning(&self) -> String {
        match self {
            Self::Attribute(attribute) => attribute.meaning(ValueEncoding::Code).into(),
            Self::Sum(sum) => sum.meaning(),
        }
    }

    /// The least and the greatest value.
    pub fn domain(&self) -> (u16, u16) {
        match self {
            Self::Attribute(attribute) => {
                let (low, high) = attribute.domain();
                (low.into(), high.into())
            }
            Self::Sum(sum) => (0, sum.high()),
        }
    }

    /// The quantity as a column of a measure.
    pub fn column(&self) -> QuantityColumn {
        let (low, high) = self.domain();
        QuantityColumn { name: self.name(), low, high, meaning: self.meaning() }
    }

    /// The value in a position of its material.
    pub fn value(&self, position: &Position) -> u16 {
        self.value_in(&Scene::new(position))
    }

    fn value_in(&self, scene: &Scene) -> u16 {
        match self {
            Self::Attribute(attribute) => attribute.value_in(scene).into(),
            Self::Sum(AreaSum { area, distance }) => distance.sum(scene, area.squares(scene)),
        }
    }

    /// The squares that it is about in a position of its material.
    pub fn focus(&self, position: &Position) -> Focus {
        match self {
            Self::Attribute(attribute) => attribute.focus(position),
            Self::Sum(AreaSum { area, .. }) => {
                let scene = Scene::new(position);
                let lie = |squares| scene.back().apply_to_bitboard(squares);
                Focus {
                    men: lie(scene.weak_king().bitboard()),
                    area: Some((Area::Room, lie(area.squares(&scene)))),
                }
            }
        }
    }

    /// The sentence for a value, about the reader's board. It begins with a small letter and has no full stop.
    ///
    /// # Panics
    /// If the board is of a material that lacks the men of an attribute.
    pub fn sentence(&self, value: u16, view: &ReaderBoard) -> String {
        match self {
            Self::Attribute(attribute) => {
                let value = u8::try_from(value).unwrap_or(u8::MAX);
                attribute.sentence(value..=value, view)
            }
            Self::Sum(_) => format!("{}: {value}", self.meaning_in(view)),
        }
    }

    /// The meaning for people, with the men called by the reader's names.
    pub fn meaning_in(&self, view: &ReaderBoard) -> String {
        match self {
            Self::Attribute(attribute) => attribute.meaning_in(view),
            Self::Sum(sum) => view.with_names(&sum.meaning()),
        }
    }
}

/// An ordered list of quantities of one material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuantitySet {
    material: Material,
    quantities: Vec<Quantity>,
}

/// The error for a name that is no quantity of a material.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{material} has no quantity {name}; {}\"lucena measure {material} --list\" lists them", self.hint())]
pub struct UnknownQuantity {
    /// The unknown name.
    pub name: String,
    /// The material.
    pub material: Material,
    /// The most similar name.
    pub similar: Option<String>,
}

impl UnknownQuantity {
    fn hint(&self) -> String {
        let similar = self.similar.as_ref();
        similar.map_or_else(String::new, |name| format!("perhaps {name} is meant; "))
    }
}

impl QuantitySet {
    /// The attributes of some selections, and all sums.
    pub fn new(material: Material, selections: impl Into<Selections>) -> Self {
        let attributes = AttributeSet::new(material, selections);
        let attributes = attributes.attributes().iter().cloned();
        let quantities = attributes.map(|attribute| Quantity::Attribute(Box::new(attribute)));
        let quantities = quantities.chain(AreaSum::all(material).map(Quantity::Sum)).collect();
        Self { material, quantities }
    }

    /// The quantities with these names, in this order.
    ///
    /// # Errors
    /// If the material has no quantity of one of the names.
    pub fn named<'a>(
        material: Material,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, UnknownQuantity> {
        let whole = Self::new(material, Selections::whole()).quantities;
        let find = |name: &str| {
            whole.iter().find(|known| known.name() == name).cloned().ok_or_else(|| {
                let names: Vec<String> = whole.iter().map(Quantity::name).collect();
                let similar = nearest(name, names.iter().map(String::as_str)).map(Into::into);
                UnknownQuantity { name: name.into(), material, similar }
            })
        };
        let quantities = names.into_iter().map(find).collect::<Result<_, _>>()?;
        Ok(Self { material, quantities })
    }

    /// The material.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The quantities.
    pub fn quantities(&self) -> &[Quantity] {
        &self.quantities
    }

    /// The values in a position.
    ///
    /// # Panics
    /// If the position is of another material.
    pub fn values(&self, position: &Position) -> Vec<u16> {
        assert_eq!(position.material(), self.material, "quantities are for one material");
        let scene = Scene::new(position);
        self.quantities.iter().map(|quantity| quantity.value_in(&scene)).collect()
    }

    /// Calls `visit` with the value of each quantity in a position, by number.
    pub fn visit_values(&self, position: &Position, mut visit: impl FnMut(usize, u16)) {
        let scene = Scene::new(position);
        for (number, quantity) in self.quantities.iter().enumerate() {
            visit(number, quantity.value_in(&scene));
        }
    }
}
