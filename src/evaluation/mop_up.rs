use super::material::to_mover;
use super::{Evaluation, MenValues};
use crate::chess::{Bitboard, Board, Color, Role, Square};
use crate::named::named;
use cozy_chess::{get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves};

/// What a mop-up counts. The side that has more is called strong, the other weak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MopUpTerm {
    /// How many ranks and files the weak king is from the middle of the board, 0 to 6.
    Edge,
    /// How many ranks and files the kings are nearer than they could be, 0 to 13.
    Kings,
    /// How many squares the weak king cannot get to if the others stand still, 0 to 63.
    Room,
    /// How many squares beside the weak king it cannot go to, 0 to 8.
    Covered,
    /// How many men of the strong side the weak king attacks, each counted below nothing.
    Attacked,
    /// How many ranks and files the strong side's pieces are nearer to its king than they could be.
    Together,
}

named!(MopUpTerm {
    "edge": Edge,
    "kings": Kings,
    "room": Room,
    "covered": Covered,
    "attacked": Attacked,
    "together": Together,
});

/// How many terms there are.
const TERMS: usize = 6;

/// What each term weighs, in hundredths of a pawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MopUpWeights(pub [i32; TERMS]);

impl Default for MopUpWeights {
    fn default() -> Self {
        Self([10, 4, 3, 2, 10, 1])
    }
}

/// Sees how near a bare king is to being mated: material, and what drives the king to the edge.
///
/// ```
/// use lucena::chess::Game;
/// use lucena::evaluation::{Evaluation, MopUp};
///
/// let corner: Game = "8/8/8/8/8/2K5/1R6/k7 b - - 0 1".parse()?;
/// let centre: Game = "8/8/8/3k4/8/8/1R6/K7 b - - 0 1".parse()?;
/// assert!(MopUp::default().evaluate(corner.board()) < MopUp::default().evaluate(centre.board()));
/// # Ok::<(), lucena::chess::FenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MopUp {
    /// What the men are worth.
    pub men: MenValues,
    /// What the rest is worth.
    pub weights: MopUpWeights,
}

impl Default for MopUp {
    fn default() -> Self {
        Self { men: MenValues::USUAL, weights: MopUpWeights::default() }
    }
}

impl Evaluation for MopUp {
    fn name(&self) -> String {
        "mop-up".into()
    }

    fn evaluate(&self, board: &Board) -> i32 {
        let balance = self.men.balance(board);
        let strong = match balance {
            0 => return 0,
            1.. => Color::White,
            _ => Color::Black,
        };
        let terms = terms(board, strong);
        let sum: i32 = terms.into_iter().zip(self.weights.0).map(|(term, weight)| term * weight).sum();
        let for_white = if strong == Color::White { sum } else { -sum };
        to_mover(board, balance + for_white)
    }
}

/// What each term counts, in the order of [`MopUpTerm`].
fn terms(board: &Board, strong: Color) -> [i32; TERMS] {
    let weak = !strong;
    let (own, king) = (board.king(strong), board.king(weak));
    let men = board.colors(strong);
    // The king does not hide squares behind itself from a slider.
    let attacked = attacks(board, strong, board.occupied() ^ king.bitboard());
    let beside = get_king_moves(king);
    let room = room(king, attacked | board.colors(weak) ^ king.bitboard());
    let unguarded = beside & men & !attacked;
    let together: i32 =
        (men ^ own.bitboard()).into_iter().map(|man| 14 - steps(own, man)).sum();
    [
        from_middle(king),
        14 - steps(own, king),
        64 - room.len() as i32,
        (beside & attacked).len() as i32,
        -(unguarded.len() as i32),
        together,
    ]
}

/// The squares that a king can get to over squares that are not attacked, its own included.
fn room(king: Square, barred: Bitboard) -> Bitboard {
    let mut reached = king.bitboard();
    let mut open = reached;
    while !open.is_empty() {
        let next = open.into_iter().fold(Bitboard::EMPTY, |all, at| all | get_king_moves(at));
        open = next & !barred & !reached;
        reached |= open;
    }
    reached
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

/// Ranks and files between two squares, added.
fn steps(one: Square, other: Square) -> i32 {
    let apart = |one: u8, other: u8| i32::from(one.abs_diff(other));
    apart(one.file() as u8, other.file() as u8) + apart(one.rank() as u8, other.rank() as u8)
}

/// Ranks and files to the nearest of the four squares in the middle, added.
fn from_middle(square: Square) -> i32 {
    let off = |along: u8| i32::from(if along < 4 { 3 - along } else { along - 4 });
    off(square.file() as u8) + off(square.rank() as u8)
}

