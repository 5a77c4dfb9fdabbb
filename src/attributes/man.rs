use super::view::role_word;
use crate::chess::{Material, Side, Slot, Square};
use std::fmt;

/// The direction in which something is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Up and down the board.
    File,
    /// From side to side.
    Rank,
}

impl Axis {
    pub(super) const BOTH: [Self; 2] = [Self::File, Self::Rank];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Rank => "Rank",
        }
    }

    /// What one counts along it.
    pub(super) fn counted(self) -> &'static str {
        match self {
            Self::File => "ranks",
            Self::Rank => "files",
        }
    }

    /// How far along this axis a square is, from 0.
    pub(super) fn along(self, square: Square) -> u8 {
        match self {
            Self::File => square.rank() as u8,
            Self::Rank => square.file() as u8,
        }
    }
}
/// A man of a material, for attributes that speak of one or two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Man {
    pub(super) slot: Slot,
    letter: String,
    /// Without an article: "strong king".
    pub(super) name: String,
}

impl fmt::Display for Man {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.letter)
    }
}
/// Men with the letters and words for them.
pub(super) fn men(material: Material, slots: impl Iterator<Item = Slot>) -> Vec<Man> {
    let describe = |slot: Slot| {
        let (role, side) = (material.role(slot), material.side(slot));
        let twins: Vec<Slot> =
            material.slots_of(side).filter(|&other| material.role(other) == role).collect();
        let number = match twins.as_slice() {
            [_] => String::new(),
            many => (many.iter().position(|&other| other == slot).unwrap_or(0) + 1).to_string(),
        };
        let (letter, side) = match side {
            Side::Strong => (char::from(role).to_ascii_uppercase(), "strong"),
            Side::Weak => (char::from(role), "weak"),
        };
        let role = role_word(role);
        let space = if number.is_empty() { "" } else { " " };
        Man {
            slot,
            letter: format!("{letter}{number}"),
            name: format!("{side} {role}{space}{number}"),
        }
    };
    slots.map(describe).collect()
}
