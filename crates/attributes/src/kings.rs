//! The kings in relation to each other, to the centre, and to the corner nearest to the weak king.

use super::Attribute;
use super::attribute::{NO_OR_YES, Question};
use super::focus::Area;
use super::geometry::{CORNERS, EDGE, apart, collect, king_steps, to_edges};
use super::man::{Man, Men};
use super::scene::Scene;
use super::teller::Teller;
use super::words::{FILES_AND_RANKS, KING_MOVES, SQUARES, unit};
use lucena_chess::{Bitboard, Side, Square};

pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let kings = Side::ALL.map(|side| men.king(side));
    let mut attributes = Opposition::ALL.map(|kind| opposition(kings, kind)).to_vec();
    attributes.extend([
        parity(kings),
        l_pattern(kings),
        distance_square(kings),
        home_corner_steps(kings),
        home_corner_sum(kings),
    ]);
    attributes.extend(kings.into_iter().flat_map(|king| [centre_steps(king), centre_sum(king)]));
    attributes
}

/// A kind of opposition, by the number of squares between the kings.
#[derive(Clone, Copy)]
enum Opposition {
    Direct,
    Distant,
    Any,
}

impl Opposition {
    const ALL: [Self; 3] = [Self::Direct, Self::Distant, Self::Any];

    /// The word in attribute names.
    fn capital(self) -> &'static str {
        match self {
            Self::Direct => "Direct",
            Self::Distant => "Distant",
            Self::Any => "Any",
        }
    }

    /// The number of squares between the kings, in words.
    fn between(self) -> &'static str {
        match self {
            Self::Direct => "one square",
            Self::Distant => "three or five squares",
            Self::Any => "an odd number of squares",
        }
    }

    fn has(self, apart: u8) -> bool {
        match self {
            Self::Direct => apart == 2,
            Self::Distant => matches!(apart, 4 | 6),
            Self::Any => matches!(apart, 2 | 4 | 6),
        }
    }
}

/// True if the kings stand on one file or rank with one square between them (direct), with three or
/// five (distant), or with any odd number.
///
/// ```text
/// 3 . K . .
/// 2 . . . .
/// 1 . k . .
///   a b c d      KkDirectOpposition = 1, KkDistantOpposition = 0, KkAnyOpposition = 1
/// ```
fn opposition([one, other]: [Man; 2], kind: Opposition) -> Attribute {
    let between = kind.between();
    Question {
        name: format!("{one}{other}{}Opposition", kind.capital()),
        domain: NO_OR_YES,
        meaning: format!("whether the kings stand on one file or rank with {between} between"),
        men: vec![one, other],
        value: move |scene: &Scene| {
            let [ranks, files] = apart(scene.at(one), scene.at(other));
            (ranks == 0 || files == 0) && kind.has(ranks.max(files))
        },
        sentence: move |tell: &Teller| {
            tell.stand(one, other, &format!("on one file or rank with {between} between"))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("do not put", "put");
        format!("{how} the kings on one file or rank with {between} between")
    })
}

/// True if the number of files and ranks between the kings, added up, is odd.
fn parity([one, other]: [Man; 2]) -> Attribute {
    Question {
        name: format!("{one}{other}Parity"),
        domain: NO_OR_YES,
        meaning: "whether the files and ranks between the kings, added up, are odd".into(),
        men: vec![one, other],
        value: move |scene: &Scene| {
            let [ranks, files] = apart(scene.at(one), scene.at(other));
            (ranks + files) % 2 == 1
        },
        sentence: move |tell: &Teller| {
            let number = tell.verb("odd", "even");
            format!("the kings are an {number} number of files and ranks apart, added up")
        },
    }
    .attribute()
    .aiming(move |tell| {
        let number = tell.either("even", "odd");
        format!("have the kings an {number} number of files and ranks apart, added up")
    })
}

/// True if the kings stand a knight's move apart with the weak king on the edge.
fn l_pattern([one, other]: [Man; 2]) -> Attribute {
    Question {
        name: format!("{one}{other}LPattern"),
        domain: NO_OR_YES,
        meaning: format!(
            "whether the kings stand a knight's move apart, the {other:#} on the edge"
        ),
        men: vec![one, other],
        value: move |scene: &Scene| {
            let is_knights_move = matches!(apart(scene.at(one), scene.at(other)), [1, 2] | [2, 1]);
            is_knights_move && EDGE.has(scene.at(other))
        },
        sentence: move |tell: &Teller| {
            let place = format!("a knight's move apart with {} on the edge", tell.name(other));
            tell.stand(one, other, &place)
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("do not put", "put");
        format!("{how} the kings a knight's move apart with {} on the edge", tell.name(other))
    })
}

/// The squared straight-line distance between the kings, 4 to 98.
fn distance_square([one, other]: [Man; 2]) -> Attribute {
    Question {
        name: format!("{one}{other}DistanceSquare"),
        domain: 1..=98,
        meaning: "distance of the kings in a straight line, squared".into(),
        men: vec![one, other],
        value: move |scene: &Scene| square_of_distance(scene.at(one), scene.at(other)),
        sentence: move |tell: &Teller| {
            let count = tell.range.count(unit("square unit", "square units"));
            format!("the straight line between the kings is {count} long, squared")
        },
    }
    .attribute()
    .aiming(move |tell| match tell.range.is_open_above() {
        false => "bring the kings as close together in a straight line as possible".into(),
        true => "keep the kings as far apart in a straight line as possible".into(),
    })
}

/// The number of moves from the strong king to the corner nearest to the weak king (the nearest one of
/// several), 0 to 7.
fn home_corner_steps([strong_king, king]: [Man; 2]) -> Attribute {
    Question {
        name: format!("{strong_king}HomeCornerSteps"),
        domain: 0..=7,
        meaning: format!(
            "moves of the {strong_king:#} to the corner that is nearest to the {king:#}"
        ),
        men: vec![strong_king, king],
        value: move |scene: &Scene| {
            let from = scene.at(strong_king);
            least(home_corners(scene.at(king)), |corner| king_steps(from, corner))
        },
        sentence: move |tell: &Teller| {
            let corner = format!("corner that is nearest to {}", tell.name(king));
            let (there, place) = (format!("in the {corner}"), format!("the {corner}"));
            tell.steps_to(strong_king, &there, KING_MOVES, &place)
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("near to", "far from");
        let corner = format!("the corner nearest to {}", tell.name(king));
        format!("have {} as {how} {corner} as possible", tell.name(strong_king))
    })
    .marking(Area::Corners, move |scene| home_corners(scene.at(king)))
}

/// The number of files and ranks from the strong king to the corner nearest to the weak king (the
/// nearest one of several), added up, 0 to 14.
fn home_corner_sum([strong_king, king]: [Man; 2]) -> Attribute {
    Question {
        name: format!("{strong_king}HomeCornerSum"),
        domain: 0..=14,
        meaning: format!(
            "files and ranks, added up, between the {strong_king:#} and the corner that is nearest to the {king:#}"
        ),
        men: vec![strong_king, king],
        value: move |scene: &Scene| {
            let from = scene.at(strong_king);
            least(home_corners(scene.at(king)), |corner| sum_of_distances(from, corner))
        },
        sentence: move |tell: &Teller| {
            let corner = format!("the corner that is nearest to {}", tell.name(king));
            let count = tell.range.count(FILES_AND_RANKS);
            format!("{} is {count}, added up, from {corner}", tell.name(strong_king))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("near to", "far from");
        let corner = format!("the corner nearest to {}", tell.name(king));
        let king = tell.name(strong_king);
        format!("have {king} as {how} {corner} as possible, files and ranks added up")
    })
    .marking(Area::Corners, move |scene| home_corners(scene.at(king)))
}

/// The number of moves from a king to the nearest of the four centre squares, 0 to 3.
fn centre_steps(king: Man) -> Attribute {
    Question {
        name: format!("{king}CentreSteps"),
        domain: 0..=3,
        meaning: format!("moves of the {king:#} to the nearest of the squares d4, d5, e4 and e5"),
        men: vec![king],
        value: move |scene: &Scene| steps_to_centre(scene.at(king)),
        sentence: move |tell: &Teller| tell.steps_to(king, "in the centre", SQUARES, "the centre"),
    }
    .attribute()
    .aiming(move |tell| towards_centre(tell, tell.name(king)))
}

/// The number of files and ranks from a king to the nearest of the four centre squares, added up, 0 to
/// 6.
fn centre_sum(king: Man) -> Attribute {
    Question {
        name: format!("{king}CentreSum"),
        domain: 0..=6,
        meaning: format!(
            "files and ranks, added up, between the {king:#} and the nearest of the squares d4, d5, e4 and e5"
        ),
        men: vec![king],
        value: move |scene: &Scene| sum_to_centre(scene.at(king)),
        sentence: move |tell: &Teller| {
            let count = tell.range.count(FILES_AND_RANKS);
            format!("{} is {count}, added up, from the centre", tell.name(king))
        },
    }
    .attribute()
    .aiming(move |tell| {
        format!("{}, files and ranks added up", towards_centre(tell, tell.name(king)))
    })
}

/// The aim to have a man near the centre or far from it.
pub(super) fn towards_centre(tell: &Teller, name: &str) -> String {
    format!("have {name} as {} the centre as possible", tell.either("near to", "far from"))
}

/// The number of king moves from a square to the centre.
pub(super) fn steps_to_centre(square: Square) -> u8 {
    let [ranks, files] = to_edges(square);
    3 - ranks.min(files)
}

/// The number of files and ranks from a square to the centre.
pub(super) fn sum_to_centre(square: Square) -> u8 {
    let [ranks, files] = to_edges(square);
    6 - ranks - files
}

/// The squared straight-line distance between two squares.
pub(super) fn square_of_distance(one: Square, other: Square) -> u8 {
    apart(one, other).iter().map(|far| far * far).sum()
}

/// The number of files and ranks between two squares.
pub(super) fn sum_of_distances(one: Square, other: Square) -> u8 {
    apart(one, other).iter().sum()
}

/// The corners nearest to a king.
fn home_corners(king: Square) -> Bitboard {
    nearest(king, CORNERS)
}

/// The squares nearest to a king, in king moves.
pub(super) fn nearest(king: Square, places: Bitboard) -> Bitboard {
    let steps = least(places, |place| king_steps(king, place));
    let is_near = |place: &Square| king_steps(king, *place) == steps;
    collect(places.into_iter().filter(is_near))
}

/// The least value over some squares.
pub(super) fn least(places: Bitboard, number: impl Fn(Square) -> u8) -> u8 {
    places.into_iter().map(number).min().expect("there is a place")
}
