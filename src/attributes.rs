//! What a player would say about a position, as small integers with a name.
//!
//! The list follows from the men of a material; nothing is special to one endgame. For KRvK it is
//! the thirty attributes of the published study, under their published names, in their order. The
//! thirty-first, `optimalDepth`, is the answer: [`Depth`].
//!
//! A name is made of letters for men (capital for the strong side, small for the weak side) and a
//! word. **`File` means measured along the file**, so `KRDistanceFile` compares ranks, and `Rank`
//! means along the rank. With two equal men on one side they are numbered: `B1`, `B2`.

mod depth;

pub use depth::{Depth, ParseDepthError};

use crate::chess::{Bitboard, Material, Position, Role, Side, Slot, Square};
use std::fmt;

/// The direction in which something is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Up and down the board.
    File,
    /// From side to side.
    Rank,
}

impl Axis {
    const BOTH: [Self; 2] = [Self::File, Self::Rank];

    fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Rank => "Rank",
        }
    }

    /// How far along this axis a square is, from 0.
    fn along(self, square: Square) -> u8 {
        match self {
            Self::File => square.rank() as u8,
            Self::Rank => square.file() as u8,
        }
    }
}

/// A man of a material, for attributes that speak of one or two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Man {
    slot: Slot,
    letter: String,
    name: String,
}

impl fmt::Display for Man {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.letter)
    }
}

/// What an attribute asks. The boards show KRvK; a value is given under each.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Question {
    /// On which file (a to h) or rank (1 to 8) does a man stand?
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . . .
    /// 1 k . K .
    ///   a b c d      KFile = c, KRank = 1, RFile = a, RRank = 3
    /// ```
    Location(Man, Axis),
    /// How far is a man, along the file, from the nearer of the bottom and top edges; or along the
    /// rank, from the nearer of the left and right edges? From 0 to 3.
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . . .
    /// 1 k . K .
    ///   a b c d      RMinDistanceFile = 2, RMinDistanceRank = 0, KMinDistanceRank = 2
    /// ```
    EdgeDistance(Man, Axis),
    /// Do two men stand on the same file, or on the same rank?
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . . .
    /// 1 k . K .
    ///   a b c d      KkRank = 1, kRFile = 1, KRFile = 0
    /// ```
    SameLine(Man, Man, Axis),
    /// How far apart are two men along the file (the difference of their ranks), or along the rank
    /// (of their files)? From 0 to 7.
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . . .
    /// 1 k . K .
    ///   a b c d      KRDistanceFile = 2, KRDistanceRank = 2, kRDistanceRank = 0
    /// ```
    Distance(Man, Man, Axis),
    /// How far apart are the kings, if they face each other on one file or rank; else 0.
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . . .
    /// 1 k . K .
    ///   a b c d      KkOppositionDistance = 2
    /// ```
    Opposition(Man, Man),
    /// Does a man stand on the edge of the board?
    ///
    /// ```text
    /// 3 . R . .
    /// 2 . . . .
    /// 1 k . K .
    ///   a b c d      kOnEdge = 1, ROnEdge = 0
    /// ```
    OnEdge(Man),
    /// Does a man stand in a corner?
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . . .
    /// 1 k . K .
    ///   a b c d      kInCorner = 1
    /// ```
    InCorner(Man),
    /// Is the weak king attacked?
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . . .
    /// 1 k . K .
    ///   a b c d      kInCheck = 1
    /// ```
    InCheck(Man),
    /// Has the weak king a legal move, captures too, if it is its turn?
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . . .
    /// 1 k . K .
    ///   a b c d      kCanMove = 0
    /// ```
    CanMove(Man),
}

/// One attribute of a material: a question with a name and a domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    question: Question,
    name: String,
    low: u8,
    high: u8,
}

impl Attribute {
    fn new(question: Question) -> Self {
        use Question::{
            CanMove, Distance, EdgeDistance, InCheck, InCorner, Location, OnEdge, Opposition,
            SameLine,
        };
        let (name, low, high) = match &question {
            Location(man, axis) => (format!("{man}{}", axis.name()), 1, 8),
            EdgeDistance(man, axis) => (format!("{man}MinDistance{}", axis.name()), 0, 3),
            SameLine(one, other, axis) => (format!("{one}{other}{}", axis.name()), 0, 1),
            Distance(one, other, axis) => (format!("{one}{other}Distance{}", axis.name()), 0, 7),
            Opposition(one, other) => (format!("{one}{other}OppositionDistance"), 0, 7),
            OnEdge(man) => (format!("{man}OnEdge"), 0, 1),
            InCorner(man) => (format!("{man}InCorner"), 0, 1),
            InCheck(man) => (format!("{man}InCheck"), 0, 1),
            CanMove(man) => (format!("{man}CanMove"), 0, 1),
        };
        Self { question, name, low, high }
    }

    /// What it asks.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Its name, as in the literature: `KkDistanceFile`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The least and the greatest value.
    pub fn domain(&self) -> (u8, u8) {
        (self.low, self.high)
    }

    /// What it says, in words without a full stop.
    pub fn meaning(&self) -> String {
        let line = |axis: &Axis| axis.name().to_lowercase();
        match &self.question {
            Question::Location(man, Axis::File) => format!("file of the {}, a is 1", man.name),
            Question::Location(man, Axis::Rank) => format!("rank of the {}", man.name),
            Question::EdgeDistance(man, Axis::File) => {
                format!("squares from the {} to the nearer of the bottom and top edges", man.name)
            }
            Question::EdgeDistance(man, Axis::Rank) => {
                format!("squares from the {} to the nearer of the left and right edges", man.name)
            }
            Question::SameLine(one, other, axis) => {
                format!(
                    "whether the {} and the {} stand on one {}",
                    one.name,
                    other.name,
                    line(axis)
                )
            }
            Question::Distance(one, other, Axis::File) => {
                format!(
                    "ranks between the {} and the {}, measured along the file",
                    one.name, other.name
                )
            }
            Question::Distance(one, other, Axis::Rank) => {
                format!(
                    "files between the {} and the {}, measured along the rank",
                    one.name, other.name
                )
            }
            Question::Opposition(one, other) => format!(
                "squares from the {} to the {} if they face each other on a file or rank, else 0",
                one.name, other.name
            ),
            Question::OnEdge(man) => format!("whether the {} stands on the edge", man.name),
            Question::InCorner(man) => format!("whether the {} stands in a corner", man.name),
            Question::InCheck(man) => format!("whether the {} is in check", man.name),
            Question::CanMove(man) => {
                format!("whether the {} could move if it were its turn", man.name)
            }
        }
    }

    /// The value in a position of its material.
    #[inline]
    pub fn value(&self, position: &Position) -> u8 {
        let squares = position.squares();
        let at = |man: &Man| squares[man.slot];
        match &self.question {
            Question::Location(man, Axis::File) => at(man).file() as u8 + 1,
            Question::Location(man, Axis::Rank) => at(man).rank() as u8 + 1,
            Question::EdgeDistance(man, axis) => {
                let along = axis.along(at(man));
                along.min(7 - along)
            }
            // Standing on one file is being level along the rank.
            Question::SameLine(one, other, Axis::File) => {
                u8::from(Axis::Rank.along(at(one)) == Axis::Rank.along(at(other)))
            }
            Question::SameLine(one, other, Axis::Rank) => {
                u8::from(Axis::File.along(at(one)) == Axis::File.along(at(other)))
            }
            Question::Distance(one, other, axis) => {
                axis.along(at(one)).abs_diff(axis.along(at(other)))
            }
            Question::Opposition(one, other) => {
                let [along_file, along_rank] =
                    Axis::BOTH.map(|axis| axis.along(at(one)).abs_diff(axis.along(at(other))));
                if along_file == 0 || along_rank == 0 { along_file + along_rank } else { 0 }
            }
            Question::OnEdge(man) => u8::from(EDGE.has(at(man))),
            Question::InCorner(man) => u8::from(CORNERS.has(at(man))),
            Question::InCheck(man) => u8::from(position.is_attacked(at(man), Side::Strong)),
            Question::CanMove(_) => u8::from(!position.king_targets(Side::Weak).is_empty()),
        }
    }

    /// A value as people write it: files are letters.
    ///
    /// ```
    /// use lucena::attributes::{AttributeSet, Selection};
    ///
    /// let set = AttributeSet::new("KRvK".parse()?, Selection::Location);
    /// assert_eq!(set.attributes()[0].show(3), "c");
    /// assert_eq!(set.attributes()[1].show(3), "3");
    /// # Ok::<(), lucena::chess::ParseMaterialError>(())
    /// ```
    pub fn show(&self, value: u8) -> String {
        match self.question {
            Question::Location(_, Axis::File) if (1..=8).contains(&value) => {
                char::from(b'a' + value - 1).to_string()
            }
            _ => value.to_string(),
        }
    }
}

const EDGE: Bitboard = Bitboard(0xff81_8181_8181_81ff);
const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);

/// Which of a material's attributes are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Selection {
    /// Where each man stands, file and rank.
    Location,
    /// All but the locations: what does not change when the board is turned or mirrored.
    Geometric,
    /// Both.
    All,
}

impl Selection {
    /// All selections with the name of each.
    pub const NAMES: [(&'static str, Self); 3] =
        [("location", Self::Location), ("geometric", Self::Geometric), ("all", Self::All)];
}

/// The attributes of a material, in order.
///
/// ```
/// use lucena::attributes::{AttributeSet, Selection};
///
/// let set = AttributeSet::new("KRvK".parse()?, Selection::Geometric);
/// assert_eq!(set.attributes().len(), 24);
///
/// let position = "8/8/8/8/8/R7/8/k1K5 b - - 0 1".parse()?;
/// let values: Vec<String> = set
///     .attributes()
///     .iter()
///     .map(|attribute| format!("{}={}", attribute.name(), attribute.value(&position)))
///     .collect();
/// assert_eq!(values[0], "KMinDistanceFile=0");
/// assert_eq!(values[18], "KkOppositionDistance=2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeSet {
    material: Material,
    attributes: Vec<Attribute>,
}

impl AttributeSet {
    /// The attributes of a material that are in a selection.
    pub fn new(material: Material, selection: Selection) -> Self {
        let mut attributes = Vec::new();
        if selection != Selection::Geometric {
            attributes.extend(Self::locations(material));
        }
        if selection != Selection::Location {
            attributes.extend(Self::geometric(material));
        }
        Self { material, attributes: attributes.into_iter().map(Attribute::new).collect() }
    }

    /// The attributes with these names, in this order.
    ///
    /// # Errors
    /// When the material lacks one.
    pub fn named<'a>(
        material: Material,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, UnknownAttribute> {
        let all = Self::new(material, Selection::All).attributes;
        let find = |name: &str| {
            let unknown = || UnknownAttribute { name: name.into(), material };
            all.iter().find(|attribute| attribute.name == name).cloned().ok_or_else(unknown)
        };
        let attributes = names.into_iter().map(find).collect::<Result<_, _>>()?;
        Ok(Self { material, attributes })
    }

    fn locations(material: Material) -> Vec<Question> {
        let men = men(material, Position::written_slots(material));
        let both = |man: Man| Axis::BOTH.map(|axis| Question::Location(man.clone(), axis));
        men.into_iter().flat_map(both).collect()
    }

    fn geometric(material: Material) -> Vec<Question> {
        let written = men(material, Position::written_slots(material));
        let kings_first = men(material, material.slots());
        let (strong_king, weak_king) = (&kings_first[0], &kings_first[1]);
        let pairs: Vec<(Man, Man)> = kings_first
            .iter()
            .enumerate()
            .flat_map(|(i, one)| {
                kings_first[i + 1..].iter().map(move |other| (one.clone(), other.clone()))
            })
            .collect();

        let mut questions = Vec::new();
        for man in &written {
            questions.extend(Axis::BOTH.map(|axis| Question::EdgeDistance(man.clone(), axis)));
        }
        for (one, other) in &pairs {
            let same = |axis| Question::SameLine(one.clone(), other.clone(), axis);
            questions.extend(Axis::BOTH.map(same));
        }
        for (one, other) in &pairs {
            let distance = |axis| Question::Distance(one.clone(), other.clone(), axis);
            questions.extend(Axis::BOTH.map(distance));
        }
        questions.push(Question::Opposition(strong_king.clone(), weak_king.clone()));
        let of_weak_king =
            [Question::OnEdge, Question::InCorner, Question::InCheck, Question::CanMove];
        questions.extend(of_weak_king.map(|question| question(weak_king.clone())));
        questions.extend(kings_first[2..].iter().cloned().map(Question::OnEdge));
        questions
    }

    /// The material they belong to.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The attributes.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Writes the values of a position into a row.
    ///
    /// # Panics
    /// When the position is of another material.
    pub fn extract(&self, position: &Position, row: &mut [u8]) {
        assert_eq!(position.material(), self.material, "attributes are for one material");
        for (value, attribute) in row.iter_mut().zip(&self.attributes) {
            *value = attribute.value(position);
        }
    }
}

/// An attribute that a material does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{material} has no attribute {name}; \"lucena dataset {material} --attributes all\" has all of them in its first line"
)]
pub struct UnknownAttribute {
    /// The name asked for.
    pub name: String,
    /// The material.
    pub material: Material,
}

/// Men with the letters and words for them.
fn men(material: Material, slots: impl Iterator<Item = Slot>) -> Vec<Man> {
    let describe = |slot: Slot| {
        let (role, side) = (material.role(slot), material.side(slot));
        let twins: Vec<Slot> =
            material.slots_of(side).filter(|&other| material.role(other) == role).collect();
        let number = match twins.as_slice() {
            [_] => String::new(),
            many => (many.iter().position(|&other| other == slot).unwrap_or(0) + 1).to_string(),
        };
        let (letter, side) = match side {
            Side::Strong => (char::from(role).to_ascii_uppercase(), "strong"),
            Side::Weak => (char::from(role), "weak"),
        };
        let role = match role {
            Role::Pawn => "pawn",
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            Role::Rook => "rook",
            Role::Queen => "queen",
            Role::King => "king",
        };
        let space = if number.is_empty() { "" } else { " " };
        Man {
            slot,
            letter: format!("{letter}{number}"),
            name: format!("{side} {role}{space}{number}"),
        }
    };
    slots.map(describe).collect()
}
