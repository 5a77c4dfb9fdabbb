//! Pieces of the strong side that confine the weak king: their own safety, the box in which a rook or
//! queen holds the king, and the lines that cut the kings off from each other.
//!
//! The box is the area on the king's side of the file and the rank of a rook or queen. A line on which
//! the king itself stands cuts nothing off.

use super::Attribute;
use super::attribute::{NO_OR_YES, Question};
use super::contact::{guarded, hangs};
use super::focus::Area;
use super::geometry::{Line, collect};
use super::man::{Man, Men};
use super::scene::Scene;
use super::teller::Teller;
use super::words::{FILES_AND_RANKS, MOVES, SQUARES};
use lucena_chess::{Bitboard, Role, Side, Square};
use std::cmp::Ordering;

/// All attributes of this family, one strong piece after another.
pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let king = men.king(Side::Strong);
    let mut attributes = Vec::new();
    for piece in men.pieces().filter(|man| man.side == Side::Strong) {
        attributes.extend([hangs(piece, men.king(Side::Weak)), guarded(piece)]);
        if matches!(piece.role, Role::Rook | Role::Queen) {
            attributes.extend(Line::BOTH.map(|line| box_side(piece, line)));
            attributes.extend([
                box_size(piece),
                box_sides(piece),
                shorter_box_side(piece),
                box_steps(piece, king),
            ]);
            let kings = Side::ALL.map(|side| men.king(side));
            attributes.extend(Line::BOTH.map(|line| cuts(piece, kings, line)));
        }
    }
    attributes
}

/// Adds the marked squares and the glossary entry that all attributes of a box share.
fn about_box(piece: Man, attribute: Attribute) -> Attribute {
    let squares = move |scene: &Scene| BoxOf::new(scene, piece).squares();
    attribute.marking(Area::Box, squares).explained(
        "A *box* is what the file and the rank of a rook or queen cut off around the black king; a line on which the king itself stands cuts nothing off.",
    )
}

/// "the rook's box".
fn box_name(tell: &Teller, piece: Man) -> String {
    tell.of(piece, "box")
}

/// The number of ranks (height) or files (width) of the box, 1 to 8.
///
/// ```text
/// 4 . . R .
/// 3 . . . .
/// 2 k . . .
/// 1 . . K .
///   a b c d      RBoxHeight = 3, RBoxWidth = 2
/// ```
fn box_side(piece: Man, counted: Line) -> Attribute {
    let word = match counted {
        Line::Rank => "Height",
        Line::File => "Width",
    };
    let question = Question {
        name: format!("{piece}Box{word}"),
        domain: 1..=8,
        meaning: format!(
            "{} of the box in which the {piece:#} holds the weak king",
            counted.unit().many
        ),
        men: vec![piece],
        value: move |scene: &Scene| Extent::new(counted, scene.at(piece), scene.weak_king()).len(),
        sentence: move |tell: &Teller| {
            let line = tell.view.read(counted).line;
            let word = match line {
                Line::Rank => "high",
                Line::File => "wide",
            };
            format!("{} is {} {word}", box_name(tell, piece), tell.range.count(line.unit()))
        },
    };
    let attribute = question.attribute().aiming(move |tell| {
        let word = match (tell.view.read(counted).line, tell.range.is_open_above()) {
            (Line::Rank, false) => "low",
            (Line::Rank, true) => "high",
            (Line::File, false) => "narrow",
            (Line::File, true) => "wide",
        };
        format!("make {} as {word} as possible", box_name(tell, piece))
    });
    about_box(piece, attribute)
}

/// The number of squares in the box, 1 to 64.
fn box_size(piece: Man) -> Attribute {
    let question = Question {
        name: format!("{piece}BoxSize"),
        domain: 1..=64,
        meaning: format!("squares of the box in which the {piece:#} holds the weak king"),
        men: vec![piece],
        value: move |scene: &Scene| {
            let [height, width] = BoxOf::new(scene, piece).sides();
            height * width
        },
        sentence: move |tell: &Teller| {
            format!("{} has {}", box_name(tell, piece), tell.range.count(SQUARES))
        },
    };
    let attribute = question.attribute().aiming(move |tell| {
        let size = tell.either("small", "great");
        format!("make {} as {size} as possible", box_name(tell, piece))
    });
    about_box(piece, attribute)
}

/// The height and width of the box, added up, 2 to 16.
fn box_sides(piece: Man) -> Attribute {
    let question = Question {
        name: format!("{piece}BoxSides"),
        domain: 2..=16,
        meaning: format!(
            "files and ranks, added up, of the box in which the {piece:#} holds the weak king"
        ),
        men: vec![piece],
        value: move |scene: &Scene| {
            let [height, width] = BoxOf::new(scene, piece).sides();
            height + width
        },
        sentence: move |tell: &Teller| {
            let count = tell.range.count(FILES_AND_RANKS);
            format!("{} has {count}, added up", box_name(tell, piece))
        },
    };
    let attribute = question.attribute().aiming(move |tell| {
        let size = tell.either("small", "great");
        let the_box = box_name(tell, piece);
        format!("make {the_box} as {size} as possible, ranks and files added up")
    });
    about_box(piece, attribute)
}

/// The length of the shorter side of the box, 1 to 8.
fn shorter_box_side(piece: Man) -> Attribute {
    let question = Question {
        name: format!("{piece}BoxShorterSide"),
        domain: 1..=8,
        meaning: format!(
            "files or ranks, whichever are fewer, of the box in which the {piece:#} holds the weak king"
        ),
        men: vec![piece],
        value: move |scene: &Scene| {
            let [height, width] = BoxOf::new(scene, piece).sides();
            height.min(width)
        },
        sentence: move |tell: &Teller| {
            let count = tell.range.count(SQUARES);
            format!("the shorter side of {} has {count}", box_name(tell, piece))
        },
    };
    let attribute = question.attribute().aiming(move |tell| {
        let size = tell.either("short", "long");
        format!("make the shorter side of {} as {size} as possible", box_name(tell, piece))
    });
    about_box(piece, attribute)
}

/// The number of moves from the strong king to the nearest square of the box, 0 to 7.
fn box_steps(piece: Man, king: Man) -> Attribute {
    let question = Question {
        name: format!("{piece}BoxSteps"),
        domain: 0..=7,
        meaning: format!(
            "moves of the {king:#} to the box in which the {piece:#} holds the weak king"
        ),
        men: vec![piece, king],
        value: move |scene: &Scene| BoxOf::new(scene, piece).king_steps_from(scene.at(king)),
        sentence: move |tell: &Teller| {
            let (king, the_box) = (tell.name(king), box_name(tell, piece));
            match tell.range {
                range if range.is(0) => format!("{king} stands in {the_box}"),
                range if range.is_from(1) => format!("{king} does not stand in {the_box}"),
                range => format!("{king} is {} from {the_box}", range.count(MOVES)),
            }
        },
    };
    let attribute = question.attribute().aiming(move |tell| {
        let how = tell.either("near to", "far from");
        format!("have {} as {how} {} as possible", tell.name(king), box_name(tell, piece))
    });
    about_box(piece, attribute)
}

/// True if the rank or file of a rook or queen runs between the kings and so cuts them off from each
/// other.
fn cuts(piece: Man, [strong_king, weak_king]: [Man; 2], line: Line) -> Attribute {
    Question {
        name: format!("{piece}{}Cuts", line.capital()),
        domain: NO_OR_YES,
        meaning: format!("whether the {} of the {piece:#} is between the kings", line.word()),
        men: vec![piece, strong_king, weak_king],
        value: move |scene: &Scene| {
            let [one, cut, other] =
                [strong_king, piece, weak_king].map(|man| line.of(scene.at(man)));
            one.min(other) < cut && cut < one.max(other)
        },
        sentence: move |tell: &Teller| {
            let line = tell.view.read(line).line.word();
            let runs = tell.verb("runs", "does not run");
            format!("the {line} of {} {runs} between the kings", tell.name(piece))
        },
    }
    .attribute()
    .marking(Area::Line, move |scene| line.through(scene.at(piece)))
}

/// The box of a rook or queen.
struct BoxOf {
    ranks: Extent,
    files: Extent,
}

impl BoxOf {
    fn new(scene: &Scene, piece: Man) -> Self {
        let [ranks, files] =
            Line::BOTH.map(|line| Extent::new(line, scene.at(piece), scene.weak_king()));
        Self { ranks, files }
    }

    /// The number of ranks and the number of files.
    fn sides(&self) -> [u8; 2] {
        [self.ranks.len(), self.files.len()]
    }

    /// The number of king moves from a square to the nearest square of the box.
    fn king_steps_from(&self, square: Square) -> u8 {
        self.ranks.distance(Line::Rank.of(square)).max(self.files.distance(Line::File.of(square)))
    }

    fn squares(&self) -> Bitboard {
        collect(Square::ALL.into_iter().filter(|&square| self.king_steps_from(square) == 0))
    }
}

/// A range of ranks or files, both ends included.
struct Extent {
    low: u8,
    high: u8,
}

impl Extent {
    /// The ranks or files on the king's side of a piece; all of them if the king stands on the piece's
    /// line.
    fn new(line: Line, cutter: Square, king: Square) -> Self {
        let (cutter, king) = (line.of(cutter), line.of(king));
        match king.cmp(&cutter) {
            Ordering::Less => Self { low: 0, high: cutter - 1 },
            Ordering::Equal => Self { low: 0, high: 7 },
            Ordering::Greater => Self { low: cutter + 1, high: 7 },
        }
    }

    fn len(&self) -> u8 {
        self.high - self.low + 1
    }

    /// The distance of a rank or file from the range; 0 if it is inside.
    fn distance(&self, place: u8) -> u8 {
        self.low.saturating_sub(place).max(place.saturating_sub(self.high))
    }
}
