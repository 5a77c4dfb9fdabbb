use super::{Axis, Man};

/// Which two corners are meant, as a bishop sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Corner {
    /// Those of the colour on which it stands.
    Right,
    /// The others.
    Wrong,
}

impl Corner {
    pub(super) const BOTH: [Self; 2] = [Self::Right, Self::Wrong];
}

/// What an attribute asks. The boards show a corner of the board; a value is given under each.
///
/// Attributes describe positions with the weak side to move. Equal men are numbered in the order of
/// their squares; with pawns the strong side is read as White, so that its pawns run up.
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
    /// Has the weak king, or another man, a legal move, captures too, if it is its turn? Captures en
    /// passant are not counted.
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
    /// Is a man guarded by another of its side, so that the other king could not take it?
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
    /// before all, is below. With pawns it is only mirrored from side to side. How many ranks (along the file) or files (along the rank) is a man then
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
    /// Do two men stand on one diagonal?
    ///
    /// ```text
    /// 3 . . B .
    /// 2 . . . .
    /// 1 k . K N
    ///   a b c d      kBDiagonal = 1, KBDiagonal = 0, BNDiagonal = 0
    /// ```
    Diagonal(Man, Man),
    /// Do two men stand on squares of one colour?
    ///
    /// ```text
    /// 3 . . B .
    /// 2 . . . .
    /// 1 k . K N
    ///   a b c d      kBSameColor = 1, BNSameColor = 0
    /// ```
    SameColor(Man, Man),
    /// How many moves has a king to the nearest corner of a bishop's colour, the right one; or of the
    /// other, the wrong one? From 0 to 7.
    ///
    /// ```text
    /// 3 . k . .
    /// 2 . . . .
    /// 1 K . B .
    ///   a b c d      kBRightCornerSteps = 2, kBWrongCornerSteps = 5
    /// ```
    BishopCorner(Man, Man, Corner),
    /// How many moves has a knight between two men, on an empty board? From 1 to 6.
    ///
    /// ```text
    /// 3 . . . .
    /// 2 . . . .
    /// 1 k . K N
    ///   a b c d      kNKnightSteps = 3, KNKnightSteps = 3
    /// ```
    KnightSteps(Man, Man),
    /// How many moves does a pawn need to promote? With the double step from the second rank as many
    /// as from the third. From 1 to 5.
    ///
    /// ```text
    /// 4 k . . .
    /// 3 . . . .
    /// 2 . P . .
    /// 1 . . K .
    ///   a b c d      PPromotionSteps = 5
    /// ```
    Promotion(Man),
    /// How many moves has a king to the square on which a pawn promotes? From 0 to 7.
    ///
    /// ```text
    /// 4 k . . .
    /// 3 . . . .
    /// 2 . P . .
    /// 1 . . K .
    ///   a b c d      KPPromotionSteps = 7, kPPromotionSteps = 4
    /// ```
    PromotionSteps(Man, Man),
    /// Is the square on which a pawn promotes of the colour of a bishop?
    ///
    /// ```text
    /// 8 . . k .
    /// 7 . . . .
    /// 6 P . . .
    /// 5 K B . .
    ///   a b c d      PBPromotionColor = 1
    /// ```
    PromotionColor(Man, Man),
    /// The rule of the square: does a king catch a pawn of the other side if both run, the weak side
    /// begins, and nobody else matters?
    ///
    /// ```text
    /// 8 . . . .
    /// 7 . . . .
    /// 6 P . . k
    /// 5 . . . .
    ///   a b c d      kPCatches = 1
    /// ```
    Catches(Man, Man),
    /// Does a king stand on a key square of its pawn, from which it forces the pawn through whoever is
    /// to move, if the other side has nothing but its king? Three squares two ranks ahead; from the
    /// fifth rank on those one rank ahead too; on the seventh what touches the promotion square; of a
    /// rook pawn the seventh and the eighth square of the file beside it.
    ///
    /// ```text
    /// 6 . K . .
    /// 5 . . . .
    /// 4 . P . .
    /// 3 . . . .
    ///   a b c d      KPKeySquare = 1
    /// ```
    KeySquare(Man, Man),
    /// Does a man stand in front of a pawn, on its way to promotion?
    ///
    /// ```text
    /// 6 . k . .
    /// 5 . . . .
    /// 4 . P . .
    /// 3 . K . .
    ///   a b c d      kPInFront = 1, KPInFront = 0
    /// ```
    InFront(Man, Man),
    /// Is the square ahead of a pawn taken?
    ///
    /// ```text
    /// 6 . . . .
    /// 5 . k . .
    /// 4 . P . .
    /// 3 . K . .
    ///   a b c d      PBlocked = 1
    /// ```
    Blocked(Man),
    /// Could a pawn go to the square ahead of it, and not be taken there?
    ///
    /// ```text
    /// 6 . k . .
    /// 5 . . . .
    /// 4 . P . .
    /// 3 . K . .
    ///   a b c d      PCanAdvance = 0
    /// ```
    CanAdvance(Man),
    /// Is a pawn passed: is the other side's pawn not ahead of it, neither on its file nor beside?
    ///
    /// ```text
    /// 6 . . p .
    /// 5 . . . .
    /// 4 . P . .
    /// 3 . . . .
    ///   a b c d      PPassed = 0, pPassed = 0
    /// ```
    Passed(Man, Man),
    /// How many moves fewer does the strong side's pawn need to promote than the weak side's? From -4
    /// to 4, kept as 0 to 8.
    ///
    /// ```text
    /// 6 . . p .
    /// 5 . . . .
    /// 4 . P . .
    /// 3 . . . .
    ///   a b c d      PpRace = +1
    /// ```
    Race(Man, Man),
    /// Has the strong king the opposition, the weak side being to move: are the kings on one file, rank
    /// or diagonal with an odd number of squares between them?
    ///
    /// ```text
    /// 5 . k . .
    /// 4 . . . .
    /// 3 . K . .
    /// 2 . P . .
    ///   a b c d      KkOpposition = 1
    /// ```
    HasOpposition(Man, Man),
    /// Is a man attacked by one of the other side, its king too?
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . . .
    /// 1 k n K .
    ///   a b c d      RAttacked = 1, nAttacked = 1, nGuarded = 1
    /// ```
    Attacked(Man),
    /// Is a man attacked by one of the other side, and not guarded?
    ///
    /// ```text
    /// 3 R . . .
    /// 2 . . . .
    /// 1 k n K .
    ///   a b c d      REnPrise = 1, nEnPrise = 0
    /// ```
    EnPrise(Man),
    /// Is a man pinned to its king by a line piece?
    ///
    /// ```text
    /// 3 R . . .
    /// 2 n . . .
    /// 1 k . . K
    ///   a b c d      nPinned = 1, nCanMove = 0
    /// ```
    Pinned(Man),
    /// Could a man, if it is its turn, go to a square where it is not taken and attacks the other king
    /// and another man at once?
    ///
    /// ```text
    /// 4 n . R .
    /// 3 . . . .
    /// 2 . . . .
    /// 1 k . . K
    ///   a b c d      nFork = 1
    /// ```
    Forks(Man),
    /// To how many squares could a man go, if it is its turn, and not be taken there? From 0 to 27.
    ///
    /// ```text
    /// 4 n . R .
    /// 3 . . . .
    /// 2 . . . .
    /// 1 k . . K
    ///   a b c d      nSafeMoves = 2
    /// ```
    SafeMoves(Man),
}
