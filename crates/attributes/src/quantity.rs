//! Quantities: what a measure adds up.

use super::area_sum::AreaSum;
use super::king_place::KingPlace;
use super::scene::Scene;
use super::{Attribute, AttributeSet, Focus, ReaderBoard, Selections, ValueEncoding};
use lucena_base::named::nearest;
use lucena_chess::{Bitboard, Material, Position, Square};
use lucena_model::QuantityColumn;

/// A number that describes a position with the weak side to move: an attribute, or what is too great for an attribute: a
/// sum over an area around the weak king, or the squares of that king and another man as one number.
///
/// ```
/// use lucena_attributes::QuantitySet;
///
/// let set = QuantitySet::named("KRvK".parse()?, ["kRoom", "kRoomCornerSum"])?;
/// let position = "8/8/8/8/8/1R6/2K5/k7 b - - 0 1".parse()?;
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
    /// The squares of the weak king and another man. Its values have no order, so only tables suit it.
    Place(KingPlace),
}

impl Quantity {
    /// The name, for example `kRoomCornerSum`.
    pub fn name(&self) -> String {
        match self {
            Self::Attribute(attribute) => attribute.name().into(),
            Self::Sum(sum) => sum.name(),
            Self::Place(place) => place.name(),
        }
    }

    /// The meaning in words, without a full stop.
    pub fn meaning(&self) -> String {
        match self {
            Self::Attribute(attribute) => attribute.meaning(ValueEncoding::Code).into(),
            Self::Sum(sum) => sum.meaning(),
            Self::Place(place) => place.meaning(),
        }
    }

    /// The least and the greatest value.
    pub fn domain(&self) -> (u16, u16) {
        match self {
            Self::Attribute(attribute) => {
                let (low, high) = attribute.domain();
                (low.into(), high.into())
            }
            Self::Sum(sum) => sum.domain(),
            Self::Place(place) => place.domain(),
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
            Self::Sum(sum) => sum.value_in(scene),
            Self::Place(place) => place.value_in(scene),
        }
    }

    /// The squares that it is about in a position of its material.
    pub fn focus(&self, position: &Position) -> Focus {
        match self {
            Self::Attribute(attribute) => attribute.focus(position),
            Self::Sum(sum) => sum.focus_in(&Scene::new(position)),
            Self::Place(place) => place.focus_in(&Scene::new(position)),
        }
    }

    /// The number that each square adds in a position of its material, if it is a sum over squares.
    ///
    /// ```
    /// use lucena_attributes::QuantitySet;
    ///
    /// let set = QuantitySet::named("KRvK".parse()?, ["kRoomCornerSum"])?;
    /// let position = "8/8/8/8/8/1R6/2K5/k7 b - - 0 1".parse()?;
    /// let parts = set.quantities()[0].parts(&position);
    /// let written: Vec<String> = parts.iter().map(|(square, adds)| format!("{square} {adds}")).collect();
    /// assert_eq!(written, ["a1 0", "a2 1"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parts(&self, position: &Position) -> Vec<(Square, u16)> {
        match self {
            Self::Sum(sum) => sum.parts_in(&Scene::new(position)),
            Self::Attribute(_) | Self::Place(_) => Vec::new(),
        }
    }

    /// The sentence for a value, about the reader's board. It begins with a small letter and has no full stop.
    ///
    /// ```
    /// use lucena_attributes::{QuantitySet, ReaderBoard};
    ///
    /// let material = "KRvK".parse()?;
    /// let set = QuantitySet::named(material, ["kRoom", "kRoomEdgeSteps"])?;
    /// let view = ReaderBoard::general(material);
    /// assert_eq!(
    ///     set.quantities()[0].sentence(6, &view),
    ///     "the black king has a room of six squares"
    /// );
    /// assert_eq!(
    ///     set.quantities()[1].sentence(4, &view),
    ///     "the king's moves to the nearest edge add up to 4 over the squares of the black king and its room"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the board is of a material that lacks the men of an attribute.
    pub fn sentence(&self, value: u16, view: &ReaderBoard) -> String {
        match self {
            Self::Attribute(attribute) => {
                let value = u8::try_from(value).unwrap_or(u8::MAX);
                attribute.sentence(value..=value, view)
            }
            Self::Sum(sum) => sum.sentence(value, view),
            Self::Place(place) => place.sentence(value, view),
        }
    }

    /// An instruction to make the value as small, or as great, as possible. It begins with a small letter and has no
    /// full stop.
    ///
    /// # Panics
    /// If the board is of a material that lacks the men of an attribute.
    pub fn aim(&self, greatest: bool, view: &ReaderBoard) -> String {
        match self {
            Self::Attribute(attribute) => attribute.aim(greatest, view),
            Self::Sum(sum) => sum.aim(greatest, view),
            Self::Place(place) => place.aim(view),
        }
    }

    /// Explanations of words in the sentences that a player may not know, with White as the strong side. Quantities
    /// that use the same word return the same text for it.
    pub fn glossary(&self) -> Vec<&'static str> {
        match self {
            Self::Attribute(attribute) => attribute.glossary().into_iter().collect(),
            Self::Sum(sum) => sum.glossary(),
            Self::Place(_) => Vec::new(),
        }
    }

    /// The meaning for people, with the men called by the reader's names.
    pub fn meaning_in(&self, view: &ReaderBoard) -> String {
        match self {
            Self::Attribute(attribute) => attribute.meaning_in(view),
            Self::Sum(sum) => view.with_names(&sum.meaning()),
            Self::Place(place) => place.meaning_in(view),
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
#[error("{material} has no quantity {name}; {}\"lucena find measure {material} --list\" lists them", self.hint())]
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

    /// The squares of the weak king together with those of each other man that has no equal. Only tables suit them.
    pub fn places(material: Material) -> Self {
        let quantities = KingPlace::all(material).map(Quantity::Place).collect();
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
        let mut whole = Self::new(material, Selections::whole()).quantities;
        whole.extend(Self::places(material).quantities);
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
        let mut values = Vec::with_capacity(self.quantities.len());
        self.visit_values(position, |_, value| values.push(value));
        values
    }

    /// Calls `visit` with the number of each quantity, from 0, and its value in a position.
    ///
    /// # Panics
    /// If the position is of another material.
    pub fn visit_values(&self, position: &Position, mut visit: impl FnMut(usize, u16)) {
        assert_eq!(position.material(), self.material, "quantities are for one material");
        let scene = Scene::new(position);
        for (number, quantity) in self.quantities.iter().enumerate() {
            visit(number, quantity.value_in(&scene));
        }
    }

    /// [`Self::visit_values`] with the weak king put on each of some free squares, one after the other: `visit` is also
    /// called with the square.
    ///
    /// # Panics
    /// If the position is of another material.
    pub fn visit_values_over(
        &self,
        position: &Position,
        kings: Bitboard,
        mut visit: impl FnMut(Square, usize, u16),
    ) {
        assert_eq!(position.material(), self.material, "quantities are for one material");
        let mut scene = Scene::new(position);
        for king in kings {
            scene.put_weak_king(king);
            for (number, quantity) in self.quantities.iter().enumerate() {
                visit(king, number, quantity.value_in(&scene));
            }
        }
    }
}
