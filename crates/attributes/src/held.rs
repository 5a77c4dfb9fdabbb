//! The area that the lines of a rook or queen leave to the weak king. If the king stands on a line,
//! that line cuts nothing off, and the values take their maximum.

use super::Attribute;
use super::geometry::{Line, apart, king_steps};
use super::man::{Man, Men};
use super::party::{Measure, Party};
use super::scene::Scene;
use super::teller::{Teller, of};
use super::words::{FILES_AND_RANKS, FILES_OR_RANKS, KING_MOVES, SQUARES};
use lucena_chess::{File, Rank, Role, Side, Square};

/// Attributes of a rook or queen, or of two equal ones together.
pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let king = men.king(Side::Strong);
    let holds = |party: &Party| matches!(party.role(), Role::Rook | Role::Queen);
    let parties = Party::all(men).into_iter().filter(holds);
    let asked = |party| {
        [
            held_sides(party),
            held_size(party),
            cut_size(party),
            cut_gap(party),
            critical_steps(party, king),
        ]
    };
    parties.flat_map(asked).collect()
}

/// The number of files and ranks of the box of a rook or queen, added up, 2 to 14; 16 if the weak king
/// stands on one of its lines.
///
/// ```text
/// 4 . . R .
/// 3 . . . .
/// 2 k . . .
/// 1 . . K .
///   a b c d      RHeldSides = 5
/// ```
fn held_sides(party: Party) -> Attribute {
    Measure {
        party,
        name: ["", "HeldSides"],
        domain: 2..=16,
        meaning: format!(
            "files and ranks, added up, of the box in which the {} holds the weak king, 16 if they stand on one line",
            party.words()
        ),
        men: vec![],
        value: |scene: &Scene, man: Man| match Held::new(scene, man).sides() {
            Some([height, width]) => height + width,
            None => 16,
        },
        sentence: |tell: &Teller, man: &str| {
            let count = tell.range.count(FILES_AND_RANKS);
            format!("{} holds the king within {count}, added up", of(man, "box"))
        },
        aim: |tell: &Teller, man: &str| {
            let size = tell.either("small", "great");
            let the_box = of(man, "box");
            format!("make {the_box} as {size} as possible, with its king on neither line of it")
        },
    }
    .attribute()
    .explained(HELD)
}

/// The number of squares in the box of a rook or queen, 1 to 49; 64 if the weak king stands on one of
/// its lines.
fn held_size(party: Party) -> Attribute {
    Measure {
        party,
        name: ["", "HeldSize"],
        domain: 1..=64,
        meaning: format!(
            "squares of the box in which the {} holds the weak king, 64 if they stand on one line",
            party.words()
        ),
        men: vec![],
        value: |scene: &Scene, man: Man| match Held::new(scene, man).sides() {
            Some([height, width]) => height * width,
            None => 64,
        },
        sentence: |tell: &Teller, man: &str| {
            format!("{} holds the king within {}", of(man, "box"), tell.range.count(SQUARES))
        },
        aim: |tell: &Teller, man: &str| {
            let size = tell.either("few", "many");
            format!("hold the king within as {size} squares as possible by {}", of(man, "box"))
        },
    }
    .attribute()
    .explained(HELD)
}

/// The number of files or ranks that the best line of a rook or queen leaves to the weak king, 1 to 7.
fn cut_size(party: Party) -> Attribute {
    Measure {
        party,
        name: ["", "CutSize"],
        domain: 1..=7,
        meaning: format!(
            "files or ranks that the best line of the {} leaves to the weak king",
            party.words()
        ),
        men: vec![],
        value: |scene: &Scene, man: Man| Held::new(scene, man).best_cut()[0],
        sentence: |tell: &Teller, man: &str| {
            format!("{} cuts the king off on {}", man, tell.range.count(FILES_OR_RANKS))
        },
        aim: |tell: &Teller, man: &str| {
            let size = tell.either("few", "many");
            format!("cut the king off on as {size} files or ranks as possible with {man}")
        },
    }
    .attribute()
}

/// The number of files or ranks between the weak king and the line that leaves it fewest, 0 to 6.
fn cut_gap(party: Party) -> Attribute {
    Measure {
        party,
        name: ["", "CutGap"],
        domain: 0..=6,
        meaning: format!(
            "files or ranks between the weak king and the line of the {} that leaves it fewest",
            party.words()
        ),
        men: vec![],
        value: |scene: &Scene, man: Man| Held::new(scene, man).best_cut()[1],
        sentence: |tell: &Teller, man: &str| {
            let count = tell.range.count(FILES_OR_RANKS);
            format!("{count} lie between the king and the line on which {man} cuts it off")
        },
        aim: |tell: &Teller, man: &str| {
            let how = tell.either("near to", "far from");
            format!("have the line on which {man} cuts the king off as {how} it as possible")
        },
    }
    .attribute()
}

/// The number of moves from the strong king to the critical square: the one diagonally next to a rook
/// or queen, towards the weak king. If the weak king stands on a line of the piece, there are two such
/// squares, and the nearer one counts. 0 to 7.
fn critical_steps(party: Party, king: Man) -> Attribute {
    Measure {
        party,
        name: ["", "CriticalSteps"],
        domain: 0..=7,
        meaning: format!(
            "moves of the {king:#} to the square diagonally beside the {} towards the weak king",
            party.words()
        ),
        men: vec![king],
        value: move |scene: &Scene, man: Man| {
            let steps = critical(scene.at(man), scene.weak_king());
            let steps = steps.map(|square| king_steps(scene.at(king), square));
            steps.min().expect("there is a square towards the king")
        },
        sentence: move |tell: &Teller, man: &str| {
            let square = format!("the critical square of {man}");
            tell.steps_to(king, &format!("on {square}"), KING_MOVES, &square)
        },
        aim: move |tell: &Teller, man: &str| {
            let how = tell.either("near to", "far from");
            format!("have {} as {how} the critical square of {man} as possible", tell.name(king))
        },
    }
    .attribute()
    .explained(
        "The *critical square* of a rook is the one diagonally beside it on the black king's side: White's king there holds the box.",
    )
}

const HELD: &str = "A rook *holds* the black king in the corner between its file and its rank, if the king stands on neither.";

/// The squares diagonally next to a man, towards a king.
fn critical(man: Square, king: Square) -> impl Iterator<Item = Square> {
    let beside = |from: u8, to: u8| match from.cmp(&to) {
        std::cmp::Ordering::Less => vec![from + 1],
        std::cmp::Ordering::Greater => vec![from - 1],
        std::cmp::Ordering::Equal => vec![from.wrapping_sub(1), from + 1],
    };
    let [ranks, files] = Line::BOTH.map(|line| beside(line.of(man), line.of(king)));
    let all = ranks
        .into_iter()
        .flat_map(move |rank| files.clone().into_iter().map(move |file| (file, rank)));
    all.filter_map(|(file, rank)| {
        Some(Square::new(File::try_index(file.into())?, Rank::try_index(rank.into())?))
    })
}

/// The files or ranks that each line of a man leaves to the weak king, and the number between.
struct Held {
    /// For the rank and for the file: `[left, between]`, or `None` if the king stands on it.
    cuts: [Option<[u8; 2]>; 2],
}

impl Held {
    fn new(scene: &Scene, man: Man) -> Self {
        let (man, king) = (scene.at(man), scene.weak_king());
        let apart = apart(man, king);
        let cut = |line: Line, apart: u8| {
            let (man, king) = (line.of(man), line.of(king));
            let left = if king < man { man } else { 7 - man };
            if apart == 0 { None } else { Some([left, apart - 1]) }
        };
        Self { cuts: [cut(Line::Rank, apart[0]), cut(Line::File, apart[1])] }
    }

    /// The number of ranks and files left, if neither line runs through the king.
    fn sides(&self) -> Option<[u8; 2]> {
        match self.cuts {
            [Some([height, _]), Some([width, _])] => Some([height, width]),
            _ => None,
        }
    }

    /// The number of files or ranks that the best line leaves, and the number between it and the king.
    fn best_cut(&self) -> [u8; 2] {
        let cuts = self.cuts.iter().flatten();
        *cuts.min().expect("no two men stand on one square")
    }
}
