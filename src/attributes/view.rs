use super::Axis;
use super::scene::Reading;
use crate::chess::{Color, Material, Position, Role, Side, Slot, Square};
use crate::symmetry::{Group, Symmetry};

/// The board as it lies before the reader of a sentence.
///
/// Attributes are mostly read from a representative, which is the reader's board turned; some of
/// them turn it once more. A view says what is left and right, above and below on the reader's own
/// board, who is white there, and what the men are called.
#[derive(Debug, Clone)]
pub struct View {
    /// By slot, with the article.
    names: Vec<String>,
    /// From the board that the attributes are read from to the reader's.
    read: Symmetry,
    /// From the board turned towards the weak king to the reader's, if the reader has a position.
    turned: Option<Symmetry>,
}

impl View {
    /// No position in particular: the board as the attributes see it, White being the strong side.
    pub fn general(material: Material) -> Self {
        let name = |slot| name(material, Color::White, slot, None);
        Self { names: material.slots().map(name).collect(), read: Symmetry::IDENTITY, turned: None }
    }

    /// A position that attributes were read from; `back` takes it to the reader's board.
    ///
    /// ```
    /// use lucena::attributes::{AttributeSet, View};
    /// use lucena::{chess::Position, symmetry::Group};
    ///
    /// let position: Position = "8/8/8/8/7R/8/5K2/7k b - - 0 1".parse()?;
    /// let symmetry = Group::of(position.material()).canonicaliser(&position);
    /// let read = symmetry.apply_to_position(&position);
    /// let set = AttributeSet::named(position.material(), ["kFile"])?;
    /// let value = set.attributes()[0].value(&read);
    /// let sentence = set.attributes()[0].sentence(value..=value, &View::of(&read, symmetry.inverse()));
    /// assert_eq!(sentence, "the black king stands on the h-file");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(read: &Position, back: Symmetry) -> Self {
        let strong = read.strong();
        let Reading { position, back: straight } = Reading::of(read);
        let back = straight.then(back);
        let (material, squares) = (position.material(), position.squares());
        let first = Material::king(Side::Weak);
        let turning = Group::of(material).turning(material, squares, first);
        let name = |slot| name(material, strong, slot, Some(back.apply(squares[slot])));
        Self {
            names: material.slots().map(name).collect(),
            read: back,
            turned: Some(turning.inverse().then(back)),
        }
    }

    /// What the men are called: the strong king, the weak king, then the others.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// What a man is called.
    pub(super) fn name(&self, slot: Slot) -> &str {
        &self.names[slot]
    }

    /// Where counting up along an axis of the board that is read goes before the reader.
    pub(super) fn read(&self, axis: Axis) -> Direction {
        Direction::of(axis, self.read)
    }

    /// The same for the board turned towards the weak king, and whether the reader has to turn it.
    pub(super) fn turned(&self, axis: Axis) -> (Direction, bool) {
        let symmetry = self.turned.unwrap_or(Symmetry::IDENTITY);
        (Direction::of(axis, symmetry), self.turned.is_none())
    }
}

/// A direction before the reader.
#[derive(Debug, Clone, Copy)]
pub(super) struct Direction {
    pub(super) axis: Axis,
    /// Up or to the right, not down or to the left.
    pub(super) ascends: bool,
}

impl Direction {
    fn of(axis: Axis, symmetry: Symmetry) -> Self {
        let end = match axis {
            Axis::File => Square::A8,
            Axis::Rank => Square::H1,
        };
        let [from, to] = [Square::A1, end].map(|square| symmetry.apply(square));
        let axis = if from.file() == to.file() { Axis::File } else { Axis::Rank };
        Self { axis, ascends: from < to }
    }
}

/// "the white king", "the rook", and of two equal men "the bishop on c4" or "the second bishop".
fn name(material: Material, strong: Color, slot: Slot, square: Option<Square>) -> String {
    let (role, side) = (material.role(slot), material.side(slot));
    let word = role_word(role);
    let same = |side| material.slots_of(side).filter(|&other| material.role(other) == role);
    let color = match (side, strong) {
        (Side::Strong, Color::White) | (Side::Weak, Color::Black) => "white ",
        _ => "black ",
    };
    let color = if same(!side).next().is_some() { color } else { "" };
    let twins: Vec<Slot> = same(side).collect();
    match (twins.as_slice(), square) {
        ([_], _) => format!("the {color}{word}"),
        (_, Some(square)) => format!("the {color}{word} on {square}"),
        (twins, None) => {
            let nth = if twins.first() == Some(&slot) { "first" } else { "second" };
            format!("the {nth} {color}{word}")
        }
    }
}

pub(super) fn role_word(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
