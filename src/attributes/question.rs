use super::view::role_word;
use crate::chess::{Bitboard, Material, Position, Side, Slot, Square};
use crate::symmetry::{Group, Symmetry};
use cozy_chess::get_king_moves;
use std::cell::OnceCell;
use std::cmp::Ordering;
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
    pub(super) const BOTH: [Self; 2] = [Self::File, Self::Rank];

    fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Rank => "Rank",
        }
    }

    /// What one counts along it.
    fn counted(self) -> &'static str {
        match self {
            Self::File => "ranks",
            Self::Rank => "files",
        }
    }

    /// How far along this axis a square is, from 0.
    pub(super) fn along(self, square: Square) -> u8 {
        match self {
            Self::File => square.rank() as u8,
            Self::Rank => square.file() as u8,
        }
    }
}

/// A man of a material, for attributes that speak of one or two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Man {
    pub(super) slot: Slot,
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
    /// How many moves has a king between two men? From 1 to 7.
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . . .
    /// 1 k . K .
    ///   a b c d      KkSteps = 2, KRSteps = 2, kRSteps = 2
    /// ```
    Steps(Man, Man),
    /// How many files and ranks together lie between two men? From 1 to 14.
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . . .
    /// 1 k . K .
    ///   a b c d      KkDistanceSum = 2, KRDistanceSum = 4
    /// ```
    DistanceSum(Man, Man),
    /// The lesser of the distances between two men along the file and along the rank: how far they
    /// are from a common line. From 0 to 7.
    ///
    /// ```text
    /// 3 . R . .
    /// 2 . . . .
    /// 1 k . K .
    ///   a b c d      KRDistanceLess = 1, KkDistanceLess = 0
    /// ```
    DistanceLess(Man, Man),
    /// Do two men stand a knight's move apart?
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . K .
    /// 1 k . . .
    ///   a b c d      KkKnight = 1, KRKnight = 1, kRKnight = 0
    /// ```
    KnightApart(Man, Man),
    /// How many squares is a man from the nearest edge? From 0 to 3.
    ///
    /// ```text
    /// 3 . . R .
    /// 2 . k . .
    /// 1 . . . .
    ///   a b c d      kEdgeSteps = 1, REdgeSteps = 2
    /// ```
    EdgeSteps(Man),
    /// How many moves has a king from where a man stands to the nearest corner? From 0 to 3.
    ///
    /// ```text
    /// 3 . . . .
    /// 2 . . k .
    /// 1 . . . .
    ///   a b c d      kCornerSteps = 2
    /// ```
    CornerSteps(Man),
    /// To how many squares can the weak king move, if it is its turn? From 0 to 8.
    ///
    /// ```text
    /// 3 . . . .
    /// 2 R . . .
    /// 1 . . k .
    ///   a b c d      kMoves = 2
    /// ```
    Moves(Man),
    /// How many squares could the weak king reach in any number of moves if all other men stood
    /// still, even one that it takes? From 0 to 63.
    ///
    /// ```text
    /// 3 . R . .
    /// 2 . . K .
    /// 1 k . . .
    ///   a b c d      kRoom = 1: a2 is all it has
    /// ```
    Room(Man),
    /// Could the weak king take a man, if it is its turn?
    ///
    /// ```text
    /// 3 . . . .
    /// 2 R . . .
    /// 1 k . K .
    ///   a b c d      RHangs = 1
    /// ```
    Hangs(Man),
    /// Is a man guarded by another of its side, so that the weak king could not take it?
    ///
    /// ```text
    /// 3 . . . .
    /// 2 . R . .
    /// 1 k . K .
    ///   a b c d      RGuarded = 1
    /// ```
    Guarded(Man),
    /// The box in which a rook or queen holds the weak king is what its file and rank cut off. How
    /// many ranks (along the file) or files (along the rank) has it? A line on which the king itself
    /// stands cuts nothing off. From 1 to 8.
    ///
    /// ```text
    /// 4 . . R .
    /// 3 . . . .
    /// 2 k . . .
    /// 1 . . K .
    ///   a b c d      RBoxFile = 3, RBoxRank = 2
    /// ```
    Box(Man, Axis),
    /// How many squares has the box? From 1 to 64.
    ///
    /// ```text
    /// 4 . . R .
    /// 3 . . . .
    /// 2 k . . .
    /// 1 . . K .
    ///   a b c d      RBoxSize = 6
    /// ```
    BoxSize(Man),
    /// How many squares have the two sides of the box together? From 2 to 16.
    ///
    /// ```text
    /// 4 . . R .
    /// 3 . . . .
    /// 2 k . . .
    /// 1 . . K .
    ///   a b c d      RBoxSides = 5
    /// ```
    BoxSides(Man),
    /// How many squares has the shorter side of the box? From 1 to 8.
    ///
    /// ```text
    /// 4 . . R .
    /// 3 . . . .
    /// 2 k . . .
    /// 1 . . K .
    ///   a b c d      RBoxWidth = 2
    /// ```
    BoxWidth(Man),
    /// How many moves has the strong king to the nearest square of the box? From 0 to 7.
    ///
    /// ```text
    /// 4 . . R .
    /// 3 . . . .
    /// 2 k . . .
    /// 1 . . K .
    ///   a b c d      RBoxSteps = 1
    /// ```
    BoxSteps(Man, Man),
    /// Does a rook or queen cut the kings off from each other: is its rank between theirs (along the
    /// file), or its file (along the rank)?
    ///
    /// ```text
    /// 3 . . . .
    /// 2 . R . .
    /// 1 k . K .
    ///   a b c d      RCutsRank = 1, RCutsFile = 0
    /// ```
    Cuts(Man, Axis),
    /// The board is turned until the weak king stands nearest to a1 and not above the diagonal
    /// a1–h8; with the king on it, until the first of the others that is off it, the strong king
    /// before all, is below. How many ranks (along the file) or files (along the rank) is a man then
    /// ahead of another? From -7 to 7, kept as 0 to 14.
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . . .
    /// 1 k . K .
    ///   a b c d      turned: k a1, K c1, R a3; KkAheadRank = +2, RkAheadFile = +2, KRAheadFile = -2
    /// ```
    Ahead(Man, Man, Axis),
    /// The board is turned in the same way. On which rank (along the file) or file (along the rank)
    /// does a man then stand? From 1 to 8.
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . . .
    /// 1 k . K .
    ///   a b c d      KTurnedRank = 3, RTurnedFile = 3
    /// ```
    Turned(Man, Axis),
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
    pub(super) fn new(question: Question) -> Self {
        use Question::{
            Ahead, Box, BoxSides, BoxSize, BoxSteps, BoxWidth, CanMove, CornerSteps, Cuts,
            Distance, DistanceLess, DistanceSum, EdgeDistance, EdgeSteps, Guarded, Hangs, InCheck,
            InCorner, KnightApart, Location, Moves, OnEdge, Opposition, Room, SameLine, Steps,
            Turned,
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
            Steps(one, other) => (format!("{one}{other}Steps"), 1, 7),
            DistanceSum(one, other) => (format!("{one}{other}DistanceSum"), 1, 14),
            DistanceLess(one, other) => (format!("{one}{other}DistanceLess"), 0, 7),
            KnightApart(one, other) => (format!("{one}{other}Knight"), 0, 1),
            EdgeSteps(man) => (format!("{man}EdgeSteps"), 0, 3),
            CornerSteps(man) => (format!("{man}CornerSteps"), 0, 3),
            Moves(man) => (format!("{man}Moves"), 0, 8),
            Room(man) => (format!("{man}Room"), 0, 63),
            Hangs(man) => (format!("{man}Hangs"), 0, 1),
            Guarded(man) => (format!("{man}Guarded"), 0, 1),
            Box(man, axis) => (format!("{man}Box{}", axis.name()), 1, 8),
            BoxSize(man) => (format!("{man}BoxSize"), 1, 64),
            BoxSides(man) => (format!("{man}BoxSides"), 2, 16),
            BoxWidth(man) => (format!("{man}BoxWidth"), 1, 8),
            BoxSteps(man, _) => (format!("{man}BoxSteps"), 0, 7),
            Cuts(man, axis) => (format!("{man}Cuts{}", axis.name()), 0, 1),
            Ahead(one, other, axis) => (format!("{one}{other}Ahead{}", axis.name()), 0, 14),
            Turned(man, axis) => (format!("{man}Turned{}", axis.name()), 1, 8),
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
            Question::Steps(one, other) => {
                format!("moves of a king from the {} to the {}", one.name, other.name)
            }
            Question::DistanceSum(one, other) => {
                format!("files and ranks between the {} and the {}, added up", one.name, other.name)
            }
            Question::DistanceLess(one, other) => {
                format!(
                    "files or ranks between the {} and the {}, whichever are fewer",
                    one.name, other.name
                )
            }
            Question::KnightApart(one, other) => {
                format!(
                    "whether the {} and the {} stand a knight's move apart",
                    one.name, other.name
                )
            }
            Question::EdgeSteps(man) => {
                format!("squares from the {} to the nearest edge", man.name)
            }
            Question::CornerSteps(man) => {
                format!("moves of a king from the {} to the nearest corner", man.name)
            }
            Question::Moves(man) => {
                format!("squares to which the {} could move if it were its turn", man.name)
            }
            Question::Room(man) => format!(
                "squares that the {} could ever reach if the strong side's men stood still",
                man.name
            ),
            Question::Hangs(man) => {
                format!("whether the weak king could take the {}", man.name)
            }
            Question::Guarded(man) => {
                format!("whether the {} is guarded by another man", man.name)
            }
            Question::Box(man, Axis::File) => {
                format!("ranks of the box in which the {} holds the weak king", man.name)
            }
            Question::Box(man, Axis::Rank) => {
                format!("files of the box in which the {} holds the weak king", man.name)
            }
            Question::BoxSize(man) => {
                format!("squares of the box in which the {} holds the weak king", man.name)
            }
            Question::BoxSides(man) => format!(
                "files and ranks, added up, of the box in which the {} holds the weak king",
                man.name
            ),
            Question::BoxWidth(man) => format!(
                "files or ranks, whichever are fewer, of the box in which the {} holds the weak king",
                man.name
            ),
            Question::BoxSteps(man, king) => format!(
                "moves of the {} to the box in which the {} holds the weak king",
                king.name, man.name
            ),
            Question::Cuts(man, Axis::File) => {
                format!("whether the rank of the {} is between the kings", man.name)
            }
            Question::Cuts(man, Axis::Rank) => {
                format!("whether the file of the {} is between the kings", man.name)
            }
            Question::Ahead(one, other, axis) => format!(
                "{} from the {} to the {}, 7 is level, with the weak king turned towards a1",
                axis.counted(),
                other.name,
                one.name
            ),
            Question::Turned(man, Axis::File) => {
                format!("rank of the {}, with the weak king turned towards a1", man.name)
            }
            Question::Turned(man, Axis::Rank) => {
                format!("file of the {}, with the weak king turned towards a1", man.name)
            }
        }
    }

    /// The value in a position of its material.
    #[inline]
    pub fn value(&self, position: &Position) -> u8 {
        self.value_in(&Scene::new(position))
    }

    /// The value in a position about which other attributes have been asked.
    #[inline]
    pub(super) fn value_in(&self, scene: &Scene<'_>) -> u8 {
        let position = scene.position;
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
            Question::CanMove(_) => u8::from(!scene.targets().is_empty()),
            Question::Steps(one, other) => {
                let [file, rank] = apart(at(one), at(other));
                file.max(rank)
            }
            Question::DistanceSum(one, other) => apart(at(one), at(other)).iter().sum(),
            Question::DistanceLess(one, other) => {
                let [file, rank] = apart(at(one), at(other));
                file.min(rank)
            }
            Question::KnightApart(one, other) => {
                u8::from(matches!(apart(at(one), at(other)), [1, 2] | [2, 1]))
            }
            Question::EdgeSteps(man) => {
                let [file, rank] = to_edges(at(man));
                file.min(rank)
            }
            Question::CornerSteps(man) => {
                let [file, rank] = to_edges(at(man));
                file.max(rank)
            }
            Question::Moves(_) => scene.targets().len() as u8,
            Question::Room(_) => room(position).len() as u8,
            Question::Hangs(man) => {
                let takes = get_king_moves(position.king(Side::Weak)).has(at(man));
                u8::from(takes && !guarded(position, man.slot))
            }
            Question::Guarded(man) => u8::from(guarded(position, man.slot)),
            Question::Box(man, axis) => extent(*axis, at(man), position.king(Side::Weak)).len(),
            Question::BoxSize(man) => sides(at(man), position.king(Side::Weak)).iter().product(),
            Question::BoxSides(man) => sides(at(man), position.king(Side::Weak)).iter().sum(),
            Question::BoxWidth(man) => {
                let [file, rank] = sides(at(man), position.king(Side::Weak));
                file.min(rank)
            }
            Question::BoxSteps(man, king) => {
                let [file, rank] = Axis::BOTH.map(|axis| {
                    let Extent { low, high } = extent(axis, at(man), position.king(Side::Weak));
                    let along = axis.along(at(king));
                    low.saturating_sub(along).max(along.saturating_sub(high))
                });
                file.max(rank)
            }
            Question::Cuts(man, axis) => {
                let [one, cut, other] =
                    [position.king(Side::Strong), at(man), position.king(Side::Weak)]
                        .map(|square| axis.along(square));
                u8::from(one.min(other) < cut && cut < one.max(other))
            }
            Question::Ahead(one, other, axis) => {
                let [one, other] = [one, other].map(|man| axis.along(scene.turned(man.slot)));
                7 + one - other
            }
            Question::Turned(man, axis) => axis.along(scene.turned(man.slot)) + 1,
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
            Question::Ahead(..) => format!("{:+}", i16::from(value) - 7),
            _ => value.to_string(),
        }
    }
}

/// How far apart two squares are along the file and along the rank.
fn apart(one: Square, other: Square) -> [u8; 2] {
    Axis::BOTH.map(|axis| axis.along(one).abs_diff(axis.along(other)))
}

/// How far a square is from the nearer edge along the file and along the rank.
fn to_edges(square: Square) -> [u8; 2] {
    Axis::BOTH.map(|axis| axis.along(square).min(7 - axis.along(square)))
}

/// The squares that the weak king could reach, one move after the other, if nobody else moved.
pub(super) fn room(position: &Position) -> Bitboard {
    let free = !position.danger(Side::Weak) & !position.men_of(Side::Weak);
    let home = position.king(Side::Weak).bitboard();
    let (mut reached, mut border) = (home, home);
    while !border.is_empty() {
        let next = border.into_iter().fold(Bitboard::EMPTY, |all, at| all | get_king_moves(at));
        border = next & free & !reached;
        reached |= border;
    }
    reached & !home
}

/// Whether a man is guarded by another of its side.
fn guarded(position: &Position, slot: Slot) -> bool {
    let (material, squares) = (position.material(), position.squares());
    // The weak king would stand on that square then, and hides nothing.
    let occupied = position.occupied() ^ position.king(Side::Weak).bitboard();
    let others = material.slots_of(material.side(slot)).filter(|&other| other != slot);
    others
        .into_iter()
        .any(|other| position.attacks(other, squares[other], occupied).has(squares[slot]))
}

/// The lines of a box along one axis, both ends included.
pub(super) struct Extent {
    low: u8,
    high: u8,
}

impl Extent {
    fn len(&self) -> u8 {
        self.high - self.low + 1
    }

    pub(super) fn has(&self, along: u8) -> bool {
        (self.low..=self.high).contains(&along)
    }
}

/// What a line piece cuts off along an axis, on the king's side of it.
pub(super) fn extent(axis: Axis, cutter: Square, king: Square) -> Extent {
    let (cutter, king) = (axis.along(cutter), axis.along(king));
    match king.cmp(&cutter) {
        Ordering::Less => Extent { low: 0, high: cutter - 1 },
        Ordering::Equal => Extent { low: 0, high: 7 },
        Ordering::Greater => Extent { low: cutter + 1, high: 7 },
    }
}

fn sides(cutter: Square, king: Square) -> [u8; 2] {
    Axis::BOTH.map(|axis| extent(axis, cutter, king).len())
}

/// A position with what several attributes need to know of it, worked out once.
pub(super) struct Scene<'p> {
    position: &'p Position,
    turning: OnceCell<Symmetry>,
    targets: OnceCell<Bitboard>,
}

impl<'p> Scene<'p> {
    pub(super) fn new(position: &'p Position) -> Self {
        Self { position, turning: OnceCell::new(), targets: OnceCell::new() }
    }

    /// Where a man stands once the board is turned so that the weak king is nearest to a1.
    fn turned(&self, slot: Slot) -> Square {
        let (material, squares) = (self.position.material(), self.position.squares());
        let first = Material::king(Side::Weak);
        let turning =
            self.turning.get_or_init(|| Group::of(material).turning(material, squares, first));
        turning.apply(squares[slot])
    }

    /// Where the weak king can go.
    fn targets(&self) -> Bitboard {
        *self.targets.get_or_init(|| self.position.king_targets(Side::Weak))
    }
}

const EDGE: Bitboard = Bitboard(0xff81_8181_8181_81ff);
const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);

/// Men with the letters and words for them.
pub(super) fn men(material: Material, slots: impl Iterator<Item = Slot>) -> Vec<Man> {
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
        let role = role_word(role);
        let space = if number.is_empty() { "" } else { " " };
        Man {
            slot,
            letter: format!("{letter}{number}"),
            name: format!("{side} {role}{space}{number}"),
        }
    };
    slots.map(describe).collect()
}
