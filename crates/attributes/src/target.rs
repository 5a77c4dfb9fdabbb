//! A bishop's target corner (of the two of its colour, the one nearest to the weak king), and driving
//! the king there with bishop and knight.

use super::Attribute;
use super::attribute::{NO_OR_YES, Question};
use super::focus::Area;
use super::geometry::{
    CORNERS, Line, collect, corners_of_color, king_steps, knight_steps, to_edges,
};
use super::kings::{least, nearest, sum_of_distances};
use super::man::{Man, Men};
use super::net::cage_of;
use super::reach::reachable_by_king;
use super::scene::Scene;
use super::teller::Teller;
use super::words::{FILES_AND_RANKS, KING_MOVES, KNIGHT_MOVES, SQUARES, Unit};
use cozy_chess::get_king_moves;
use lucena_chess::{Bitboard, Role, Side, Square};

/// Attributes for one strong bishop, with more if there is a knight too.
pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let [strong_king, king] = Side::ALL.map(|side| men.king(side));
    let strong = |role| men.of_role(role).filter(|man| man.side == Side::Strong);
    let bishops: Vec<Man> = strong(Role::Bishop).collect();
    let &[bishop] = bishops.as_slice() else { return Vec::new() };
    let mut attributes = vec![
        distance(strong_king, king, bishop, Measured::Steps),
        distance(strong_king, king, bishop, Measured::Sum),
        distance(king, king, bishop, Measured::Sum),
        support(strong_king, king, bishop),
    ];
    if let Some(knight) = strong(Role::Knight).next() {
        let of_knight = [Measured::Steps, Measured::Sum, Measured::Jumps];
        attributes.extend(of_knight.map(|measured| distance(knight, king, bishop, measured)));
        attributes.extend([
            screened(king, bishop, true),
            screened(king, bishop, false),
            triangle(king, bishop),
            hypotenuse(king, bishop),
            w_square(king, bishop, knight),
            wrong_room(king, bishop, Reach::Room),
            wrong_room(king, bishop, Reach::Cage),
        ]);
    }
    attributes
}

/// The corners of a bishop's colour that are nearest to the weak king.
fn targets(scene: &Scene, bishop: Man) -> Bitboard {
    nearest(scene.weak_king(), corners_of_color(scene.at(bishop)))
}

/// The way a distance is counted.
#[derive(Clone, Copy)]
enum Measured {
    Steps,
    Sum,
    Jumps,
}

impl Measured {
    /// The word in attribute names.
    fn capital(self) -> &'static str {
        match self {
            Self::Steps => "Steps",
            Self::Sum => "Sum",
            Self::Jumps => "Jumps",
        }
    }

    fn unit(self) -> Unit {
        match self {
            Self::Steps => KING_MOVES,
            Self::Sum => FILES_AND_RANKS,
            Self::Jumps => KNIGHT_MOVES,
        }
    }

    fn greatest(self) -> u8 {
        match self {
            Self::Steps => 7,
            Self::Sum => 14,
            Self::Jumps => 6,
        }
    }

    fn between(self, one: Square, other: Square) -> u8 {
        match self {
            Self::Steps => king_steps(one, other),
            Self::Sum => sum_of_distances(one, other),
            Self::Jumps => knight_steps(one, other),
        }
    }
}

/// The distance of a man from the target corner, or the nearer one of two: in king moves (`Steps`), in
/// files and ranks (`Sum`), or in knight moves (`Jumps`).
///
/// ```text
/// 3 . k . N
/// 2 . . . .
/// 1 . . B K
///   a b c d      KTargetSteps = 3, KTargetSum = 3, kTargetSum = 3, NTargetSum = 5, NTargetJumps = 3
/// ```
fn distance(man: Man, king: Man, bishop: Man, measured: Measured) -> Attribute {
    Question {
        name: format!("{man}Target{}", measured.capital()),
        domain: 0..=measured.greatest(),
        meaning: format!(
            "{} from the {man:#} to the corner of the colour of the {bishop:#} that is nearest to the {king:#}",
            measured.unit().many
        ),
        men: vec![man, king, bishop],
        value: move |scene: &Scene| {
            least(targets(scene, bishop), |corner| measured.between(scene.at(man), corner))
        },
        sentence: move |tell: &Teller| {
            let count = tell.range.count(measured.unit());
            format!("{} is {count} from the target corner", tell.name(man))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("few", "many");
        let unit = measured.unit().many;
        format!("have as {how} {unit} as possible between {} and the target corner", tell.name(man))
    })
    .marking(Area::Corners, move |scene| targets(scene, bishop))
    .explained(TARGET)
}

/// True if the strong king stands a knight's move from the target corner, where it takes the last
/// squares.
fn support(strong_king: Man, king: Man, bishop: Man) -> Attribute {
    Question {
        name: format!("{strong_king}TargetSupport"),
        domain: NO_OR_YES,
        meaning: format!(
            "whether the {strong_king:#} stands a knight's move from the corner of the colour of the {bishop:#} that is nearest to the {king:#}"
        ),
        men: vec![strong_king, king, bishop],
        value: move |scene: &Scene| {
            let from = scene.at(strong_king);
            least(targets(scene, bishop), |corner| knight_steps(from, corner).abs_diff(1)) == 0
        },
        sentence: move |tell: &Teller| {
            tell.stands(strong_king, "a knight's move from the target corner")
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("do not put", "put");
        format!("{how} {} a knight's move from the target corner", tell.name(strong_king))
    })
    .marking(Area::Corners, move |scene| targets(scene, bishop))
    .explained(TARGET)
}

/// The number of covered (or, if not `is_covered`, open) squares next to the weak king that are nearer
/// to a wrong corner than the king is, counted in files and ranks, 0 to 8.
fn screened(king: Man, bishop: Man, is_covered: bool) -> Attribute {
    let (word, covered) =
        if is_covered { ("Screened", "covers") } else { ("Unscreened", "leaves open") };
    let squares = move |scene: &Scene| {
        let home = scene.weak_king();
        let wrong = CORNERS & !corners_of_color(scene.at(bishop));
        let far = |from: Square| least(wrong, |corner| sum_of_distances(from, corner));
        let near = collect(get_king_moves(home).into_iter().filter(|&at| far(at) < far(home)));
        let danger = scene.position.danger(Side::Weak);
        if is_covered { near & danger } else { near & !danger }
    };
    Question {
        name: format!("{king}{word}"),
        domain: 0..=8,
        meaning: format!(
            "squares beside the {king:#} towards a corner that is not of the colour of the {bishop:#} that the strong side {covered}"
        ),
        men: vec![king, bishop],
        value: move |scene: &Scene| squares(scene).len() as u8,
        sentence: move |tell: &Teller| {
            let are = if is_covered { "are covered" } else { "are open" };
            let count = tell.range.count(SQUARES);
            format!("{count} beside {} towards the wrong corner {are}", tell.name(king))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("few", "many");
        let what = if is_covered { "cover" } else { "leave open" };
        let beside = format!("squares beside {} as possible", tell.name(king));
        format!("{what} as {how} {beside} towards the wrong corner")
    })
    .marking(Area::Moves, squares)
    .explained(TARGET)
}

/// The distances from the corner, in files and ranks, of the hypotenuses of the large, medium and small
/// triangle.
const HYPOTENUSES: [u8; 3] = [6, 4, 2];

/// The number of the smallest triangle around the weak king that satisfies a condition, 0 for none. The
/// triangle's corner is of the bishop's colour.
fn smallest(scene: &Scene, bishop: Man, is_asked: impl Fn(Square, u8) -> bool) -> u8 {
    let king = scene.weak_king();
    let mut found = 0;
    for corner in corners_of_color(scene.at(bishop)) {
        for (number, far) in (1..).zip(HYPOTENUSES) {
            if sum_of_distances(king, corner) < far && is_asked(corner, far) {
                found = found.max(number);
            }
        }
    }
    found
}

/// "the large triangle or the medium one".
fn triangles(tell: &Teller) -> String {
    let words = ["no triangle", "the large triangle", "the medium triangle", "the small triangle"];
    let asked: Vec<&str> = (tell.range.from..=tell.range.to).map(|at| words[at as usize]).collect();
    asked.join(" or ")
}

/// The smallest of Delétang's triangles around the weak king: 0 none, 1 large, 2 medium, 3 small.
fn triangle(king: Man, bishop: Man) -> Attribute {
    Question {
        name: format!("{king}Triangle"),
        domain: 0..=3,
        meaning: format!(
            "smallest triangle in which the {king:#} stands at a corner of the colour of the {bishop:#}: 1 large, 2 medium, 3 small, 0 none"
        ),
        men: vec![king, bishop],
        value: move |scene: &Scene| smallest(scene, bishop, |_, _| true),
        sentence: move |tell: &Teller| {
            format!("{} stands in {}", tell.name(king), triangles(tell))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let size = tell.either("large", "small");
        format!("have {} in as {size} a triangle as possible", tell.name(king))
    })
    .explained(TRIANGLE)
}

/// The smallest of Delétang's triangles around the weak king with the bishop on its hypotenuse: 0 none,
/// 1 large, 2 medium, 3 small.
fn hypotenuse(king: Man, bishop: Man) -> Attribute {
    Question {
        name: format!("{bishop}Triangle"),
        domain: 0..=3,
        meaning: format!(
            "smallest triangle around the {king:#} with the {bishop:#} on its hypotenuse: 1 large, 2 medium, 3 small, 0 none"
        ),
        men: vec![king, bishop],
        value: move |scene: &Scene| {
            let at = scene.at(bishop);
            smallest(scene, bishop, |corner, far| sum_of_distances(at, corner) == far)
        },
        sentence: move |tell: &Teller| {
            format!("{} shuts {} in {}", tell.name(bishop), tell.name(king), triangles(tell))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let size = tell.either("large", "small");
        let (bishop, king) = (tell.name(bishop), tell.name(king));
        format!("shut {king} with {bishop} in as {size} a triangle as possible")
    })
    .explained(TRIANGLE)
}

/// The squares of the W: distance from the target corner along the edge, and distance from the edge.
const W: [[u8; 2]; 5] = [[5, 1], [4, 3], [3, 1], [2, 3], [1, 1]];

/// The number of squares that the knight has advanced on the W along the edge nearest to the weak king:
/// from 1, five files or ranks from a corner of the bishop's colour, to 5, next to that corner; 0 if
/// the knight is not on the W.
fn w_square(king: Man, bishop: Man, knight: Man) -> Attribute {
    Question {
        name: format!("{knight}WSquare"),
        domain: 0..=5,
        meaning: format!(
            "squares that the {knight:#} has come along the W towards a corner of the colour of the {bishop:#}, 0 if it is not on the W"
        ),
        men: vec![knight, king, bishop],
        value: move |scene: &Scene| {
            let (home, at) = (scene.weak_king(), scene.at(knight));
            let from_edges = to_edges(home);
            let nearest = from_edges[0].min(from_edges[1]);
            let mut come = 0;
            for corner in corners_of_color(scene.at(bishop)) {
                for (along, across) in [(Line::File, Line::Rank), (Line::Rank, Line::File)] {
                    let far = |line: Line, from: Square| line.of(from).abs_diff(line.of(corner));
                    if far(across, home) != nearest {
                        continue;
                    }
                    let stands = [far(along, at), far(across, at)];
                    let number = W.iter().position(|square| *square == stands);
                    come = come.max(number.map_or(0, |number| number as u8 + 1));
                }
            }
            come
        },
        sentence: move |tell: &Teller| {
            let count = tell.range.count(SQUARES);
            format!("{} has come {count} along the W", tell.name(knight))
        },
    }
    .attribute()
    .aiming(move |tell| match tell.range.is_open_above() {
        false => format!("keep {} off the W, or at its beginning", tell.name(knight)),
        true => format!("lead {} along the W towards the target corner", tell.name(knight)),
    })
    .explained(
        "The *W* is the way of the knight that drives the black king along the edge to a corner of the bishop's colour: towards a8 by f7, e5, d7, c5 and b7.",
    )
}

/// A set of squares that the weak king could reach.
#[derive(Clone, Copy)]
enum Reach {
    Room,
    Cage,
}

/// The number of squares of the weak king's room or cage that are nearer to a wrong corner than to a
/// right one, counted in files and ranks, 0 to 63.
fn wrong_room(king: Man, bishop: Man, reach: Reach) -> Attribute {
    let word = match reach {
        Reach::Room => "Room",
        Reach::Cage => "Cage",
    };
    let squares = move |scene: &Scene| {
        let reached = match reach {
            Reach::Room => reachable_by_king(scene),
            Reach::Cage => cage_of(scene),
        };
        let right = corners_of_color(scene.at(bishop));
        let far = |from: Square, places| least(places, |corner| sum_of_distances(from, corner));
        let is_wrong = |at: &Square| far(*at, CORNERS & !right) < far(*at, right);
        collect(reached.into_iter().filter(is_wrong))
    };
    let what = word.to_ascii_lowercase();
    let (said, aimed) = (what.clone(), what.clone());
    Question {
        name: format!("{king}Wrong{word}"),
        domain: 0..=63,
        meaning: format!(
            "squares of the {what} of the {king:#} that are nearer to a corner that is not of the colour of the {bishop:#} than to one that is"
        ),
        men: vec![king, bishop],
        value: move |scene: &Scene| squares(scene).len() as u8,
        sentence: move |tell: &Teller| {
            let count = tell.range.count(SQUARES);
            format!("the {said} of {} has {count} towards the wrong corners", tell.name(king))
        },
    }
    .attribute()
    .aiming(move |tell| {
        let how = tell.either("little", "much");
        format!("leave {} as {how} {aimed} towards the wrong corners as possible", tell.name(king))
    })
    .marking(Area::Room, squares)
    .explained(TARGET)
}

const TARGET: &str = "The *target corner* is the corner of the bishop's colour that is nearest to the black king. The bishop can mate there; the other two corners are wrong ones.";

const TRIANGLE: &str = "*Delétang's triangles* have their right angle in a corner of the bishop's colour, and a diagonal of that colour as hypotenuse: the large one b1 to h7, the medium one d1 to h5, the small one f1 to h3.";
