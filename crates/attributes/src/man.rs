//! The men of a material, with their letters and words.

use lucena_chess::{Material, Position, Role, Side, Slot};
use lucena_model::ManName;
use std::fmt;

/// A man of a material. `{}` writes its letter, in upper case for the strong side, and `{:#}` its
/// words: "R", "strong rook". Equal men are numbered in the order of their squares: "B1", "strong
/// bishop 1".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Man {
    pub(super) slot: Slot,
    pub(super) role: Role,
    pub(super) side: Side,
    /// The number among equal men, from 1.
    number: Option<usize>,
}

impl Man {
    fn new(material: Material, slot: Slot) -> Self {
        let (role, side) = (material.role(slot), material.side(slot));
        let mut twins = material.slots_of(side).filter(|&other| material.role(other) == role);
        let place = twins.clone().position(|other| other == slot);
        let number = if twins.nth(1).is_some() { place.map(|place| place + 1) } else { None };
        Self { slot, role, side, number }
    }

    /// Returns true if its side has another man of its kind.
    pub(super) fn has_twin(self) -> bool {
        self.number.is_some()
    }

    /// The king of a side, in any material.
    pub(super) fn king(side: Side) -> Self {
        Self { slot: Material::king(side), role: Role::King, side, number: None }
    }
}

impl fmt::Display for Man {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let role = char::from(self.role).to_ascii_uppercase();
        let name = ManName { role, is_strong: self.side == Side::Strong, number: self.number };
        fmt::Display::fmt(&name, f)
    }
}

/// All men of a material: the strong king, the weak king, then the others.
pub(super) struct Men {
    pub(super) material: Material,
    pub(super) all: Vec<Man>,
}

impl Men {
    pub(super) fn new(material: Material) -> Self {
        Self { material, all: material.slots().map(|slot| Man::new(material, slot)).collect() }
    }

    /// All men in the order in which the material is written, each side's king first.
    pub(super) fn written(&self) -> impl Iterator<Item = Man> {
        Position::written_slots(self.material).map(|slot| self.all[slot])
    }

    pub(super) fn king(&self, side: Side) -> Man {
        self.all[Material::king(side)]
    }

    /// All men except the kings.
    pub(super) fn pieces(&self) -> impl Iterator<Item = Man> {
        self.all.iter().copied().filter(|man| man.role != Role::King)
    }

    /// The strong side's men except the king.
    pub(super) fn strong(&self) -> impl Iterator<Item = Man> {
        self.pieces().filter(|man| man.side == Side::Strong)
    }

    pub(super) fn strong_bishops(&self) -> impl Iterator<Item = Man> {
        self.strong().filter(|man| man.role == Role::Bishop)
    }

    pub(super) fn of_role(&self, role: Role) -> impl Iterator<Item = Man> {
        self.all.iter().copied().filter(move |man| man.role == role)
    }

    /// Every pair of men, in order.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Man, Man)> {
        let after = |(at, &one)| self.all[at + 1..].iter().map(move |&other| (one, other));
        self.all.iter().enumerate().flat_map(after)
    }
}

/// The word for a role: "rook".
pub(super) fn role_word(role: Role) -> &'static str {
    lucena_model::role_word(role.into())
}
