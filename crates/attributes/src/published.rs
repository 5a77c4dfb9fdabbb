//! The thirty attributes of the published study, generalised to other materials.
//!
//! Names and values are fixed. **`File` in the name of a distance means measured along the file**:
//! `KRDistanceFile` counts the ranks from king to rook, and `KRDistanceRank` the files. Only distances
//! are named this way: in `KFile` and `KRFile`, `File` is the file itself.

use super::Attribute;
use super::attribute::{NO_OR_YES, Question};
use super::focus::Area;
use super::geometry::{CORNERS, EDGE, Line, apart};
use super::man::{Man, Men};
use super::scene::Scene;
use super::teller::Teller;
use super::words::{Range, SQUARES, SQUARES_APART};
use lucena_chess::Side;

/// The location of each man.
pub(super) fn locations(men: &Men) -> Vec<Attribute> {
    let both = |man| [Line::File, Line::Rank].map(|line| location(man, line));
    men.written().flat_map(both).collect()
}

/// Edges, lines, distances, the state of the weak king.
pub(super) fn geometric(men: &Men) -> Vec<Attribute> {
    let [strong_king, weak_king] = Side::ALL.map(|side| men.king(side));
    let from_edges = men.written().flat_map(|man| Line::BOTH.map(|line| edge_distance(man, line)));
    let on_lines = men
        .pairs()
        .flat_map(|(one, other)| [Line::File, Line::Rank].map(|line| same_line(one, other, line)));
    let distances =
        men.pairs().flat_map(|(one, other)| Line::BOTH.map(|line| distance(one, other, line)));
    let kings = [
        facing_distance(strong_king, weak_king),
        on_edge(weak_king),
        in_corner(weak_king),
        in_check(weak_king),
        can_move(weak_king),
    ];
    let on_edges = men.pieces().map(on_edge);
    from_edges.chain(on_lines).chain(distances).chain(kings).chain(on_edges).collect()
}

/// The study's word for counting ranks (`File`) or files (`Rank`).
fn measured_along(counted: Line) -> &'static str {
    match counted {
        Line::Rank => "File",
        Line::File => "Rank",
    }
}

/// The file (a to h) or rank (1 to 8) of a man.
///
/// ```text
/// 3 R . . .
/// 2 . . . .
/// 1 k . K .
///   a b c d      KFile = c, KRank = 1, RFile = a, RRank = 3
/// ```
fn location(man: Man, line: Line) -> Attribute {
    let attribute = Question {
        name: format!("{man}{}", line.capital()),
        domain: 1..=8,
        meaning: match line {
            Line::File => format!("file of the {man:#}, a is 1"),
            Line::Rank => format!("rank of the {man:#}"),
        },
        men: vec![man],
        value: move |scene: &Scene| line.of(scene.at(man)) + 1,
        sentence: move |tell: &Teller| tell.stands_on(man, tell.view.read(line)),
    }
    .attribute();
    match line {
        Line::File => attribute.shown(|value| match value {
            1..=8 => char::from(b'a' + value - 1).to_string(),
            _ => value.to_string(),
        }),
        Line::Rank => attribute,
    }
}

/// The distance of a man along the file from the nearer of the bottom and top edges, or along the rank
/// from the nearer of the left and right edges, 0 to 3.
fn edge_distance(man: Man, counted: Line) -> Attribute {
    let edges = |line| match line {
        Line::Rank => ["bottom", "top"],
        Line::File => ["left", "right"],
    };
    let [one, other] = edges(counted);
    Question {
        name: format!("{man}MinDistance{}", measured_along(counted)),
        domain: 0..=3,
        meaning: format!("squares from the {man:#} to the nearer of the {one} and {other} edges"),
        men: vec![man],
        value: move |scene: &Scene| {
            let place = counted.of(scene.at(man));
            place.min(7 - place)
        },
        sentence: move |tell: &Teller| {
            let [one, other] = edges(tell.view.read(counted).line);
            let (name, range) = (tell.name(man), tell.range);
            let count = range.count(SQUARES);
            if range.is(0) {
                format!("{name} stands on the {one} or {other} edge")
            } else if range.is_from(1) {
                format!("{name} stands neither on the {one} nor on the {other} edge")
            } else if range.is_open_above() && range.from < range.to {
                format!("{name} is {count} from both the {one} and the {other} edge")
            } else {
                format!("{name} is {count} from the {one} or {other} edge, whichever is nearer")
            }
        },
    }
    .attribute()
}

/// True if two men stand on the same file, or on the same rank.
fn same_line(one: Man, other: Man, line: Line) -> Attribute {
    Question {
        name: format!("{one}{other}{}", line.capital()),
        domain: NO_OR_YES,
        meaning: format!("whether the {one:#} and the {other:#} stand on one {}", line.word()),
        men: vec![one, other],
        value: move |scene: &Scene| line.of(scene.at(one)) == line.of(scene.at(other)),
        sentence: move |tell: &Teller| {
            let line = tell.view.read(line).line.word();
            tell.stand(one, other, &format!("on the same {line}"))
        },
    }
    .attribute()
}

/// The distance between two men along the file (the difference of their ranks) or along the rank (the
/// difference of their files), 0 to 7.
fn distance(one: Man, other: Man, counted: Line) -> Attribute {
    let along = measured_along(counted);
    Question {
        name: format!("{one}{other}Distance{along}"),
        domain: 0..=7,
        meaning: format!(
            "{} between the {one:#} and the {other:#}, measured along the {}",
            counted.unit().many,
            along.to_lowercase()
        ),
        men: vec![one, other],
        value: move |scene: &Scene| counted.of(scene.at(one)).abs_diff(counted.of(scene.at(other))),
        sentence: move |tell: &Teller| {
            let men = tell.both(one, other);
            let line = tell.view.read(counted).line;
            match tell.range {
                range if range.is(0) => format!("{men} stand on the same {}", line.word()),
                range if range.is_from(1) => {
                    format!("{men} do not stand on the same {}", line.word())
                }
                range => format!("{men} stand {} apart", range.count(line.unit())),
            }
        },
    }
    .attribute()
}

/// The distance between the kings if they face each other on a file or rank, else 0.
fn facing_distance(one: Man, other: Man) -> Attribute {
    Question {
        name: format!("{one}{other}OppositionDistance"),
        domain: 0..=7,
        meaning: format!(
            "squares from the {one:#} to the {other:#} if they face each other on a file or rank, else 0"
        ),
        men: vec![one, other],
        value: move |scene: &Scene| match apart(scene.at(one), scene.at(other)) {
            [0, distance] | [distance, 0] => distance,
            _ => 0,
        },
        // Kings on one line are at least two squares apart.
        sentence: move |tell: &Teller| {
            let (men, range) = (tell.both(one, other), tell.range);
            let face = format!("{men} face each other on a file or rank");
            let not = format!("{men} do not face each other on a file or rank");
            match (range.from, range.to) {
                (_, 0 | 1) => not,
                (0, to) => format!("{not}, or at most {}", SQUARES_APART.count(to)),
                (1 | 2, _) if range.is_open_above() => face,
                (from, _) => {
                    let range = Range { from: from.max(2), low: 2, ..range };
                    format!("{face}, {} apart", range.count(SQUARES))
                }
            }
        },
    }
    .attribute()
}

/// True if a man stands on the edge of the board.
fn on_edge(man: Man) -> Attribute {
    Question {
        name: format!("{man}OnEdge"),
        domain: NO_OR_YES,
        meaning: format!("whether the {man:#} stands on the edge"),
        men: vec![man],
        value: move |scene: &Scene| EDGE.has(scene.at(man)),
        sentence: move |tell: &Teller| tell.stands(man, "on the edge"),
    }
    .attribute()
}

/// True if a man stands in a corner.
fn in_corner(man: Man) -> Attribute {
    Question {
        name: format!("{man}InCorner"),
        domain: NO_OR_YES,
        meaning: format!("whether the {man:#} stands in a corner"),
        men: vec![man],
        value: move |scene: &Scene| CORNERS.has(scene.at(man)),
        sentence: move |tell: &Teller| tell.stands(man, "in a corner"),
    }
    .attribute()
}

/// True if the weak king is attacked.
fn in_check(king: Man) -> Attribute {
    Question {
        name: format!("{king}InCheck"),
        domain: NO_OR_YES,
        meaning: format!("whether the {king:#} is in check"),
        men: vec![king],
        value: move |scene: &Scene| scene.position.is_attacked(scene.at(king), !king.side),
        sentence: move |tell: &Teller| tell.is(king, "in check"),
    }
    .attribute()
}

/// True if the weak king would have a legal move, captures included, if it were its turn.
fn can_move(king: Man) -> Attribute {
    Question {
        name: format!("{king}CanMove"),
        domain: NO_OR_YES,
        meaning: format!("whether the {king:#} could move if it were its turn"),
        men: vec![king],
        value: move |scene: &Scene| !scene.targets().is_empty(),
        sentence: move |tell: &Teller| {
            format!("{} {}", tell.name(king), tell.verb("can move", "cannot move"))
        },
    }
    .attribute()
    .marking(Area::Moves, Scene::targets)
}
