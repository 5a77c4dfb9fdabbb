//! Endgames in which the weak side has more than a king: double attacks, desperadoes, and known
//! positions of queen against rook.

use super::Attribute;
use super::attribute::{NO_OR_YES, Question};
use super::focus::Area;
use super::geometry::Line;
use super::man::{Man, Men};
use super::scene::Scene;
use super::teller::Teller;
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Role, Side, Square};

/// Attributes of the weak side, of the strong side's pieces, and of queen against rook.
pub(super) fn all(men: &Men) -> Vec<Attribute> {
    if men.material.is_bare(Side::Weak) {
        return Vec::new();
    }
    let kings = Side::ALL.map(|side| men.king(side));
    let mut attributes = vec![desperado(kings[1])];
    let strong = || men.pieces().filter(|man| man.side == Side::Strong);
    attributes.extend(strong().filter(|man| man.role != Role::Pawn).map(double_attack));
    let weak_rook = men.of_role(Role::Rook).find(|man| man.side == Side::Weak);
    if let (Some(rook), Some(queen)) = (weak_rook, strong().find(|man| man.role == Role::Queen)) {
        attributes.extend([third_rank(rook, kings), philidor([queen, rook], kings)]);
    }
    attributes
}

/// True if the weak king is not in check and has no move, so that its side must move another man or is
/// stalemated.
///
/// ```text
/// 3 . . . .
/// 2 . . Q .
/// 1 k . . r
///   a b c d      kDesperado = 1
/// ```
fn desperado(king: Man) -> Attribute {
    Question {
        name: format!("{king}Desperado"),
        domain: NO_OR_YES,
        meaning: format!("whether the {king:#} is not in check and has no move"),
        men: vec![king],
        value: move |scene: &Scene| {
            scene.targets().is_empty()
                && !scene.position.is_attacked(scene.weak_king(), Side::Strong)
        },
        sentence: move |tell: &Teller| {
            let stalemated = tell.verb("is", "is not");
            format!("{} {stalemated} stalemated but for its other men", tell.name(king))
        },
    }
    .attribute()
    .marking(Area::Moves, Scene::targets)
}

/// True if a piece attacks the weak king and another weak man at once.
fn double_attack(man: Man) -> Attribute {
    Question {
        name: format!("{man}DoubleAttack"),
        domain: NO_OR_YES,
        meaning: format!("whether the {man:#} attacks the weak king and another weak man at once"),
        men: vec![man],
        value: move |scene: &Scene| {
            let position = &scene.position;
            let attacks = position.attacks(man.slot, scene.at(man), position.occupied());
            attacks.has(scene.weak_king()) && (attacks & position.men_of(Side::Weak)).len() > 1
        },
        sentence: move |tell: &Teller| {
            let attacks = tell.verb("attacks", "does not attack");
            format!("{} {attacks} the king and another man at once", tell.name(man))
        },
    }
    .attribute()
    .marking(Area::Goals, move |scene| {
        let position = &scene.position;
        position.attacks(man.slot, scene.at(man), position.occupied())
    })
}

/// True if the weak rook defends on the third rank: it stands on the third line from an edge, its king
/// on the first or second, and the strong king beyond the rook.
fn third_rank(rook: Man, kings: [Man; 2]) -> Attribute {
    let [strong_king, king] = kings;
    Question {
        name: format!("{rook}ThirdRank"),
        domain: NO_OR_YES,
        meaning: format!(
            "whether the {rook:#} stands on the third line from an edge, between the {king:#} at that edge and the {strong_king:#}"
        ),
        men: vec![rook, strong_king, king],
        value: move |scene: &Scene| {
            Line::BOTH.into_iter().any(|line| {
                let at = [rook, king, strong_king].map(|man| line.of(scene.at(man)));
                [at, at.map(|place| 7 - place)]
                    .into_iter()
                    .any(|[rook, king, strong_king]| rook == 2 && king < 2 && strong_king > 2)
            })
        },
        sentence: move |tell: &Teller| {
            let defends = tell.verb("defends", "does not defend");
            format!("{} {defends} on the third rank", tell.name(rook))
        },
    }
    .attribute()
    .explained(
        "A rook *defends on the third rank* if it keeps the white king off on the third line from the edge at which its own king stands.",
    )
}

/// True in Philidor's position of queen against rook, in any orientation.
fn philidor([queen, rook]: [Man; 2], kings: [Man; 2]) -> Attribute {
    let men = [kings[0], queen, kings[1], rook];
    Question {
        name: format!("{queen}{rook}Philidor"),
        domain: NO_OR_YES,
        meaning: format!(
            "whether the kings, the {queen:#} and the {rook:#} stand as in Philidor's position"
        ),
        men: men.to_vec(),
        value: move |scene: &Scene| {
            let squares = men.map(|man| scene.at(man));
            let philidor = [Square::C6, Square::A5, Square::B8, Square::B7];
            Symmetry::ALL.iter().any(|symmetry| squares.map(|at| symmetry.apply(at)) == philidor)
        },
        sentence: move |tell: &Teller| {
            format!("it {} Philidor's position", tell.verb("is", "is not"))
        },
    }
    .attribute()
    .explained(
        "*Philidor's position*, king c6 and queen a5 against king b8 and rook b7: Black to move must let the rook go where the queen wins it.",
    )
}
