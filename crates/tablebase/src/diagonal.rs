//! Placements with both kings on the diagonal a1–h8.
//!
//! There the other men decide which of a placement and its mirror image is canonical. A lookup table for the
//! numbers is simpler than a formula. The table depends only on the number of men and on which of them are
//! equal, not on their roles; each is built on first use and shared by all materials.

use super::kings::place;
use lucena_chess::symmetry::Group;
use lucena_chess::{Bitboard, MAX_MEN, Material, SOLVED_MEN, Slot, Square, Squares};
use std::collections::BTreeSet;
use std::sync::OnceLock;

pub(super) const BELOW_DIAGONAL: Bitboard = Bitboard(0x0080_c0e0_f0f8_fcfe);
pub(super) const DIAGONAL: Bitboard = Bitboard(0x8040_2010_0804_0201);

/// The number of canonical pairs of kings on the diagonal.
const PAIRS: usize = 21;

/// The number of patterns of men other than the kings that equal the man before them.
const PATTERNS: usize = 1 << (SOLVED_MEN - 3);

/// The placements on the diagonal by pair of kings, in the order of the canonical pairs.
pub(super) fn diagonals_of(material: Material) -> &'static [OnceLock<Diagonal>] {
    type Made = [OnceLock<Diagonal>; PAIRS];
    static MADE: [[Made; PATTERNS]; SOLVED_MEN + 1] =
        [const { [const { [const { OnceLock::new() }; PAIRS] }; PATTERNS] }; SOLVED_MEN + 1];
    &MADE[material.men()][pattern(material)]
}

/// A bit for each man other than the kings that equals the man before it.
fn pattern(material: Material) -> usize {
    let is_equal = |slot| usize::from(material.equals_previous(slot));
    (3..material.men()).map(|slot| is_equal(slot) << (slot - 3)).sum()
}

/// The maximum total memory of the tables for some materials, in bytes.
pub(super) fn memory_of_diagonals(materials: &[Material]) -> u64 {
    let without_pawns = materials.iter().filter(|material| !material.has_pawns());
    let kinds: BTreeSet<(usize, usize)> =
        without_pawns.map(|&material| (material.men(), pattern(material))).collect();
    let list = |(men, _): (usize, usize)| {
        let places = 64_u64.pow(men as u32 - 2);
        PAIRS as u64 * places * (size_of::<u32>() + size_of::<Squares>()) as u64
    };
    kinds.into_iter().map(list).sum()
}

/// The placements with the kings on two squares of the diagonal. A placement and its mirror image have
/// the same number.
pub(super) struct Diagonal {
    /// The numbers by the squares of the other men.
    numbers: Vec<u32>,
    /// The canonical placements by number.
    pub(super) placements: Vec<Squares>,
}

impl Diagonal {
    /// Lists the placements whose first man off the diagonal stands below it.
    pub(super) fn new(material: Material, [strong, weak]: [Square; 2]) -> Self {
        let places = 64_usize.pow(material.men() as u32 - 2);
        let mut diagonal = Self { numbers: vec![u32::MAX; places], placements: Vec::new() };
        let mut squares = [Square::A1; MAX_MEN];
        (squares[0], squares[1]) = (strong, weak);
        diagonal.add(material, squares, 2);
        diagonal.placements.shrink_to_fit();
        diagonal
    }

    /// Adds the placements with the men before a slot on given squares.
    fn add(&mut self, material: Material, mut squares: Squares, slot: Slot) {
        if slot < material.men() {
            let above = !(BELOW_DIAGONAL | DIAGONAL);
            for square in BELOW_DIAGONAL.into_iter().chain(DIAGONAL).chain(above) {
                if !squares[..slot].contains(&square) {
                    squares[slot] = square;
                    self.add(material, squares, slot + 1);
                }
            }
            return;
        }
        let symmetry = Group::Square.canonicaliser_of(material, &squares);
        let canonical = material.tidy(symmetry.apply_to_squares(&squares));
        let at = place(&canonical[2..material.men()]);
        if self.numbers[at] == u32::MAX {
            self.numbers[at] = self.placements.len() as u32;
            self.placements.push(canonical);
        }
        self.numbers[place(&squares[2..material.men()])] = self.numbers[at];
    }

    /// The number of a placement or of its mirror image.
    #[inline(always)]
    pub(super) fn number(&self, material: Material, squares: &Squares) -> u32 {
        self.numbers[place(&squares[2..material.men()])]
    }
}
