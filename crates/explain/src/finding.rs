use crate::diagram::{Highlight, Shape};
use lucena_attributes::{Area, Attribute, View};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Bitboard, Position};
use lucena_proof::policy::as_it_lies;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// What a position shows of one attribute, and the condition that it fulfils.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is asked.
    pub attribute: Attribute,
    /// The condition in figures, as in `3 <= KkSteps <= 5`.
    pub test: String,
    /// The condition in words, about the board as it stands.
    pub sentence: String,
    /// What the position shows.
    pub value: u8,
}

impl Finding {
    /// Of a position that shows a value within a range.
    pub(super) fn new(
        attribute: &Attribute,
        values: RangeInclusive<u8>,
        value: u8,
        view: &View,
    ) -> Self {
        Self {
            attribute: attribute.clone(),
            test: attribute.test(values.clone()),
            sentence: attribute.sentence(values, view),
            value,
        }
    }

    /// What a position shows of an attribute as it lies on the board, read as if the weak side were to move.
    ///
    /// ```
    /// use lucena::attributes::AttributeSet;
    /// use lucena::explain::Finding;
    ///
    /// let set = AttributeSet::named("KRvK".parse()?, ["kOnEdge"])?;
    /// let position = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1".parse()?;
    /// let finding = Finding::on_board(&set.attributes()[0], &position);
    /// assert_eq!(finding.sentence, "the black king does not stand on the edge");
    /// assert!(finding.highlights_on_board(&position).iter().all(|one| !one.label.is_empty()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When the position is of another material.
    pub fn on_board(attribute: &Attribute, position: &Position) -> Self {
        let read = as_it_lies(position);
        let value = attribute.value(&read);
        Self::new(attribute, value..=value, value, &View::of(&read, Symmetry::IDENTITY))
    }

    /// The squares that it is about there.
    pub fn highlights_on_board(&self, position: &Position) -> Vec<Highlight> {
        let men = "men that are asked about";
        highlights([self], &as_it_lies(position), Symmetry::IDENTITY, men)
    }

    /// The value as people write it.
    pub fn shown(&self) -> String {
        self.attribute.show(self.value)
    }
}

/// The squares that attributes are about in the position that they were read from, on the board that
/// a symmetry takes it to.
pub(super) fn highlights<'f>(
    findings: impl IntoIterator<Item = &'f Finding>,
    read: &Position,
    back: Symmetry,
    men_label: &str,
) -> Vec<Highlight> {
    let mut men = Bitboard::EMPTY;
    let mut areas: BTreeMap<Area, Bitboard> = BTreeMap::new();
    for finding in findings {
        let focus = finding.attribute.focus(read);
        men |= back.apply_to_bitboard(focus.men);
        if let Some((area, squares)) = focus.area {
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

/// How an area is drawn.
fn shape(area: Area) -> Shape {
    match area {
        Area::Box | Area::Catching => Shape::Region,
        Area::Room | Area::KeySquares => Shape::Dot,
        Area::Moves | Area::Goals => Shape::Cross,
        Area::Line | Area::Way | Area::Corners => Shape::Hatch,
    }
}
