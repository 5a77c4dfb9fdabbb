//! The values of attributes, as expressions of the small language.
//!
//! In a name, `{X}` and `{Y}` are two men of the material, in order; in an expression `$X` is the
//! square of that man and `#X` its number. `$K` and `$k` are the kings' squares. `{T}` is the letter of
//! two equal men.

use super::man::Man;

/// Functions that the expressions call, besides those of chess.
pub(super) const HELPERS: &str =
    concat!(include_str!("attributes.txt"), "\n", include_str!("endgames.txt"));

/// The men that an attribute is about.
#[derive(Clone, Copy)]
enum Subject {
    /// No man in particular.
    None,
    /// Any man.
    Man,
    /// Any strong man except the king.
    Piece,
    /// Any man except the kings.
    AnyPiece,
    /// A strong rook or queen.
    Heavy,
    /// Either king, or as [`Self::Party`].
    KingOrParty,
    /// Any two men.
    Pair,
    /// Any two men, at least one a bishop.
    PairWithBishop,
    /// Any two men, at least one a knight.
    PairWithKnight,
    /// Any two men, at least one a pawn.
    PairWithPawn,
    /// A king and a strong bishop, in this order.
    KingAndBishop,
    /// A pawn.
    Pawn,
    /// A strong man except the king. For two equal men the name has `BLeast`, `BGreatest` or `BSum`:
    /// the least, the greatest or the sum of both values.
    Party,
    /// Like [`Self::Party`], for rooks and queens only.
    HeavyParty,
    /// Two equal strong men.
    Twins,
    /// A strong bishop.
    Bishop,
    /// Two strong bishops.
    Bishops,
    /// Any man, and the only strong bishop.
    WithBishop,
    /// The weak rook.
    WeakRook,
    /// The strong queen and the weak rook.
    QueenAndRook,
}

impl Subject {
    /// The candidates for `X` and `Y`; if there is only one man, it is both.
    fn choices(self, men: &[Man]) -> Vec<[&Man; 2]> {
        let one = |is: fn(&Man) -> bool| men.iter().filter(move |man| is(man)).map(|man| [man; 2]);
        let pairs = || {
            let after = |(at, one)| men[at + 1..].iter().map(move |other| [one, other]);
            men.iter().enumerate().flat_map(after)
        };
        let pairs_with = |kind| -> Vec<[&Man; 2]> {
            pairs().filter(|pair| pair.iter().any(|man| man.kind == kind)).collect()
        };
        match self {
            Self::None => vec![[&men[0]; 2]],
            Self::Man => one(|_| true).collect(),
            Self::Piece | Self::Party => one(|man| man.is_strong && man.kind != 'K').collect(),
            Self::AnyPiece => one(|man| man.kind != 'K').collect(),
            Self::Heavy | Self::HeavyParty => {
                one(|man| man.is_strong && "QR".contains(man.kind)).collect()
            }
            Self::KingOrParty => one(|man| man.is_strong || man.kind == 'K').collect(),
            Self::Pawn => one(|man| man.kind == 'P').collect(),
            Self::Twins | Self::Bishops => pairs()
                .filter(|[one, other]| one.is_twin() && one.is_strong && other.is_strong)
                .filter(|[one, other]| one.kind == other.kind)
                .filter(|[one, _]| matches!(self, Self::Twins) || one.kind == 'B')
                .collect(),
            Self::WithBishop => match Self::Bishop.choices(men).as_slice() {
                &[[bishop, _]] => men.iter().map(|man| [man, bishop]).collect(),
                _ => Vec::new(),
            },
            Self::Bishop => one(|man| man.is_strong && man.kind == 'B').collect(),
            Self::WeakRook => one(|man| !man.is_strong && man.kind == 'R').collect(),
            Self::QueenAndRook => pairs()
                .filter(|[queen, rook]| queen.is_strong && queen.kind == 'Q' && rook.letters == "r")
                .collect(),
            Self::Pair => pairs().collect(),
            Self::PairWithBishop => pairs_with('B'),
            Self::PairWithKnight => pairs_with('N'),
            Self::PairWithPawn => pairs_with('P'),
            Self::KingAndBishop => pairs()
                .filter(|[one, other]| one.kind == 'K' && other.kind == 'B' && other.is_strong)
                .collect(),
        }
    }
}

macro_rules! shared {
    (
        $K:ident, $k:ident, $X:ident, $Y:ident;
        $($name:literal $of:ident { $value:expr })*
    ) => {
        /// The attributes whose values the library takes from the same table.
        const SHARED: &[(&str, Subject, &str)] = &[$(($name, Subject::$of, stringify!($value))),*];
    };
}

lucena_tree::attribute_values!(shared, SQUARE_K, SQUARE_k, SQUARE_X, SQUARE_Y);

/// The attributes whose values need the rules of chess. To support another one, add a line.
const SOURCES: &[(&str, Subject, &str)] = &[
    ("kInCheck", Subject::None, "number(in_check(board))"),
    ("kCanMove", Subject::None, "number(king_moves(board) > 0)"),
    ("kMoves", Subject::None, "king_moves(board)"),
    ("kRoom", Subject::None, "room(board)"),
    ("{X}Hangs", Subject::Piece, "number(steps($k, $X) == 1 && !is_guarded(board, #X))"),
    ("{X}Guarded", Subject::AnyPiece, "number(is_guarded(board, #X))"),
    ("{X}{Y}KnightSteps", Subject::PairWithKnight, "knight_steps($X, $Y)"),
    ("{X}{Y}RightCornerSteps", Subject::KingAndBishop, "colored_corner_steps($X, color_of($Y))"),
    (
        "{X}{Y}WrongCornerSteps",
        Subject::KingAndBishop,
        "colored_corner_steps($X, 1 - color_of($Y))",
    ),
    ("{X}PromotionSteps", Subject::Pawn, "7 - $X / 8 - number($X < 16)"),
    ("kReady", Subject::None, "ready(board)"),
    ("kStalemate", Subject::None, "number(!in_check(board) && !can_move(board, WEAK))"),
    ("kChecks", Subject::None, "checks(board)"),
    ("kCovered", Subject::None, "covered(board)"),
    ("kGuardedAround", Subject::None, "guarded_around(board)"),
    ("kCage", Subject::None, "cage(board)"),
    ("kEscapes", Subject::None, "reach(board, without(board, WEAK_KING), 2)"),
    ("kTakes", Subject::None, "king_takes(board)"),
    ("KGuards", Subject::None, "king_guards(board)"),
    ("{X}Mobility", Subject::Party, "mobility(board, #X)"),
    ("kExposes", Subject::None, "exposes(board)"),
    ("{X}Advance", Subject::Pawn, "$X / 8 - 1"),
    ("k{X}Lead", Subject::Pawn, "steps($k, 56 + $X % 8) + $X / 8 + number($X < 16) - 1"),
    ("K{X}Front", Subject::Pawn, "7 + $K / 8 - $X / 8"),
    ("k{X}Front", Subject::Pawn, "7 + $k / 8 - $X / 8"),
    ("K{X}FilesApart", Subject::Pawn, "files($K, $X)"),
    ("k{X}FilesApart", Subject::Pawn, "files($k, $X)"),
    ("KSixthRank", Subject::Pawn, "number($K / 8 == 5)"),
    // Pawns.
    ("{X}Blocked", Subject::Pawn, "number(man_on(board, $X + 8) < MEN)"),
    ("{X}CanAdvance", Subject::Pawn, "number(can_advance(board, #X))"),
    ("K{X}KeySquare", Subject::Pawn, "number(is_key($X, $K))"),
    ("k{X}Catches", Subject::Pawn, "number(catches($X, $k))"),
    ("K{X}PromotionSteps", Subject::Pawn, "steps($K, promotion_square($X))"),
    ("k{X}PromotionSteps", Subject::Pawn, "steps($k, promotion_square($X))"),
    ("{X}{Y}InFront", Subject::PairWithPawn, "number($X % 8 == $Y % 8 && $X / 8 > $Y / 8)"),
    ("K{X}KeySteps", Subject::Pawn, "key_steps($X, $K)"),
    ("k{X}KeySteps", Subject::Pawn, "key_steps($X, $k)"),
    ("{X}RookPawn", Subject::Pawn, "number(to_edge($X % 8) == 0)"),
    ("{X}GuardedByKing", Subject::Pawn, "number(steps($K, $X) == 1)"),
    ("{X}CornerHeld", Subject::Pawn, "number(corner_held($X, $K, $k))"),
    ("{X}Runs", Subject::Pawn, "number(runs(board, #X))"),
    // Bishops.
    ("kWall", Subject::Bishops, "number(wall_size($X, $Y, $k) < 64)"),
    ("kWallSize", Subject::Bishops, "wall_size($X, $Y, $k)"),
    ("kBCovered", Subject::Bishop, "bishops_cover(board)"),
    // Bishop and knight.
    ("{X}TargetSteps", Subject::WithBishop, "target_steps($X, $Y, $k)"),
    ("{X}TargetSum", Subject::WithBishop, "target_sum($X, $Y, $k)"),
    ("{X}TargetJumps", Subject::WithBishop, "target_jumps($X, $Y, $k)"),
    ("KTargetSupport", Subject::WithBishop, "number(target_jumps($K, $Y, $k) == 1)"),
    ("kScreened", Subject::WithBishop, "screened(board, $Y, 1)"),
    ("kUnscreened", Subject::WithBishop, "screened(board, $Y, 0)"),
    ("kTriangle", Subject::WithBishop, "triangle($k, $Y)"),
    ("{Y}Triangle", Subject::WithBishop, "bishop_triangle($k, $Y)"),
    ("{X}WSquare", Subject::WithBishop, "w_square($X, $Y, $k)"),
    ("kWrongRoom", Subject::WithBishop, "wrong_room(board, $Y)"),
    ("kWrongCage", Subject::WithBishop, "wrong_cage(board, $Y)"),
    // Against a rook.
    ("kDesperado", Subject::None, "number(king_moves(board) == 0 && !in_check(board))"),
    ("{X}DoubleAttack", Subject::Piece, "number(attacks_two(board, #X))"),
    (
        "{X}ThirdRank",
        Subject::WeakRook,
        "number(keeps_off($X / 8, $k / 8, $K / 8) || keeps_off($X % 8, $k % 8, $K % 8))",
    ),
    ("{X}{Y}Philidor", Subject::QueenAndRook, "number(is_philidor($K, $X, $k, $Y))"),
];

/// The expression for an attribute, or `None` if it is not supported.
pub(super) fn source(name: &str, men: &[Man]) -> Option<String> {
    SHARED.iter().chain(SOURCES).find_map(|(pattern, of, text)| {
        let text = &text.replace("SQUARE_", "$");
        let choices = of.choices(men);
        let is_it = |&[one, other]: &[&Man; 2]| {
            let written = pattern.replace("{X}", &one.letters).replace("{Y}", &other.letters);
            written.replace("{T}", &one.kind.to_string()) == name
        };
        if let Some(pair) = choices.iter().copied().find(is_it) {
            return Some(about(text, pair, men));
        }
        if !matches!(of, Subject::Party | Subject::HeavyParty | Subject::KingOrParty) {
            return None;
        }
        // Combine the values of two equal men.
        let twins: Vec<&Man> =
            choices.iter().map(|[man, _]| *man).filter(|man| man.is_twin()).collect();
        let &[first, second] = twins.as_slice() else { return None };
        let [one, other] = [first, second].map(|man| about(text, [man, man], men));
        let (before, behind) = pattern.split_once("{X}")?;
        let word = name.strip_prefix(before)?.strip_prefix(first.kind)?.strip_suffix(behind)?;
        match word {
            "Least" => Some(format!("least({one}, {other})")),
            "Greatest" => Some(format!("greatest({one}, {other})")),
            "Sum" => Some(format!("{one} + {other}")),
            _ => None,
        }
    })
}

/// Fills the men into an expression.
fn about(text: &str, [one, other]: [&Man; 2], men: &[Man]) -> String {
    let named = [("X", one), ("Y", other), ("K", &men[0]), ("k", &men[1])];
    named.iter().fold(text.to_owned(), |text, (letter, man)| {
        text.replace(&format!("${letter}"), &format!("board[{}]", man.constant))
            .replace(&format!("#{letter}"), &man.constant)
    })
}
