//! The attributes of an endgame as a chapter of a book, each with a board.

use lucena_attributes::{Attribute, AttributeSet, ReaderBoard};
use lucena_chess::symmetry::Group;
use lucena_chess::{Position, Side, Square};
use lucena_tablebase::Index;
use std::fmt::Write as _;

/// Attributes as a chapter in Markdown. The board of each attribute is the first position with its
/// greatest value, with the squares that it is about marked and its sentence below.
///
/// ```
/// use lucena_attributes::AttributeSet;
///
/// let set = AttributeSet::named("KRvK".parse()?, ["RBoxSize"])?;
/// let chapter = lucena_report::attribute_chapter(&set);
/// assert!(chapter.contains("## RBoxSize"));
/// assert!(chapter.contains("the rook's box has"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn attribute_chapter(set: &AttributeSet) -> String {
    let material = set.material();
    let view = ReaderBoard::general(material);
    let mut chapter = format!("# Attributes of {material}\n\n");
    chapter.push_str(
        "Each position shows the greatest value of its attribute; `*` marks the squares that it is about.\n",
    );
    for (attribute, (position, value)) in set.attributes().iter().zip(examples(set)) {
        let (low, high) = attribute.domain();
        let [low, high, shown] = [low, high, value].map(|value| attribute.show(value));
        let (name, meaning) = (attribute.name(), attribute.meaning());
        let said = attribute.sentence(value..=value, &view);
        let board = board(attribute, &position);
        let written = write!(
            chapter,
            "\n## {name}\n\n{meaning} ({low} to {high})\n\n```text\n{board}\n{name} = {shown}: {said}\n```\n",
        );
        written.expect("a text takes all");
        if let Some(word) = attribute.glossary() {
            chapter.push('\n');
            chapter.push_str(word);
            chapter.push('\n');
        }
    }
    chapter
}

/// The first position with the greatest value of each attribute.
fn examples(set: &AttributeSet) -> Vec<(Position, u8)> {
    let index = Index::new(set.material(), Group::of(set.material()));
    let mut row = vec![0; set.attributes().len()];
    let mut examples: Vec<(Position, u8)> = Vec::new();
    for position in (0..index.len()).filter_map(|at| index.position(at, Side::Weak)) {
        set.extract(&position, &mut row);
        if examples.is_empty() {
            examples.extend(row.iter().map(|&value| (position, value)));
        }
        for (example, &value) in examples.iter_mut().zip(&row) {
            if value > example.1 {
                *example = (position, value);
            }
        }
    }
    examples
}

/// A text board with the squares marked that an attribute is about.
fn board(attribute: &Attribute, position: &Position) -> String {
    let area = attribute.focus(position).area;
    let is_marked = |square: Square| area.as_ref().is_some_and(|(_, squares)| squares.has(square));
    let mut marked = String::new();
    for line in format!("{position:#}").lines() {
        let rank = line.chars().next();
        for (at, drawn) in line.chars().enumerate() {
            // A line is the rank's number, then a space and a square, eight times.
            let square = rank.zip(at.checked_sub(2)).and_then(|(rank, at)| {
                let file = char::from(b"abcdefgh"[at / 2]);
                format!("{file}{rank}").parse::<Square>().ok()
            });
            let is_marked = drawn == '.' && square.is_some_and(is_marked);
            marked.push(if is_marked { '*' } else { drawn });
        }
        marked.push('\n');
    }
    marked
}
