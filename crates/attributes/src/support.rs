//! The strong side's men in relation to the kings and the squares that they attack.

use super::Attribute;
use super::attribute::Question;
use super::geometry::king_steps;
use super::kings::{
    square_of_distance, steps_to_centre, sum_of_distances, sum_to_centre, towards_centre,
};
use super::man::{Man, Men, role_word};
use super::party::{Fact, Measure, Party};
use super::scene::Scene;
use super::teller::Teller;
use super::words::{FILES_AND_RANKS, KING_MOVES, SQUARES, unit};
use lucena_chess::{Role, Side};

/// Attributes of one man after another; of two equal men together.
pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let kings = Side::ALL.map(|side| men.king(side));
    let parties = Party::all(men);
    let mut attributes = Vec::new();
    for &party in &parties {
        attributes.extend(exposed(party, kings));
        for king in kings {
            attributes.push(distance_square(party, king));
            if party.single().is_none() {
                attributes.extend([steps(party, king), distance_sum(party, king)]);
            }
        }
        attributes.extend([centre_steps(party), centre_sum(party)]);
        if party.role() != Role::Pawn {
            attributes.push(mobility(party));
        }
        if let Some(twins) = party.twins() {
            attributes.extend([twin_steps(twins), twin_sum(twins)]);
        }
    }
    if !parties.is_empty() {
        let strong = men.pieces().filter(|man| man.side == Side::Strong).collect();
        attributes.push(exposes(strong, kings));
    }
    attributes
}

fn is_exposed(scene: &Scene, man: Man, [strong_king, king]: [Man; 2]) -> bool {
    let steps = |king: Man| king_steps(scene.at(king), scene.at(man));
    steps(king) < steps(strong_king)
}

/// True if the weak king needs fewer moves to a strong man than the strong king does.
///
/// ```text
/// 3 . . . .
/// 2 R . . .
/// 1 k . . K
///   a b c d      RExposed = 1, kExposes = 1
/// ```
fn exposed(party: Party, kings: [Man; 2]) -> Option<Attribute> {
    let [strong_king, king] = kings;
    Fact {
        party,
        word: "Exposed",
        meaning: format!("is nearer to the {king:#} than to the {strong_king:#}"),
        men: kings.to_vec(),
        value: move |scene: &Scene, man: Man| is_exposed(scene, man, kings),
        predicate: move |tell: &Teller| {
            let (is, king) = (tell.verb("is", "is not"), tell.name(king));
            format!("{is} nearer to {king} than to {}", tell.name(strong_king))
        },
    }
    .attribute()
}

/// The number of strong men to which the weak king needs fewer moves than the strong king, 0 to 2.
fn exposes(men: Vec<Man>, kings: [Man; 2]) -> Attribute {
    let [strong_king, king] = kings;
    let asked = men.clone();
    Question {
        name: format!("{king}Exposes"),
        domain: 0..=2,
        meaning: format!("men that are nearer to the {king:#} than to the {strong_king:#}"),
        men: men.into_iter().chain(kings).collect(),
        value: move |scene: &Scene| {
            asked.iter().filter(|&&man| is_exposed(scene, man, kings)).count() as u8
        },
        sentence: move |tell: &Teller| {
            let (king, own) = (tell.name(king), tell.name(strong_king));
            let count = tell.range.count(unit("man", "men"));
            format!("{king} is nearer than {own} to {count}")
        },
    }
    .attribute()
    .aiming(move |tell| {
        let (king, own) = (tell.name(king), tell.name(strong_king));
        let how = tell.either("few", "many");
        format!("have as {how} men as possible nearer to {king} than to {own}")
    })
}

/// The squared straight-line distance between a strong man and a king, 1 to 98.
fn distance_square(party: Party, king: Man) -> Attribute {
    Measure {
        party,
        name: [letter(king), "DistanceSquare"],
        domain: 1..=98,
        meaning: format!(
            "distance of the {king:#} and the {} in a straight line, squared",
            party.words()
        ),
        men: vec![king],
        value: move |scene: &Scene, man: Man| square_of_distance(scene.at(king), scene.at(man)),
        sentence: move |tell: &Teller, man: &str| {
            let count = tell.range.count(unit("square unit", "square units"));
            let king = tell.name(king);
            format!("the straight line between {king} and {man} is {count} long, squared")
        },
        aim: move |tell: &Teller, man: &str| {
            let (king, how) = (tell.name(king), tell.either("short", "long"));
            format!("make the straight line between {king} and {man} as {how} as possible")
        },
    }
    .attribute()
}

/// The number of moves from a king to one of two equal men, 1 to 7.
fn steps(party: Party, king: Man) -> Attribute {
    Measure {
        party,
        name: [letter(king), "Steps"],
        domain: 1..=7,
        meaning: format!("moves of a king from the {king:#} to the {}", party.words()),
        men: vec![king],
        value: move |scene: &Scene, man: Man| king_steps(scene.at(king), scene.at(man)),
        sentence: move |tell: &Teller, man: &str| {
            let count = tell.range.count(KING_MOVES);
            format!("{} and {man} are {count} apart", tell.name(king))
        },
        aim: move |tell: &Teller, man: &str| {
            let how = tell.either("near to", "far from");
            format!("have {} as {how} {man} as possible", tell.name(king))
        },
    }
    .attribute()
}

/// The number of files and ranks between a king and one of two equal men, added up, 1 to 14.
fn distance_sum(party: Party, king: Man) -> Attribute {
    Measure {
        party,
        name: [letter(king), "DistanceSum"],
        domain: 1..=14,
        meaning: format!("files and ranks between the {king:#} and the {}", party.words()),
        men: vec![king],
        value: move |scene: &Scene, man: Man| sum_of_distances(scene.at(king), scene.at(man)),
        sentence: move |tell: &Teller, man: &str| {
            let count = tell.range.count(FILES_AND_RANKS);
            format!("{} and {man} are {count} apart", tell.name(king))
        },
        aim: move |tell: &Teller, man: &str| {
            let how = tell.either("few", "many");
            let between = format!("between {} and {man}", tell.name(king));
            format!("have as {how} files and ranks as possible {between}")
        },
    }
    .attribute()
}

/// The number of king moves from a strong man to the nearest centre square, 0 to 3.
fn centre_steps(party: Party) -> Attribute {
    Measure {
        party,
        name: ["", "CentreSteps"],
        domain: 0..=3,
        meaning: format!(
            "moves of a king from the {} to the nearest of the squares d4, d5, e4 and e5",
            party.words()
        ),
        men: vec![],
        value: |scene: &Scene, man: Man| steps_to_centre(scene.at(man)),
        sentence: |tell: &Teller, man: &str| {
            format!("{man} is {} from the centre", tell.range.count(KING_MOVES))
        },
        aim: |tell: &Teller, man: &str| towards_centre(tell, man),
    }
    .attribute()
}

/// The number of files and ranks from a strong man to the nearest centre square, added up, 0 to 6.
fn centre_sum(party: Party) -> Attribute {
    Measure {
        party,
        name: ["", "CentreSum"],
        domain: 0..=6,
        meaning: format!(
            "files and ranks between the {} and the nearest of the squares d4, d5, e4 and e5",
            party.words()
        ),
        men: vec![],
        value: |scene: &Scene, man: Man| sum_to_centre(scene.at(man)),
        sentence: |tell: &Teller, man: &str| {
            format!("{man} is {} from the centre", tell.range.count(FILES_AND_RANKS))
        },
        aim: |tell: &Teller, man: &str| {
            format!("{}, files and ranks added up", towards_centre(tell, man))
        },
    }
    .attribute()
}

/// The number of squares that a strong piece attacks, 0 to 27.
fn mobility(party: Party) -> Attribute {
    Measure {
        party,
        name: ["", "Mobility"],
        domain: 0..=27,
        meaning: format!("squares that the {} attacks", party.words()),
        men: vec![],
        value: |scene: &Scene, man: Man| {
            let position = &scene.position;
            position.attacks(man.slot, scene.at(man), position.occupied()).len() as u8
        },
        sentence: |tell: &Teller, man: &str| format!("{man} attacks {}", tell.range.count(SQUARES)),
        aim: |tell: &Teller, man: &str| {
            format!("let {man} attack as {} squares as possible", tell.either("few", "many"))
        },
    }
    .attribute()
}

/// The number of king moves between two equal men, 1 to 7.
fn twin_steps([one, other]: [Man; 2]) -> Attribute {
    let letter = char::from(one.role).to_ascii_uppercase();
    let men = format!("{}s", role_word(one.role));
    let (said, aimed) = (men.clone(), men.clone());
    Question {
        name: format!("{letter}{letter}Steps"),
        domain: 1..=7,
        meaning: format!("moves of a king between the strong {men}"),
        men: vec![one, other],
        value: move |scene: &Scene| king_steps(scene.at(one), scene.at(other)),
        sentence: move |tell: &Teller| {
            format!("the {said} are {} apart", tell.range.count(KING_MOVES))
        },
    }
    .attribute()
    .aiming(move |tell| match tell.range.is_open_above() {
        false => format!("bring the {aimed} as close together as possible"),
        true => format!("keep the {aimed} as far apart as possible"),
    })
}

/// The number of files and ranks between two equal men, added up, 1 to 14.
fn twin_sum([one, other]: [Man; 2]) -> Attribute {
    let letter = char::from(one.role).to_ascii_uppercase();
    let men = format!("{}s", role_word(one.role));
    let (said, aimed) = (men.clone(), men.clone());
    Question {
        name: format!("{letter}{letter}Sum"),
        domain: 1..=14,
        meaning: format!("files and ranks between the strong {men}, added up"),
        men: vec![one, other],
        value: move |scene: &Scene| sum_of_distances(scene.at(one), scene.at(other)),
        sentence: move |tell: &Teller| {
            format!("the {said} are {} apart, added up", tell.range.count(FILES_AND_RANKS))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("few", "many");
        format!("have as {how} files and ranks as possible between the {aimed}")
    })
}

/// The letter of a king.
pub(super) fn letter(king: Man) -> &'static str {
    match king.side {
        Side::Strong => "K",
        Side::Weak => "k",
    }
}
