use crate::diagram::{Highlight, Shape};
use lucena_attributes::{Area, Attribute, Focus, ReaderBoard};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Bitboard, Position};
use lucena_proof::policy::with_weak_to_move;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The value of one attribute in a position, and a condition that it fulfils.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "PathStep", description = "The tests of one attribute on the path, combined.")]
pub struct Finding {
    /// The attribute.
    #[serde(serialize_with = "as_name")]
    #[schemars(with = "String")]
    pub attribute: Attribute,
    /// The condition in figures, such as 3 <= KkSteps <= 5.
    pub test: String,
    /// The value in the position.
    #[serde(rename = "value")]
    pub shown: String,
    /// The condition in words, about the board as it stands.
    pub sentence: String,
    /// The value as a number.
    #[serde(skip)]
    pub value: u8,
}

/// Writes an attribute as its name.
pub(super) fn as_name<S: Serializer>(attribute: &Attribute, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(attribute.name())
}

impl Finding {
    /// The finding for a position whose value lies within a range.
    pub(super) fn new(
        attribute: &Attribute,
        values: RangeInclusive<u8>,
        value: u8,
        view: &ReaderBoard,
    ) -> Self {
        Self {
            attribute: attribute.clone(),
            test: attribute.formula(values.clone()),
            shown: attribute.show(value),
            sentence: attribute.sentence(values, view),
            value,
        }
    }

    /// The value of an attribute in a position as it stands on the board, read as if the weak side
    /// were to move.
    ///
    /// # Panics
    /// If the position is of another material.
    pub fn on_board(attribute: &Attribute, position: &Position) -> Self {
        let read = with_weak_to_move(position);
        let value = attribute.value(&read);
        Self::new(attribute, value..=value, value, &ReaderBoard::new(&read, Symmetry::IDENTITY))
    }

    /// The squares that the attribute is about in that position.
    pub fn highlights_on_board(&self, position: &Position) -> Vec<Highlight> {
        let men = "pieces that are asked about";
        let focus = self.attribute.focus(&with_weak_to_move(position));
        highlights([focus], Symmetry::IDENTITY, men)
    }
}

/// The squares that numbers are about. `back` is the symmetry from the position that the numbers were read from to
/// the board that is drawn.
pub(super) fn highlights(
    foci: impl IntoIterator<Item = Focus>,
    back: Symmetry,
    men_label: &str,
) -> Vec<Highlight> {
    let mut men = Bitboard::EMPTY;
    let mut areas: BTreeMap<Area, Bitboard> = BTreeMap::new();
    for focus in foci {
        men |= back.apply_to_bitboard(focus.men);
        for (area, squares) in focus.areas {
            *areas.entry(area).or_insert(Bitboard::EMPTY) |= back.apply_to_bitboard(squares);
        }
    }
    let highlight = |(area, squares): (Area, Bitboard)| Highlight {
        shape: shape(area),
        squares,
        label: area.meaning().into(),
    };
    let men = Highlight { shape: Shape::Ring, squares: men, label: men_label.into() };
    areas.into_iter().map(highlight).chain([men]).collect()
}

/// The shape that an area is drawn with.
fn shape(area: Area) -> Shape {
    match area {
        Area::Box | Area::Catching => Shape::Region,
        Area::Room | Area::KeySquares => Shape::Dot,
        Area::Moves | Area::Goals => Shape::Cross,
        Area::Line | Area::Way | Area::Corners => Shape::Hatch,
    }
}
