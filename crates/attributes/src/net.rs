//! The net around the weak king: the covered squares around it, the squares within its reach, and the
//! cage that the strong men hold without their king.

use super::Attribute;
use super::attribute::Question;
use super::focus::Area;
use super::man::{Man, Men};
use super::reach::reached_by_king;
use super::scene::Scene;
use super::teller::Teller;
use super::words::{SQUARES, unit};
use cozy_chess::get_king_moves;
use lucena_chess::{Bitboard, Material, Side};

pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let kings = Side::ALL.map(|side| men.king(side));
    let [strong_king, king] = kings;
    let mut attributes = vec![covered(kings), guarded_around(king), cage(kings), escapes(king)];
    if men.pieces().any(|man| man.side == Side::Strong) {
        attributes.extend([takes(king), guards(strong_king)]);
    }
    attributes
}

/// The number of squares around the weak king that the strong king attacks, 0 to 8.
///
/// ```text
/// 3 . K . .
/// 2 . . . .
/// 1 . k . .
///   a b c d      kCovered = 3
/// ```
fn covered([strong_king, king]: [Man; 2]) -> Attribute {
    let squares =
        move |scene: &Scene| get_king_moves(scene.at(king)) & get_king_moves(scene.at(strong_king));
    Question {
        name: format!("{king}Covered"),
        domain: 0..=8,
        meaning: format!("squares around the {king:#} that the {strong_king:#} covers"),
        men: vec![king, strong_king],
        value: move |scene: &Scene| squares(scene).len() as u8,
        sentence: move |tell: &Teller| {
            let (count, king) = (tell.range.count(SQUARES), tell.name(king));
            format!("{} covers {count} around {king}", tell.name(strong_king))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("few", "many");
        let around = format!("squares around {} as possible", tell.name(king));
        format!("cover as {how} {around} with {}", tell.name(strong_king))
    })
    .marking(Area::Moves, squares)
}

/// The number of squares around the weak king that any strong man attacks, as if the weak king blocked
/// nothing, 0 to 8.
fn guarded_around(king: Man) -> Attribute {
    let squares =
        |scene: &Scene| get_king_moves(scene.weak_king()) & scene.position.danger(Side::Weak);
    Question {
        name: format!("{king}GuardedAround"),
        domain: 0..=8,
        meaning: format!("squares around the {king:#} that the strong side covers"),
        men: vec![king],
        value: move |scene: &Scene| squares(scene).len() as u8,
        sentence: move |tell: &Teller| {
            format!("{} around {} are covered", tell.range.count(SQUARES), tell.name(king))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("few", "many");
        format!("cover as {how} squares around {} as possible", tell.name(king))
    })
    .marking(Area::Moves, squares)
}

/// The number of squares that the weak king could reach in any number of moves if the strong king were
/// off the board and all others stood still, squares of men it captures included, 0 to 63.
fn cage(kings: [Man; 2]) -> Attribute {
    let [strong_king, king] = kings;
    Question {
        name: format!("{king}Cage"),
        domain: 0..=63,
        meaning: format!(
            "squares that the {king:#} could ever reach if the {strong_king:#} were off the board"
        ),
        men: vec![king],
        value: |scene: &Scene| cage_of(scene).len() as u8,
        sentence: move |tell: &Teller| {
            let (strong_king, king) = (tell.name(strong_king), tell.name(king));
            let count = tell.range.count(SQUARES);
            format!("without {strong_king} {king} would have a cage of {count}")
        },
    }
    .attribute()
    .aiming(move |tell| {
        let size = tell.either("small", "great");
        let king = tell.name(kings[0]);
        format!("make the cage as {size} as possible that the men hold without {king}")
    })
    .marking(Area::Room, cage_of)
    .explained(
        "A *cage* is all squares that the black king could reach in any number of moves if White's king were off the board and White's other men stood still.",
    )
}

/// The squares that the weak king could reach if the strong king were off the board.
pub(super) fn cage_of(scene: &Scene) -> Bitboard {
    let position = &scene.position;
    let kings = position.king(Side::Weak).bitboard() | position.king(Side::Strong).bitboard();
    let occupied = position.occupied() & !kings;
    let men = position
        .material()
        .slots_of(Side::Strong)
        .filter(|&slot| slot != Material::king(Side::Strong));
    let guarded = men.fold(Bitboard::EMPTY, |all, slot| {
        all | position.attacks(slot, position.squares()[slot], occupied)
    });
    reached_by_king(scene.weak_king(), !guarded & !position.men_of(Side::Weak), u8::MAX)
}

/// The number of squares that the weak king could reach within two moves if the others stood still, 0
/// to 24.
fn escapes(king: Man) -> Attribute {
    let squares = |scene: &Scene| {
        let position = &scene.position;
        let free = !position.danger(Side::Weak) & !position.men_of(Side::Weak);
        reached_by_king(scene.weak_king(), free, 2)
    };
    Question {
        name: format!("{king}Escapes"),
        domain: 0..=24,
        meaning: format!(
            "squares that the {king:#} could reach within two moves if the strong side's men stood still"
        ),
        men: vec![king],
        value: move |scene: &Scene| squares(scene).len() as u8,
        sentence: move |tell: &Teller| {
            format!("{} could reach {} within two moves", tell.name(king), tell.range.count(SQUARES))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("few", "many");
        format!("leave {} as {how} squares within two moves as possible", tell.name(king))
    })
    .marking(Area::Room, squares)
}

/// The number of strong men that the weak king could capture, 0 to 2.
fn takes(king: Man) -> Attribute {
    let squares = |scene: &Scene| scene.targets() & scene.position.men_of(Side::Strong);
    Question {
        name: format!("{king}Takes"),
        domain: 0..=2,
        meaning: format!("men of the strong side that the {king:#} could take"),
        men: vec![king],
        value: move |scene: &Scene| squares(scene).len() as u8,
        sentence: move |tell: &Teller| {
            format!("{} can take {}", tell.name(king), tell.range.count(unit("man", "men")))
        },
    }
    .attribute()
    .aiming(move |tell| match tell.range.is_open_above() {
        false => format!("let {} take nothing", tell.name(king)),
        true => format!("let {} take what it can", tell.name(king)),
    })
    .marking(Area::Moves, squares)
}

/// The number of its own men that the strong king guards, 0 to 2.
fn guards(king: Man) -> Attribute {
    let squares =
        move |scene: &Scene| get_king_moves(scene.at(king)) & scene.position.men_of(Side::Strong);
    Question {
        name: format!("{king}Guards"),
        domain: 0..=2,
        meaning: format!("men that the {king:#} guards"),
        men: vec![king],
        value: move |scene: &Scene| squares(scene).len() as u8,
        sentence: move |tell: &Teller| {
            format!("{} guards {}", tell.name(king), tell.range.count(unit("man", "men")))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("few", "many");
        format!("guard as {how} men as possible with {}", tell.name(king))
    })
}
