//! Distances between men and from the edge, as a player counts them.

use super::Attribute;
use super::attribute::{NO_OR_YES, Question};
use super::geometry::{apart, king_steps, to_edges};
use super::man::{Man, Men};
use super::scene::Scene;
use super::teller::Teller;
use super::words::{FILES_AND_RANKS, FILES_OR_RANKS, KING_MOVES, SQUARES};

/// Attributes of every pair of men, then of every man.
pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let between = men.pairs().flat_map(|(one, other)| {
        [
            steps(one, other),
            distance_sum(one, other),
            distance_less(one, other),
            knight_apart(one, other),
        ]
    });
    let from_edge = men.all().iter().flat_map(|&man| [edge_steps(man), corner_steps(man)]);
    between.chain(from_edge).collect()
}

/// The number of king moves between two men, 1 to 7.
///
/// ```text
/// 3 R . . .
/// 2 . . . .
/// 1 k . K .
///   a b c d      KkSteps = 2, KRSteps = 2, kRSteps = 2
/// ```
fn steps(one: Man, other: Man) -> Attribute {
    Question {
        name: format!("{one}{other}Steps"),
        domain: 1..=7,
        meaning: format!("moves of a king from the {one:#} to the {other:#}"),
        men: vec![one, other],
        value: move |scene: &Scene| king_steps(scene.at(one), scene.at(other)),
        sentence: move |tell: &Teller| {
            let men = tell.both(one, other);
            match tell.range {
                range if range.is(1) => format!("{men} stand next to each other"),
                range if range.is_from(2) => format!("{men} do not stand next to each other"),
                range => format!("{men} are {} apart", range.count(KING_MOVES)),
            }
        },
    }
    .attribute()
    .aiming(move |tell| {
        let men = tell.both(one, other);
        match tell.range.is_open_above() {
            false => format!("bring {men} as close together as possible"),
            true => format!("keep {men} as far apart as possible"),
        }
    })
}

/// The number of files and ranks between two men, added up, 1 to 14.
fn distance_sum(one: Man, other: Man) -> Attribute {
    Question {
        name: format!("{one}{other}DistanceSum"),
        domain: 1..=14,
        meaning: format!("files and ranks between the {one:#} and the {other:#}, added up"),
        men: vec![one, other],
        value: move |scene: &Scene| apart(scene.at(one), scene.at(other)).iter().sum::<u8>(),
        sentence: move |tell: &Teller| {
            let (men, count) = (tell.both(one, other), tell.range.count(FILES_AND_RANKS));
            format!("{men} are {count} apart, added up")
        },
    }
    .attribute()
    .aiming(move |tell| {
        let men = tell.both(one, other);
        match tell.range.is_open_above() {
            false => format!("bring {men} as near as possible, files and ranks added up"),
            true => format!("keep {men} as far apart as possible, files and ranks added up"),
        }
    })
}

/// The number of files or ranks, whichever is less, between two men: their distance from a common line,
/// 0 to 7.
fn distance_less(one: Man, other: Man) -> Attribute {
    Question {
        name: format!("{one}{other}DistanceLess"),
        domain: 0..=7,
        meaning: format!(
            "files or ranks between the {one:#} and the {other:#}, whichever are fewer"
        ),
        men: vec![one, other],
        value: move |scene: &Scene| {
            let [ranks, files] = apart(scene.at(one), scene.at(other));
            ranks.min(files)
        },
        sentence: move |tell: &Teller| {
            let men = tell.both(one, other);
            match tell.range {
                range if range.is(0) => format!("{men} stand on one file or rank"),
                range if range.is_from(1) => format!("{men} do not stand on one file or rank"),
                range => format!("{men} are {} off a common line", range.count(FILES_OR_RANKS)),
            }
        },
    }
    .attribute()
    .aiming(move |tell| {
        let men = tell.both(one, other);
        match tell.range.is_open_above() {
            false => format!("bring {men} as near to a common file or rank as possible"),
            true => format!("keep {men} as far from a common file or rank as possible"),
        }
    })
}

/// True if two men stand a knight's move apart.
fn knight_apart(one: Man, other: Man) -> Attribute {
    Question {
        name: format!("{one}{other}Knight"),
        domain: NO_OR_YES,
        meaning: format!("whether the {one:#} and the {other:#} stand a knight's move apart"),
        men: vec![one, other],
        value: move |scene: &Scene| {
            matches!(apart(scene.at(one), scene.at(other)), [1, 2] | [2, 1])
        },
        sentence: move |tell: &Teller| tell.stand(one, other, "a knight's move apart"),
    }
    .attribute()
}

/// The number of squares from a man to the nearest edge, 0 to 3.
fn edge_steps(man: Man) -> Attribute {
    Question {
        name: format!("{man}EdgeSteps"),
        domain: 0..=3,
        meaning: format!("squares from the {man:#} to the nearest edge"),
        men: vec![man],
        value: move |scene: &Scene| {
            let [ranks, files] = to_edges(scene.at(man));
            ranks.min(files)
        },
        sentence: move |tell: &Teller| {
            tell.steps_to(man, "on the edge", SQUARES, "the nearest edge")
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("near to", "far from");
        format!("have {} as {how} the edge as possible", tell.name(man))
    })
}

/// The number of king moves from a man's square to the nearest corner, 0 to 3.
fn corner_steps(man: Man) -> Attribute {
    Question {
        name: format!("{man}CornerSteps"),
        domain: 0..=3,
        meaning: format!("moves of a king from the {man:#} to the nearest corner"),
        men: vec![man],
        value: move |scene: &Scene| {
            let [ranks, files] = to_edges(scene.at(man));
            ranks.max(files)
        },
        sentence: move |tell: &Teller| {
            tell.steps_to(man, "in a corner", KING_MOVES, "the nearest corner")
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("near to", "far from");
        format!("have {} as {how} a corner as possible", tell.name(man))
    })
}
