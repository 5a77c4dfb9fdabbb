//! The squares that the weak king can reach in one move, and in any number.

use super::Attribute;
use super::attribute::Question;
use super::focus::Area;
use super::man::{Man, Men};
use super::reach::reachable_by_king;
use super::scene::Scene;
use super::teller::Teller;
use super::words::{MOVES, SQUARES};
use lucena_chess::Side;

pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let king = men.king(Side::Weak);
    vec![moves(king), room(king)]
}

/// The number of squares to which the weak king could move if it were its turn, 0 to 8.
///
/// ```text
/// 3 . . . .
/// 2 R . . .
/// 1 . . k .
///   a b c d      kMoves = 2
/// ```
fn moves(king: Man) -> Attribute {
    Question {
        name: format!("{king}Moves"),
        domain: 0..=8,
        meaning: format!("squares to which the {king:#} could move if it were its turn"),
        men: vec![king],
        value: |scene: &Scene| scene.targets().len() as u8,
        sentence: move |tell: &Teller| match tell.range {
            range if range.is_from(1) => format!("{} can move", tell.name(king)),
            range => format!("{} has {}", tell.name(king), range.count(MOVES)),
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("few", "many");
        format!("leave {} as {how} moves as possible", tell.name(king))
    })
    .marking(Area::Moves, Scene::targets)
}

/// The number of squares that the weak king could reach in any number of moves if all other men stood
/// still, squares of men it captures included, 0 to 63.
fn room(king: Man) -> Attribute {
    Question {
        name: format!("{king}Room"),
        domain: 0..=63,
        meaning: format!(
            "squares that the {king:#} could ever reach if the strong side's men stood still"
        ),
        men: vec![king],
        value: |scene: &Scene| reachable_by_king(scene).len() as u8,
        sentence: move |tell: &Teller| match tell.range {
            range if range.is(0) => format!("{} has no room", tell.name(king)),
            range => format!(
                "{} has room of {} if the others stand still",
                tell.name(king),
                range.count(SQUARES)
            ),
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("little", "much");
        format!("leave {} as {how} room as possible", tell.name(king))
    })
    .marking(Area::Room, reachable_by_king)
    .explained(
        "*Room* is all squares that the black king could reach in any number of moves while White stands still.",
    )
}
