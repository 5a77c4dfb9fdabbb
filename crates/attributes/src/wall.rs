//! The wall of two bishops, and the squares that bishops cover around the weak king.

use super::Attribute;
use super::attribute::{NO_OR_YES, Question};
use super::focus::Area;
use super::geometry::{collect, king_steps};
use super::man::{Man, Men};
use super::scene::Scene;
use super::teller::Teller;
use super::words::SQUARES;
use lucena_chess::{Bitboard, Role, Side, Square};

/// Attributes of the strong side's bishops.
pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let king = men.king(Side::Weak);
    let bishops: Vec<Man> =
        men.of_role(Role::Bishop).filter(|man| man.side == Side::Strong).collect();
    let mut attributes = Vec::new();
    if let &[one, other] = bishops.as_slice() {
        attributes.extend([wall(king, [one, other]), wall_size(king, [one, other])]);
    }
    if !bishops.is_empty() {
        attributes.push(covered(king, bishops));
    }
    attributes
}

/// True if two bishops make a wall: they stand on neighbouring diagonals, and the weak king is on
/// neither.
///
/// ```text
/// 4 k . . .
/// 3 . . . .
/// 2 . . . .
/// 1 . B B K
///   a b c d      kWall = 1, kWallSize = 36
/// ```
fn wall(king: Man, bishops: [Man; 2]) -> Attribute {
    Question {
        name: format!("{king}Wall"),
        domain: NO_OR_YES,
        meaning: format!(
            "whether the strong bishops stand on neighbouring diagonals, the {king:#} on neither"
        ),
        men: vec![king, bishops[0], bishops[1]],
        value: move |scene: &Scene| behind_wall(scene, bishops).is_some(),
        sentence: move |tell: &Teller| {
            let make = tell.verb("make", "do not make");
            format!("the bishops {make} a wall before {}", tell.name(king))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("make no wall", "make a wall");
        format!("{how} of the bishops before {}", tell.name(king))
    })
    .explained(WALL)
}

/// The number of squares on the weak king's side of the wall of two bishops, 1 to 64; 64 without a
/// wall.
fn wall_size(king: Man, bishops: [Man; 2]) -> Attribute {
    let squares = move |scene: &Scene| behind_wall(scene, bishops).unwrap_or(Bitboard::FULL);
    Question {
        name: format!("{king}WallSize"),
        domain: 1..=64,
        meaning: format!(
            "squares on the side of the {king:#} of the wall of the strong bishops, 64 without a wall"
        ),
        men: vec![king, bishops[0], bishops[1]],
        value: move |scene: &Scene| squares(scene).len() as u8,
        sentence: move |tell: &Teller| {
            let count = tell.range.count(SQUARES);
            format!("the wall of the bishops leaves {count} to {}", tell.name(king))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("few", "many");
        format!("leave {} as {how} squares behind the bishops' wall as possible", tell.name(king))
    })
    .marking(Area::Room, squares)
    .explained(WALL)
}

/// The number of squares within two king moves of the weak king that bishops attack, as if the weak
/// king blocked nothing, 0 to 24.
fn covered(king: Man, bishops: Vec<Man>) -> Attribute {
    let asked = bishops.clone();
    let squares = move |scene: &Scene| {
        let (position, home) = (&scene.position, scene.weak_king());
        let occupied = position.occupied() & !home.bitboard();
        let near = |square: &Square| (1..=2).contains(&king_steps(home, *square));
        asked.iter().fold(Bitboard::EMPTY, |all, &bishop| {
            all | position.attacks(bishop.slot, scene.at(bishop), occupied)
        }) & collect(Square::ALL.into_iter().filter(near))
    };
    let marked = squares.clone();
    let who = if bishops.len() == 1 { "the bishop covers" } else { "the bishops cover" };
    Question {
        name: format!("{king}BCovered"),
        domain: 0..=24,
        meaning: format!(
            "squares within two moves of the {king:#} that bishops of the strong side cover"
        ),
        men: bishops.into_iter().chain([king]).collect(),
        value: move |scene: &Scene| squares(scene).len() as u8,
        sentence: move |tell: &Teller| {
            let near = format!("within two moves of {}", tell.name(king));
            format!("{who} {} {near}", tell.range.count(SQUARES))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("few", "many");
        let near = format!("within two moves of {}", tell.name(king));
        format!("cover as {how} squares {near} as possible with bishops")
    })
    .marking(Area::Goals, marked)
}

const WALL: &str =
    "Two bishops on neighbouring diagonals make a *wall* that the black king cannot cross.";

/// The squares on the weak king's side of the wall, or `None` without a wall. Two bishops side by side
/// make two walls; the one that leaves fewer squares counts.
fn behind_wall(scene: &Scene, bishops: [Man; 2]) -> Option<Bitboard> {
    let diagonals: [fn(Square) -> u8; 2] = [
        |square| 7 + square.file() as u8 - square.rank() as u8,
        |square| square.file() as u8 + square.rank() as u8,
    ];
    let behind = |diagonal: fn(Square) -> u8| {
        let [one, other] = bishops.map(|bishop| diagonal(scene.at(bishop)));
        let king = diagonal(scene.weak_king());
        if one.abs_diff(other) != 1 || king == one || king == other {
            return None;
        }
        let same_side = |square: &Square| {
            let at = diagonal(*square);
            at != one && at != other && (at < one) == (king < one)
        };
        Some(collect(Square::ALL.into_iter().filter(same_side)))
    };
    diagonals.into_iter().filter_map(behind).min_by_key(|squares| squares.len())
}
