//! Contact between men: attacks, guards, pins, forks, and mobility.

use super::Attribute;
use super::attribute::{NO_OR_YES, Question};
use super::focus::Area;
use super::man::{Man, Men};
use super::reach::{forks, is_attacked, is_guarded, is_pinned, safe_targets, targets};
use super::scene::Scene;
use super::teller::Teller;
use super::words::SAFE_MOVES;
use cozy_chess::get_king_moves;
use lucena_chess::{Role, Side};

/// Attributes of each man, if both sides have more than a king.
pub(super) fn all(men: &Men) -> Vec<Attribute> {
    if men.material.is_bare(Side::Weak) {
        return Vec::new();
    }
    let mut attributes = Vec::new();
    for man in men.pieces() {
        attributes.extend([attacked(man), en_prise(man)]);
        let pins = |other: Man| matches!(other.role, Role::Bishop | Role::Rook | Role::Queen);
        if men.pieces().any(|other| other.side != man.side && pins(other)) {
            attributes.push(pinned(man));
        }
        if man.role != Role::Pawn {
            attributes.push(fork(man));
        }
        if man.side == Side::Weak {
            attributes.extend([guarded(man), can_move(man)]);
            if man.role != Role::Pawn {
                attributes.push(safe_moves(man));
            }
        }
    }
    attributes
}

/// True if the weak king could capture a man, if it were its turn.
///
/// ```text
/// 3 . . . .
/// 2 R . . .
/// 1 k . K .
///   a b c d      RHangs = 1
/// ```
pub(super) fn hangs(man: Man, king: Man) -> Attribute {
    Question {
        name: format!("{man}Hangs"),
        domain: NO_OR_YES,
        meaning: format!("whether the {king:#} could take the {man:#}"),
        men: vec![man, king],
        value: move |scene: &Scene| {
            get_king_moves(scene.at(king)).has(scene.at(man)) && !is_guarded(scene, man)
        },
        sentence: move |tell: &Teller| {
            let can_take = tell.verb("can take", "cannot take");
            format!("{} {can_take} {}", tell.name(king), tell.name(man))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let (king, man) = (tell.name(king), tell.name(man));
        match tell.range.is_open_above() {
            false => format!("do not let {king} take {man}"),
            true => format!("let {king} take {man}"),
        }
    })
}

/// True if a man is guarded by another of its side, so that the enemy king could not capture it.
pub(super) fn guarded(man: Man) -> Attribute {
    Question {
        name: format!("{man}Guarded"),
        domain: NO_OR_YES,
        meaning: format!("whether the {man:#} is guarded by another man"),
        men: vec![man],
        value: move |scene: &Scene| is_guarded(scene, man),
        sentence: move |tell: &Teller| tell.is(man, "guarded"),
    }
    .attribute()
    .aiming(move |tell| {
        let guard = tell.either("leave", "guard");
        let end = tell.either(" unguarded", "");
        format!("{guard} {}{end}", tell.name(man))
    })
}

/// True if a man is attacked by an enemy man, king included.
fn attacked(man: Man) -> Attribute {
    Question {
        name: format!("{man}Attacked"),
        domain: NO_OR_YES,
        meaning: format!("whether the {man:#} is attacked by a man of the other side"),
        men: vec![man],
        value: move |scene: &Scene| is_attacked(scene, man),
        sentence: move |tell: &Teller| tell.is(man, "attacked"),
    }
    .attribute()
}

/// True if a man is attacked and not guarded.
fn en_prise(man: Man) -> Attribute {
    Question {
        name: format!("{man}EnPrise"),
        domain: NO_OR_YES,
        meaning: format!("whether the {man:#} is attacked and not guarded"),
        men: vec![man],
        value: move |scene: &Scene| is_attacked(scene, man) && !is_guarded(scene, man),
        sentence: move |tell: &Teller| tell.is(man, "en prise"),
    }
    .attribute()
    .explained("A man is *en prise* if it is attacked and not guarded.")
}

/// True if a man is pinned to its king by a line piece.
fn pinned(man: Man) -> Attribute {
    Question {
        name: format!("{man}Pinned"),
        domain: NO_OR_YES,
        meaning: format!("whether the {man:#} is pinned to its king"),
        men: vec![man],
        value: move |scene: &Scene| is_pinned(scene, man),
        sentence: move |tell: &Teller| tell.is(man, "pinned"),
    }
    .attribute()
}

/// True if a man could move to a square where it cannot be captured and attacks the enemy king and
/// another man at once.
fn fork(man: Man) -> Attribute {
    Question {
        name: format!("{man}Fork"),
        domain: NO_OR_YES,
        meaning: format!(
            "whether the {man:#} could go where it attacks the other king and another man and is not taken"
        ),
        men: vec![man],
        value: move |scene: &Scene| forks(scene, man),
        sentence: move |tell: &Teller| {
            format!("{} {} a fork", tell.name(man), tell.verb("has", "does not have"))
        },
    }
    .attribute()
    .marking(Area::Goals, move |scene| safe_targets(scene, man))
}

/// True if a man other than a king would have a legal move, captures included, if it were its turn. En
/// passant is not counted.
fn can_move(man: Man) -> Attribute {
    Question {
        name: format!("{man}CanMove"),
        domain: NO_OR_YES,
        meaning: format!("whether the {man:#} could move if it were its turn"),
        men: vec![man],
        value: move |scene: &Scene| !targets(scene, man).is_empty(),
        sentence: move |tell: &Teller| {
            format!("{} {}", tell.name(man), tell.verb("can move", "cannot move"))
        },
    }
    .attribute()
    .marking(Area::Goals, move |scene| targets(scene, man))
}

/// The number of squares to which a man could safely move, if it were its turn, 0 to 27.
fn safe_moves(man: Man) -> Attribute {
    Question {
        name: format!("{man}SafeMoves"),
        domain: 0..=27,
        meaning: format!("squares to which the {man:#} could go and not be taken"),
        men: vec![man],
        value: move |scene: &Scene| safe_targets(scene, man).len() as u8,
        sentence: move |tell: &Teller| {
            format!("{} has {}", tell.name(man), tell.range.count(SAFE_MOVES))
        },
    }
    .attribute()
    .marking(Area::Goals, move |scene| safe_targets(scene, man))
}
