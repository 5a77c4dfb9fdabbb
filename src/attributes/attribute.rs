use super::{Axis, Corner, Question};

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
            Ahead, Attacked, BishopCorner, Blocked, Box, BoxSides, BoxSize, BoxSteps, BoxWidth,
            CanAdvance, CanMove, Catches, CornerSteps, Cuts, Diagonal, Distance, DistanceLess,
            DistanceSum, EdgeDistance, EdgeSteps, EnPrise, Forks, Guarded, Hangs, HasOpposition,
            InCheck, InCorner, InFront, KeySquare, KnightApart, KnightSteps, Location, Moves,
            OnEdge, Opposition, Passed, Pinned, Promotion, PromotionColor, PromotionSteps, Race,
            Room, SafeMoves, SameColor, SameLine, Steps, Turned,
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
            Diagonal(one, other) => (format!("{one}{other}Diagonal"), 0, 1),
            SameColor(one, other) => (format!("{one}{other}SameColor"), 0, 1),
            BishopCorner(king, bishop, Corner::Right) => {
                (format!("{king}{bishop}RightCornerSteps"), 0, 7)
            }
            BishopCorner(king, bishop, Corner::Wrong) => {
                (format!("{king}{bishop}WrongCornerSteps"), 0, 7)
            }
            KnightSteps(one, other) => (format!("{one}{other}KnightSteps"), 1, 6),
            Promotion(pawn) => (format!("{pawn}PromotionSteps"), 1, 5),
            PromotionSteps(king, pawn) => (format!("{king}{pawn}PromotionSteps"), 0, 7),
            PromotionColor(pawn, bishop) => (format!("{pawn}{bishop}PromotionColor"), 0, 1),
            Catches(king, pawn) => (format!("{king}{pawn}Catches"), 0, 1),
            KeySquare(king, pawn) => (format!("{king}{pawn}KeySquare"), 0, 1),
            InFront(man, pawn) => (format!("{man}{pawn}InFront"), 0, 1),
            Blocked(pawn) => (format!("{pawn}Blocked"), 0, 1),
            CanAdvance(pawn) => (format!("{pawn}CanAdvance"), 0, 1),
            Passed(pawn, _) => (format!("{pawn}Passed"), 0, 1),
            Race(one, other) => (format!("{one}{other}Race"), 0, 8),
            HasOpposition(one, other) => (format!("{one}{other}Opposition"), 0, 1),
            Attacked(man) => (format!("{man}Attacked"), 0, 1),
            EnPrise(man) => (format!("{man}EnPrise"), 0, 1),
            Pinned(man) => (format!("{man}Pinned"), 0, 1),
            Forks(man) => (format!("{man}Fork"), 0, 1),
            SafeMoves(man) => (format!("{man}SafeMoves"), 0, 27),
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
            Question::Diagonal(one, other) => {
                format!("whether the {} and the {} stand on one diagonal", one.name, other.name)
            }
            Question::SameColor(one, other) => format!(
                "whether the {} and the {} stand on squares of one colour",
                one.name, other.name
            ),
            Question::BishopCorner(king, bishop, Corner::Right) => format!(
                "moves of the {} to the nearest corner of the colour of the {}",
                king.name, bishop.name
            ),
            Question::BishopCorner(king, bishop, Corner::Wrong) => format!(
                "moves of the {} to the nearest corner that is not of the colour of the {}",
                king.name, bishop.name
            ),
            Question::KnightSteps(one, other) => format!(
                "moves of a knight from the {} to the {} on an empty board",
                one.name, other.name
            ),
            Question::Promotion(pawn) => {
                format!("moves that the {} needs to promote", pawn.name)
            }
            Question::PromotionSteps(king, pawn) => format!(
                "moves of the {} to the square on which the {} promotes",
                king.name, pawn.name
            ),
            Question::PromotionColor(pawn, bishop) => format!(
                "whether the {} promotes on a square of the colour of the {}",
                pawn.name, bishop.name
            ),
            Question::Catches(king, pawn) => format!(
                "whether the {} catches the {} by running, the weak side to move",
                king.name, pawn.name
            ),
            Question::KeySquare(king, pawn) => {
                format!("whether the {} stands on a key square of the {}", king.name, pawn.name)
            }
            Question::InFront(man, pawn) => format!(
                "whether the {} stands in front of the {}, on its way to promotion",
                man.name, pawn.name
            ),
            Question::Blocked(pawn) => {
                format!("whether the square ahead of the {} is taken", pawn.name)
            }
            Question::CanAdvance(pawn) => {
                format!("whether the {} could go one square ahead and not be taken", pawn.name)
            }
            Question::Passed(pawn, other) => {
                format!("whether the {} has passed the {}", pawn.name, other.name)
            }
            Question::Race(one, other) => format!(
                "moves that the {} needs less than the {} to promote, 4 is as many",
                one.name, other.name
            ),
            Question::HasOpposition(one, _) => {
                format!("whether the {} has the opposition, the weak side to move", one.name)
            }
            Question::Attacked(man) => {
                format!("whether the {} is attacked by a man of the other side", man.name)
            }
            Question::EnPrise(man) => {
                format!("whether the {} is attacked and not guarded", man.name)
            }
            Question::Pinned(man) => format!("whether the {} is pinned to its king", man.name),
            Question::Forks(man) => format!(
                "whether the {} could go where it attacks the other king and another man and is not taken",
                man.name
            ),
            Question::SafeMoves(man) => {
                format!("squares to which the {} could go and not be taken", man.name)
            }
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
            Question::Race(..) => format!("{:+}", i16::from(value) - 4),
            _ => value.to_string(),
        }
    }
}
