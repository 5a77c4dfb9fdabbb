//! Bishops and knights: diagonals, the colours of squares, right and wrong corners, jumps.

use super::Attribute;
use super::attribute::{NO_OR_YES, Question};
use super::focus::Area;
use super::geometry::{
    CORNERS, corners_of_color, knight_steps, of_one_color, on_one_diagonal, steps_to_nearest,
};
use super::man::{Man, Men};
use super::scene::Scene;
use super::teller::Teller;
use super::words::{KING_MOVES, KNIGHT_MOVES};
use lucena_chess::{Bitboard, Role, Side, Square};

/// Attributes of every pair of men that includes a bishop or knight, then of each bishop's corners. A
/// queen's diagonals count if the weak side has more than a king.
pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let mut attributes = Vec::new();
    for (one, other) in men.pairs() {
        let has = |role| one.role == role || other.role == role;
        let has_queen = has(Role::Queen) && !men.material.is_bare(Side::Weak);
        if has(Role::Bishop) || has_queen {
            attributes.push(diagonal(one, other));
        }
        if has(Role::Bishop) {
            attributes.push(same_color(one, other));
        }
        if has(Role::Knight) {
            attributes.push(jumps(one, other));
        }
    }
    let king = men.king(Side::Weak);
    let corners =
        |bishop| [Corner::Right, Corner::Wrong].map(|corner| corner_steps(king, bishop, corner));
    attributes.extend(men.of_role(Role::Bishop).flat_map(corners));
    attributes
}

/// The distances of the strong king from the corners of its only bishop.
pub(super) fn strong_king_corners(men: &Men) -> Vec<Attribute> {
    let king = men.king(Side::Strong);
    let mut bishops = men.of_role(Role::Bishop).filter(|man| man.side == Side::Strong);
    match (bishops.next(), bishops.next()) {
        (Some(bishop), None) => {
            [Corner::Right, Corner::Wrong].map(|corner| corner_steps(king, bishop, corner)).to_vec()
        }
        _ => Vec::new(),
    }
}

/// True if two men stand on one diagonal.
///
/// ```text
/// 3 . . B .
/// 2 . . . .
/// 1 k . K N
///   a b c d      kBDiagonal = 1, KBDiagonal = 0, BNDiagonal = 0
/// ```
fn diagonal(one: Man, other: Man) -> Attribute {
    Question {
        name: format!("{one}{other}Diagonal"),
        domain: NO_OR_YES,
        meaning: format!("whether the {one:#} and the {other:#} stand on one diagonal"),
        men: vec![one, other],
        value: move |scene: &Scene| on_one_diagonal(scene.at(one), scene.at(other)),
        sentence: move |tell: &Teller| tell.stand(one, other, "on the same diagonal"),
    }
    .attribute()
}

/// True if two men stand on squares of one colour.
fn same_color(one: Man, other: Man) -> Attribute {
    Question {
        name: format!("{one}{other}SameColor"),
        domain: NO_OR_YES,
        meaning: format!("whether the {one:#} and the {other:#} stand on squares of one colour"),
        men: vec![one, other],
        value: move |scene: &Scene| of_one_color(scene.at(one), scene.at(other)),
        sentence: move |tell: &Teller| tell.stand(one, other, "on squares of the same colour"),
    }
    .attribute()
}

/// The number of knight moves between two men on an empty board, 1 to 6.
fn jumps(one: Man, other: Man) -> Attribute {
    Question {
        name: format!("{one}{other}KnightSteps"),
        domain: 1..=6,
        meaning: format!("moves of a knight from the {one:#} to the {other:#} on an empty board"),
        men: vec![one, other],
        value: move |scene: &Scene| knight_steps(scene.at(one), scene.at(other)),
        sentence: move |tell: &Teller| {
            format!("{} are {} apart", tell.both(one, other), tell.range.count(KNIGHT_MOVES))
        },
    }
    .attribute()
}

/// A pair of corners, as seen by a bishop.
#[derive(Clone, Copy)]
enum Corner {
    /// The corners of the bishop's colour.
    Right,
    /// The other corners.
    Wrong,
}

impl Corner {
    fn squares(self, bishop: Square) -> Bitboard {
        let right = corners_of_color(bishop);
        match self {
            Self::Right => right,
            Self::Wrong => CORNERS & !right,
        }
    }
}

/// The number of moves from a king to the nearest corner of a bishop's colour (right corner) or of the
/// other colour (wrong corner), 0 to 7.
fn corner_steps(king: Man, bishop: Man, corner: Corner) -> Attribute {
    let (word, is) = match corner {
        Corner::Right => ("Right", "of"),
        Corner::Wrong => ("Wrong", "that is not of"),
    };
    Question {
        name: format!("{king}{bishop}{word}CornerSteps"),
        domain: 0..=7,
        meaning: format!(
            "moves of the {king:#} to the nearest corner {is} the colour of the {bishop:#}"
        ),
        men: vec![king, bishop],
        value: move |scene: &Scene| {
            let corners = corner.squares(scene.at(bishop));
            steps_to_nearest(scene.at(king), corners).expect("there are two of each colour")
        },
        sentence: move |tell: &Teller| {
            let bishop = tell.name(bishop);
            let corner = match corner {
                Corner::Right => format!("corner of the colour of {bishop}"),
                Corner::Wrong => format!("corner that {bishop} cannot reach"),
            };
            let (there, nearest) = (format!("in a {corner}"), format!("the nearest {corner}"));
            tell.steps_to(king, &there, KING_MOVES, &nearest)
        },
    }
    .attribute()
    .aiming(move |tell| {
        let bishop = tell.name(bishop);
        let corner = match corner {
            Corner::Right => format!("a corner of the colour of {bishop}"),
            Corner::Wrong => format!("a corner that {bishop} cannot reach"),
        };
        let how = tell.either("near to", "far from");
        format!("have {} as {how} {corner} as possible", tell.name(king))
    })
    .marking(Area::Corners, move |scene| corner.squares(scene.at(bishop)))
    .explained(
        "A bishop can mate in the *corners of its colour* only; it never reaches the others.",
    )
}
