//! The squares of a man and the weak king together, as one number.
//!
//! Evaluations of chess programs learn a number for each pair of a king's square and another man's (as HalfKP does).
//! Here the board is turned first, so that the weak king stands in one part of it: what is learned in one corner then
//! holds in all.

use super::ReaderBoard;
use super::focus::Focus;
use super::man::{Man, Men};
use super::region::MatingCorners;
use super::scene::Scene;
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Material, Role, Side, Square};
use std::sync::LazyLock;

/// The square of a man by the square of the weak king, on the board turned towards that king.
///
/// Without pawns the king is turned to the squares a1, b1, c1, d1, b2, c2, d2, c3, d3 and d4. If mate can be forced only in
/// corners of one colour, these are made dark, and the king is turned to one of twenty squares; with pawns it is turned
/// to the files a to d. The man is turned to the lower of its squares if there are two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KingPlace {
    man: Man,
    corners: Corners,
}

/// The ways in which a board can be turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Corners {
    /// All corners are alike.
    Alike,
    /// The mating corners are made dark.
    OfOneColor,
    /// The board can only be mirrored left to right.
    Fixed,
}

/// For each square of the weak king: the symmetries that turn it to the lowest square, and the number of that square among
/// all such.
struct Turning {
    ways: Vec<Vec<Symmetry>>,
    numbers: Vec<u16>,
    /// The squares to which the king is turned, in order.
    homes: Vec<Square>,
}

impl Turning {
    fn new(symmetries: &[Symmetry]) -> Self {
        let lowest = |king: Square| symmetries.iter().map(|way| way.apply(king)).min();
        let lowest = |king: Square| lowest(king).expect("there are symmetries");
        let mut homes: Vec<Square> = Square::ALL.map(lowest).into();
        homes.sort_unstable();
        homes.dedup();
        let number = |king| homes.iter().position(|&home| home == lowest(king));
        let number = |king| number(king).expect("it is a home") as u16;
        let ways = Square::ALL.map(|king| {
            let ways = symmetries.iter().copied();
            ways.filter(|way| way.apply(king) == lowest(king)).collect()
        });
        Self { ways: ways.into(), numbers: Square::ALL.map(number).into(), homes }
    }
}

static ALIKE: LazyLock<Turning> = LazyLock::new(|| Turning::new(Group::Square.symmetries()));
static FIXED: LazyLock<Turning> = LazyLock::new(|| Turning::new(Group::Mirror.symmetries()));
static DARK: LazyLock<Turning> = LazyLock::new(|| Turning::new(&keeping_color(true)));
static LIGHT: LazyLock<Turning> = LazyLock::new(|| Turning::new(&keeping_color(false)));

/// The symmetries that keep the colours of the squares, or those that exchange them.
fn keeping_color(keeps: bool) -> Vec<Symmetry> {
    let is_dark = |square: Square| (square as u8 / 8 + square as u8 % 8).is_multiple_of(2);
    let symmetries = Symmetry::ALL.into_iter();
    symmetries.filter(|way| is_dark(way.apply(Square::A1)) == keeps).collect()
}

impl KingPlace {
    /// Those of a material: for all men but the weak king that have no equal.
    pub(super) fn all(material: Material) -> impl Iterator<Item = Self> {
        let corners = match () {
            () if material.has_pawns() => Corners::Fixed,
            () if MatingCorners::bishop_of(material).is_some() => Corners::OfOneColor,
            () => Corners::Alike,
        };
        let men = Men::new(material).all.into_iter();
        let is_one =
            |man: &Man| !man.has_twin() && (man.role, man.side) != (Role::King, Side::Weak);
        men.filter(is_one).map(move |man| Self { man, corners })
    }

    /// The name, for example `RPlace`.
    pub fn name(self) -> String {
        format!("{}Place", self.man)
    }

    /// The meaning in words, without a full stop.
    pub fn meaning(self) -> String {
        self.meaning_of(&format!("the {:#}", self.man))
    }

    /// The meaning, with the men called by the reader's names.
    pub(super) fn meaning_in(self, view: &ReaderBoard) -> String {
        view.with_names(&self.meaning_of(view.name(self.man.slot)))
    }

    fn meaning_of(self, man: &str) -> String {
        format!(
            "the square of {man} and that of the weak king as one number, on the board turned towards the weak king"
        )
    }

    /// The least and the greatest value.
    pub fn domain(self) -> (u16, u16) {
        (0, 64 * self.turning().homes.len() as u16 - 1)
    }

    /// The turning that does not depend on a bishop's colour, or that for dark corners.
    fn turning(self) -> &'static Turning {
        match self.corners {
            Corners::Alike => &ALIKE,
            Corners::Fixed => &FIXED,
            Corners::OfOneColor => &DARK,
        }
    }

    pub(super) fn value_in(self, scene: &Scene) -> u16 {
        let turning = match (self.corners, MatingCorners::new(scene)) {
            (Corners::OfOneColor, MatingCorners::Light) => &LIGHT,
            _ => self.turning(),
        };
        let (king, at) = (scene.weak_king() as usize, scene.at(self.man));
        let squares = turning.ways[king].iter().map(|way| way.apply(at) as u16);
        turning.numbers[king] * 64 + squares.min().expect("there is a way")
    }

    pub(super) fn focus_in(self, scene: &Scene) -> Focus {
        let men = scene.weak_king().bitboard() | scene.at(self.man).bitboard();
        Focus { men: scene.back().apply_to_bitboard(men), areas: Vec::new() }
    }

    /// The sentence for a value: see [`Quantity::sentence`](super::Quantity::sentence).
    pub fn sentence(self, value: u16, view: &ReaderBoard) -> String {
        let homes = &self.turning().homes;
        let king = homes[usize::from(value / 64).min(homes.len() - 1)];
        let at = Square::index(usize::from(value % 64));
        let man = view.name(self.man.slot);
        view.with_names(&format!(
            "if the board is turned so that the weak king stands on {king}, {man} stands on {at}"
        ))
    }

    /// An instruction; the numbers of squares have no order that a player would know.
    pub fn aim(self, view: &ReaderBoard) -> String {
        format!("bring {} to a good square for that of the king", view.name(self.man.slot))
    }
}
