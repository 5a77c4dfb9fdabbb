use cozy_chess::{
    get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use lucena_base::named::named;
use lucena_chess::{Bitboard, Board, Color, Role, Square};

/// What a mop-up looks at. The side that has more is called strong, the other weak; the *room* is
/// all that the weak king can get to while the others stand still.
///
/// A term has one weight, which counts for each of its points, or a weight for each of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MopUpTerm {
    /// How many steps a king needs to the other one: a weight for each of 2 to 7.
    Kings,
    /// How many ranks and files the kings are nearer than they could be: 0 to 12.
    Approach,
    /// The kings face each other, one square between them, and the weak side is to move: 0 or 1.
    Opposition,
    /// The kings are a knight's move apart and the weak side is to move: 0 or 1.
    KnightsMove,
    /// How many squares the strong king is from the nearest edge: 0 to 3.
    Centre,
    /// How many squares the weak king can go to without taking a man: a weight for each of 0 to 8.
    Flights,
    /// How many ranks or files the room takes up, the fewer of them: a weight for each of 1 to 8.
    Shorter,
    /// How many ranks or files the room leaves free, the fewer of them: 0 to 7.
    Longer,
    /// The weak king is in check: 0 or 1.
    Check,
    /// On how many ranks and files a man stands between the kings: 0 to 2 for each man.
    Between,
    /// How many steps the weak king needs to the nearest man but the king: a weight for each of 1 to 7.
    Nearest,
    /// How many men the weak king can take: it is to move, and nobody guards them.
    Hanging,
}

named!(MopUpTerm {
    "kings": Kings,
    "approach": Approach,
    "opposition": Opposition,
    "knights-move": KnightsMove,
    "centre": Centre,
    "flights": Flights,
    "shorter": Shorter,
    "longer": Longer,
    "check": Check,
    "between": Between,
    "nearest": Nearest,
    "hanging": Hanging,
});

/// How many terms there are.
pub(super) const TERMS: usize = 12;

impl MopUpTerm {
    /// How many weights the term has: 1 if it counts points, else one for each of its values.
    pub fn values(self) -> usize {
        match self {
            Self::Kings => 6,
            Self::Flights => 9,
            Self::Shorter => 8,
            Self::Nearest => 7,
            _ => 1,
        }
    }

    /// The first of its values, where it has a weight for each.
    pub(super) fn first_value(self) -> usize {
        match self {
            Self::Kings => 2,
            Self::Shorter | Self::Nearest => 1,
            _ => 0,
        }
    }

    /// What its weights are for, in words.
    pub(super) fn legend(self) -> &'static str {
        match self {
            Self::Kings => "give one for each number of steps between the kings, 2 to 7",
            Self::Flights => {
                "give one for each number of squares that the king can go to without taking, 0 to 8"
            }
            Self::Shorter => "give one for each length of the room's shorter side, 1 to 8",
            Self::Nearest => "give one for each number of steps to the nearest man, 1 to 7",
            _ => "give one, for each of its points",
        }
    }
}

/// What each term is on a board, in the order of [`MopUpTerm`]: its points, or the number of its value,
/// the first being 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MopUpPoints(pub(super) [i16; TERMS]);

impl MopUpPoints {
    /// What the terms are on a board with a strong side.
    pub fn of(board: &Board, strong: Color) -> Self {
        let weak = !strong;
        let (own, king) = (board.king(strong), board.king(weak));
        let men = board.colors(strong) ^ own.bitboard();
        // The king does not hide squares behind itself from a slider.
        let attacked = attacks(board, strong, board.occupied() ^ king.bitboard());
        let barred = attacked | board.colors(weak) ^ king.bitboard();
        let open = get_king_moves(king) & !barred;
        let room = room(king, barred);
        let [files, ranks] = [along_files(room), along_ranks(room)];
        let is_weak_to_move = board.side_to_move() == weak;
        let [across, up] = apart(own, king);
        let is_apart = |one: u8, other: u8| {
            is_weak_to_move && across.min(up) == one && across.max(up) == other
        };
        let between: usize = men.into_iter().map(|man| between(own, man, king)).sum();
        let steps = men.into_iter().map(|man| apart(man, king)).map(|[across, up]| across.max(up));
        let nearest = steps.min().unwrap_or(7);
        let hanging = if is_weak_to_move { (open & men).len() } else { 0 };
        Self([
            i16::from(across.max(up)) - 2,
            14 - i16::from(across + up),
            is_apart(0, 2).into(),
            is_apart(1, 2).into(),
            from_edge(own).into(),
            (open & !men).len() as i16,
            i16::from(files.min(ranks)) - 1,
            8 - i16::from(files.max(ranks)),
            (is_weak_to_move && !board.checkers().is_empty()).into(),
            between as i16,
            i16::from(nearest) - 1,
            hanging as i16,
        ])
    }
}

/// The squares that a king can get to over squares that are not barred, its own included.
fn room(king: Square, barred: Bitboard) -> Bitboard {
    let mut reached = king.bitboard();
    loop {
        let next = reached | around(reached) & !barred;
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

/// Squares and all beside them.
fn around(squares: Bitboard) -> Bitboard {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let row = squares.0 | (squares.0 & NOT_H) << 1 | (squares.0 & NOT_A) >> 1;
    Bitboard(row | row << 8 | row >> 8)
}

/// How many files squares that hang together take up.
fn along_files(squares: Bitboard) -> u8 {
    let folded = (0..8).fold(0_u64, |all, rank| all | squares.0 >> (8 * rank)) as u8;
    folded.count_ones() as u8
}

/// How many ranks they take up.
fn along_ranks(squares: Bitboard) -> u8 {
    squares.0.to_le_bytes().into_iter().filter(|&rank| rank != 0).count() as u8
}

fn attacks(board: &Board, color: Color, occupied: Bitboard) -> Bitboard {
    let own = board.colors(color);
    let queens = board.pieces(Role::Queen);
    let mut attacked = get_king_moves(board.king(color));
    for square in own & board.pieces(Role::Pawn) {
        attacked |= get_pawn_attacks(square, color);
    }
    for square in own & board.pieces(Role::Knight) {
        attacked |= get_knight_moves(square);
    }
    for square in own & (board.pieces(Role::Bishop) | queens) {
        attacked |= get_bishop_moves(square, occupied);
    }
    for square in own & (board.pieces(Role::Rook) | queens) {
        attacked |= get_rook_moves(square, occupied);
    }
    attacked
}

/// How many files and how many ranks two squares are apart.
fn apart(one: Square, other: Square) -> [u8; 2] {
    let [one, other] = [one, other].map(|square| [square.file() as u8, square.rank() as u8]);
    [one[0].abs_diff(other[0]), one[1].abs_diff(other[1])]
}

/// How many squares a square is from the nearest edge.
fn from_edge(square: Square) -> u8 {
    let off = |along: u8| along.min(7 - along);
    off(square.file() as u8).min(off(square.rank() as u8))
}

/// Whether a square lies between two others by its file, and by its rank: how many of both.
fn between(one: Square, middle: Square, other: Square) -> usize {
    let along = [one, middle, other].map(|square| [square.file() as u8, square.rank() as u8]);
    let is_between = |way: usize| {
        let [one, middle, other] = along.map(|square| square[way]);
        (one < middle && middle < other) || (other < middle && middle < one)
    };
    [0, 1].into_iter().filter(|&way| is_between(way)).count()
}
