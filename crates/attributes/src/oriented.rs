//! Relative and absolute places of the men after turning the board towards the weak king.
//!
//! The board is turned until the weak king is nearest to a1 and not above the diagonal a1–h8. If the
//! king is on that diagonal, the first other man off it is brought below it, the strong king first.
//! With pawns the board is only mirrored left to right.

use super::Attribute;
use super::attribute::Question;
use super::geometry::Line;
use super::man::{Man, Men};
use super::scene::Scene;
use super::teller::Teller;
use super::words::Comparison;
use lucena_chess::Side;

/// Differences of each man from the weak king and from the men after it, then the place of each man.
pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let weak_king = men.king(Side::Weak);
    let others: Vec<Man> = men.all().iter().copied().filter(|&man| man != weak_king).collect();
    let mut attributes = Vec::new();
    for (at, &one) in others.iter().enumerate() {
        for &other in std::iter::once(&weak_king).chain(&others[at + 1..]) {
            attributes.extend(Line::BOTH.map(|line| ahead(one, other, line)));
        }
    }
    attributes.extend(men.all().iter().flat_map(|&man| Line::BOTH.map(|line| turned(man, line))));
    let word = if men.material.has_pawns() {
        "*Turned* means: mirrored from side to side if the black king stands on the files e to h."
    } else {
        "*Turned* means: turned or mirrored once more, until the black king stands nearest to a1 and not above the diagonal a1–h8; ties are broken by the white king, then by the others."
    };
    attributes.into_iter().map(|attribute| attribute.explained(word)).collect()
}

/// The number of ranks or files by which a man is ahead of another on the turned board, -7 to 7, stored
/// as 0 to 14.
///
/// ```text
/// 3 R . . .
/// 2 . . . .
/// 1 k . K .
///   a b c d      turned: k a1, K c1, R a3; KkFilesAhead = +2, RkRanksAhead = +2, KRRanksAhead = -2
/// ```
fn ahead(one: Man, other: Man, counted: Line) -> Attribute {
    Question {
        name: format!("{one}{other}{}sAhead", counted.capital()),
        domain: 0..=14,
        meaning: format!(
            "{} from the {other:#} to the {one:#}, 7 is level, with the weak king turned towards a1",
            counted.unit().many
        ),
        men: vec![one, other],
        value: move |scene: &Scene| {
            let [one, other] = [one, other].map(|man| counted.of(scene.turned(man)));
            7 + one - other
        },
        sentence: move |tell: &Teller| {
            let seen = tell.view.turned(counted);
            let range = tell.range.centred();
            let range = if seen.ascends { range } else { range.mirrored() };
            let place = comparison(seen.line).say(range, tell.name(other));
            format!("{}{} stands {place}", tell.view.turns(), tell.name(one))
        },
    }
    .attribute()
    .shown(|value| format!("{:+}", i16::from(value) - 7))
}

/// The words for a difference in ranks (above, below) or in files (right, left).
fn comparison(line: Line) -> Comparison {
    match line {
        Line::Rank => Comparison {
            unit: line.unit(),
            more: "above",
            less: "below",
            level: "on the same rank",
            level_with: "on the same rank as",
        },
        Line::File => Comparison {
            unit: line.unit(),
            more: "to the right of",
            less: "to the left of",
            level: "on the same file",
            level_with: "on the same file as",
        },
    }
}

/// The rank or file of a man on the turned board, 1 to 8.
fn turned(man: Man, line: Line) -> Attribute {
    Question {
        name: format!("{man}Turned{}", line.capital()),
        domain: 1..=8,
        meaning: format!("{} of the {man:#}, with the weak king turned towards a1", line.word()),
        men: vec![man],
        value: move |scene: &Scene| line.of(scene.turned(man)) + 1,
        sentence: move |tell: &Teller| {
            format!("{}{}", tell.view.turns(), tell.stands_on(man, tell.view.turned(line)))
        },
    }
    .attribute()
}
