//! The reader's board: orientation, colours, and names of the men.

use super::geometry::Line;
use super::man::{Man, role_word};
use super::scene::Scene;
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Color, Material, Position, Side, Slot, Square};

/// The board as the reader of a sentence sees it.
///
/// Attributes are mostly evaluated on a representative, which is the reader's board turned or
/// mirrored; some of them turn it once more. A `ReaderBoard` has the directions (left and right,
/// above and below) of the reader's own board, the side that is White, and the names of the men.
#[derive(Debug, Clone)]
pub struct ReaderBoard {
    /// By slot, with the article.
    names: Vec<String>,
    /// Maps the board that attributes are evaluated on to the reader's board.
    read: Symmetry,
    /// Maps the board turned towards the weak king to the reader's board; `None` if the reader turns it.
    turned: Option<Symmetry>,
    /// True if the reader has mirrored the board where a sentence needs it.
    is_mirrored: bool,
}

impl ReaderBoard {
    /// The words before a sentence about the mirrored board.
    pub const MIRRORED: &'static str = "with the board mirrored, ";

    /// The board without a position, as the attributes see it, with White as the strong side.
    pub fn general(material: Material) -> Self {
        let name = |slot| name(material, Color::White, slot, None);
        Self {
            names: material.slots().map(name).collect(),
            read: Symmetry::IDENTITY,
            turned: None,
            is_mirrored: false,
        }
    }

    /// The board for sentences that follow the words of [`Self::MIRRORED`], and do not repeat them.
    ///
    /// ```
    /// use lucena_attributes::{AttributeSet, ReaderBoard};
    ///
    /// let material = "KRvK".parse()?;
    /// let set = AttributeSet::named(material, ["RkRanksAhead"])?;
    /// let ahead = &set.attributes()[0];
    /// let (low, _) = ahead.domain();
    /// let [whole, rest] = [ReaderBoard::general(material), ReaderBoard::general(material).mirrored()]
    ///     .map(|view| ahead.sentence(low..=low, &view));
    /// assert_eq!(whole, format!("{}{rest}", ReaderBoard::MIRRORED));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { is_mirrored: true, ..self }
    }

    /// The board of a position that attributes were evaluated on; `back` maps it to the reader's
    /// board.
    ///
    /// ```
    /// use lucena_attributes::{AttributeSet, ReaderBoard};
    /// use lucena_chess::{Position, symmetry::Group};
    ///
    /// let position: Position = "8/8/8/8/7R/8/5K2/7k b - - 0 1".parse()?;
    /// let symmetry = Group::new(position.material()).canonical_symmetry(&position);
    /// let read = symmetry.apply_to_position(&position);
    /// let set = AttributeSet::named(position.material(), ["kFile"])?;
    /// let value = set.attributes()[0].value(&read);
    /// let sentence = set.attributes()[0].sentence(value..=value, &ReaderBoard::new(&read, symmetry.inverse()));
    /// assert_eq!(sentence, "the black king stands on the h-file");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(read: &Position, back: Symmetry) -> Self {
        let scene = Scene::new(read);
        let back = scene.back().then(back);
        let (material, squares) = (read.material(), scene.position.squares());
        let name = |slot| name(material, read.strong(), slot, Some(back.apply(squares[slot])));
        Self {
            names: material.slots().map(name).collect(),
            read: back,
            turned: Some(scene.turning().inverse().then(back)),
            is_mirrored: false,
        }
    }

    /// The board of a position whose reader mirrors it where a sentence needs it, as for the rules of a tree.
    #[must_use]
    pub fn to_be_mirrored(self) -> Self {
        Self { turned: None, ..self }
    }

    /// The names of the men: the strong king, the weak king, then the others.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// A text with the kings and sides called by the reader's names.
    pub(super) fn with_names(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for side in Side::ALL {
            let king = Man::king(side);
            let name = self.name(king.slot);
            text = text.replace(&format!("the {king:#}"), name);
            let words = if side == Side::Strong { "the strong side" } else { "the weak side" };
            text = text.replace(words, if name.contains("white") { "White" } else { "Black" });
        }
        text
    }

    /// The name of a man.
    pub(super) fn name(&self, slot: Slot) -> &str {
        &self.names[slot]
    }

    /// Returns true if two men are the only ones of their kind on the board, and no squares distinguish them.
    pub(super) fn is_nameless_pair(&self, one: Man, other: Man) -> bool {
        let word = role_word(one.role);
        (one.side, one.role) == (other.side, other.role)
            && self.turned.is_none()
            && self.names().filter(|name| name.ends_with(word)).count() == 2
    }

    /// The orientation on the reader's board of the lines of the evaluated board.
    pub(super) fn read(&self, line: Line) -> LineOrientation {
        LineOrientation::new(line, self.read)
    }

    /// The orientation on the reader's board of the lines of the board turned towards the weak king.
    pub(super) fn turned(&self, line: Line) -> LineOrientation {
        LineOrientation::new(line, self.turned.unwrap_or(Symmetry::IDENTITY))
    }

    /// The prefix of a sentence about the turned board if the reader has to turn it; empty if the sentence is
    /// about the board as it lies.
    pub(super) fn turned_prefix(&self) -> &'static str {
        match self.turned {
            None if !self.is_mirrored => Self::MIRRORED,
            _ => "",
        }
    }
}

/// The orientation on the reader's board of the files or ranks of another board.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineOrientation {
    /// The kind of line that they are for the reader.
    pub(super) line: Line,
    /// True if greater numbers lie above or to the right, false if below or to the left.
    pub(super) ascends: bool,
}

impl LineOrientation {
    fn new(line: Line, symmetry: Symmetry) -> Self {
        let last = match line {
            Line::File => Square::H1,
            Line::Rank => Square::A8,
        };
        let [from, to] = [Square::A1, last].map(|square| symmetry.apply(square));
        let line = if from.file() == to.file() { Line::Rank } else { Line::File };
        Self { line, ascends: from < to }
    }
}

/// "the white king", "the rook"; for one of two equal men "the bishop on c4" or "the second bishop".
fn name(material: Material, strong: Color, slot: Slot, square: Option<Square>) -> String {
    let (role, side) = (material.role(slot), material.side(slot));
    let word = role_word(role);
    let same = |side| material.slots_of(side).filter(|&other| material.role(other) == role);
    let color = match (side, strong) {
        (Side::Strong, Color::White) | (Side::Weak, Color::Black) => "white ",
        _ => "black ",
    };
    let color = if same(!side).next().is_some() { color } else { "" };
    let twins: Vec<Slot> = same(side).collect();
    match (twins.as_slice(), square) {
        ([_], _) => format!("the {color}{word}"),
        (_, Some(square)) => format!("the {color}{word} on {square}"),
        (twins, None) => {
            let at = twins.iter().position(|&twin| twin == slot).unwrap_or(0);
            format!("the {} {color}{word}", ["first", "second", "third"][at.min(2)])
        }
    }
}
