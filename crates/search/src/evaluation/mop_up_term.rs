use super::attacks;
use cozy_chess::{get_king_moves, get_pawn_attacks};
use lucena_base::named::named;
use lucena_chess::{Bitboard, Board, Color, Role, Square};

named! {
    /// A term of a mop-up. The side with more material is called strong, the other weak. The *room*
    /// is the set of squares that the weak king can reach while the others stand still.
    ///
    /// A term has either one weight, multiplied by its points, or one weight for each of its
    /// values.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum MopUpTerm {
        /// The distance between the kings in king moves: a weight for each of 2 to 7.
        Kings = "kings",
        /// The closeness of the kings, 14 minus the sum of their distances in ranks and files: 0 to
        /// 12.
        Approach = "approach",
        /// The kings are in direct opposition with the weak side to move: 0 or 1.
        Opposition = "opposition",
        /// The kings are a knight's move apart with the weak side to move: 0 or 1.
        KnightsMove = "knights-move",
        /// The distance of the strong king from the nearest edge: 0 to 3.
        Centre = "centre",
        /// The number of squares that the weak king can move to without capturing: a weight for
        /// each of 0 to 8.
        Flights = "flights",
        /// The shorter side of the room, in ranks or files: a weight for each of 1 to 8.
        Shorter = "shorter",
        /// The number of ranks or files outside the longer side of the room: 0 to 7.
        Longer = "longer",
        /// The weak king is in check: 0 or 1.
        Check = "check",
        /// For each man, the number of directions (rank and file) in which it stands between the
        /// kings: 0 to 2.
        Between = "between",
        /// The distance of the weak king from the nearest man other than the king, in king moves: a
        /// weight for each of 1 to 7.
        Nearest = "nearest",
        /// The number of unguarded men that the weak king can capture, if it is to move.
        Hanging = "hanging",
    }
}

/// The number of terms.
pub(super) const TERMS: usize = 12;

impl MopUpTerm {
    /// The number of weights: 1 if the term counts points, else one for each of its values.
    pub fn values(self) -> usize {
        self.legend().0.count()
    }

    /// The values of a term with a weight for each, and a description of them for error messages;
    /// the other terms have one weight.
    pub(super) fn legend(self) -> (std::ops::RangeInclusive<usize>, &'static str) {
        match self {
            Self::Kings => (2..=7, "give one for each number of steps between the kings, 2 to 7"),
            Self::Flights => (
                0..=8,
                "give one for each number of squares that the king can go to without taking, 0 to 8",
            ),
            Self::Shorter => (1..=8, "give one for each length of the room's shorter side, 1 to 8"),
            Self::Nearest => {
                (1..=7, "give one for each number of steps to the nearest man, 1 to 7")
            }
            _ => (0..=0, "give one, for each of its points"),
        }
    }
}

/// The points of each term on a board, in the order of [`MopUpTerm`], or the index of its value
/// from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MopUpPoints(pub(super) [i16; TERMS]);

impl MopUpPoints {
    /// The points of a board with a strong side.
    pub fn new(board: &Board, strong: Color) -> Self {
        let weak = !strong;
        let (own, king) = (board.king(strong), board.king(weak));
        let men = board.colors(strong) ^ own.bitboard();
        // The weak king does not block sliders: squares behind it are attacked too.
        let occupied = board.occupied() ^ king.bitboard();
        let by_pawns = board.colored_pieces(strong, Role::Pawn).into_iter();
        let attacked = by_pawns.fold(attacks(board, strong, occupied), |all, pawn| {
            all | get_pawn_attacks(pawn, strong)
        });
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

/// The squares that a king can reach without crossing barred squares, including its own.
pub fn room(king: Square, barred: Bitboard) -> Bitboard {
    let mut reached = king.bitboard();
    loop {
        let next = reached | around(reached) & !barred;
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

/// The squares and all squares next to them.
fn around(squares: Bitboard) -> Bitboard {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let row = squares.0 | (squares.0 & NOT_H) << 1 | (squares.0 & NOT_A) >> 1;
    Bitboard(row | row << 8 | row >> 8)
}

/// The number of files that a connected set of squares spans.
fn along_files(squares: Bitboard) -> u8 {
    let folded = (0..8).fold(0_u64, |all, rank| all | squares.0 >> (8 * rank)) as u8;
    folded.count_ones() as u8
}

/// The number of ranks that a connected set of squares spans.
fn along_ranks(squares: Bitboard) -> u8 {
    squares.0.to_le_bytes().into_iter().filter(|&rank| rank != 0).count() as u8
}

/// The distances between two squares in files and in ranks.
fn apart(one: Square, other: Square) -> [u8; 2] {
    let [one, other] = [one, other].map(|square| [square.file() as u8, square.rank() as u8]);
    [one[0].abs_diff(other[0]), one[1].abs_diff(other[1])]
}

/// The distance of a square from the nearest edge.
fn from_edge(square: Square) -> u8 {
    let off = |along: u8| along.min(7 - along);
    off(square.file() as u8).min(off(square.rank() as u8))
}

/// The number of directions (file and rank) in which a square lies between two others.
fn between(one: Square, middle: Square, other: Square) -> usize {
    let along = [one, middle, other].map(|square| [square.file() as u8, square.rank() as u8]);
    let is_between = |way: usize| {
        let [one, middle, other] = along.map(|square| square[way]);
        (one < middle && middle < other) || (other < middle && middle < one)
    };
    [0, 1].into_iter().filter(|&way| is_between(way)).count()
}
