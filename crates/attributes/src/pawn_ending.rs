//! The pawn ending of king and pawn against king, solved from the rules of chess.
//!
//! A pawn that promotes wins if its queen or rook is neither captured nor stalemates. So the ending needs no other: for
//! each square of the pawn and of its king, the squares of the other king are found from which the ending is won.
//!
//! The pawn runs up. Its moves lead to squares that are nearer to promotion, and these are solved first. On one square
//! only the kings move, and squares of the other king are added until nothing changes.

use cozy_chess::{get_king_moves, get_pawn_attacks};
use lucena_chess::{Bitboard, Color, File, MAX_MEN, Material, Position, Rank, Role, Side, Square};
use std::sync::OnceLock;

/// The ranks of the pawn, those that are nearer to promotion first.
const RANKS: [Rank; 6] =
    [Rank::Seventh, Rank::Sixth, Rank::Fifth, Rank::Fourth, Rank::Third, Rank::Second];

/// The files of the pawn; the others are their mirror images.
const FILES: [File; 4] = [File::A, File::B, File::C, File::D];

/// For a square of the pawn, by the square of its king: the squares of the other king from which the ending is won.
#[derive(Clone, Copy)]
struct WonSquares {
    /// The pawn's side is to move.
    moving: [Bitboard; 64],
    /// The other side is to move.
    waiting: [Bitboard; 64],
}

/// All squares of the pawn on the files a to d, by the square's number. The first rank has none.
static WON: OnceLock<Vec<WonSquares>> = OnceLock::new();

/// Returns true if the side of a pawn wins. The position has nothing but kings and this pawn.
pub(super) fn is_won(position: &Position) -> bool {
    let turned = |square: Square| match position.strong() {
        Color::White => square,
        Color::Black => square.flip_rank(),
    };
    let [own, other, pawn] = [0, 1, 2].map(|slot| turned(position.squares()[slot]));
    let mirrors = pawn.file() > File::D;
    let [own, other, pawn] =
        [own, other, pawn].map(|square| if mirrors { square.flip_file() } else { square });
    let won = &WON.get_or_init(solve)[number(pawn)];
    let squares = match position.turn() {
        Side::Strong => &won.moving,
        Side::Weak => &won.waiting,
    };
    squares[own as usize].has(other)
}

/// The place of a pawn's square in the list.
fn number(pawn: Square) -> usize {
    4 * pawn.rank() as usize + pawn.file() as usize
}

fn solve() -> Vec<WonSquares> {
    let empty = WonSquares { moving: [Bitboard::EMPTY; 64], waiting: [Bitboard::EMPTY; 64] };
    let mut all = vec![empty; 4 * 7];
    for rank in RANKS {
        for file in FILES {
            let pawn = Square::new(file, rank);
            all[number(pawn)] = solve_square(pawn, &all);
        }
    }
    all
}

/// The pawn on one square, given those nearer to promotion.
fn solve_square(pawn: Square, known: &[WonSquares]) -> WonSquares {
    let attacked = get_pawn_attacks(pawn, Color::White);
    let free = |own: Square| !(own.bitboard() | pawn.bitboard() | get_king_moves(own));
    let of_pawn = Square::ALL.map(|own| match own == pawn {
        true => Bitboard::EMPTY,
        false => won_by_pawn(pawn, own, known) & free(own) & !attacked,
    });
    let mut won = WonSquares { moving: of_pawn, waiting: [Bitboard::EMPTY; 64] };
    loop {
        let before = won.waiting;
        for own in Square::ALL.into_iter().filter(|&own| own != pawn) {
            let is_lost = |other: &Square| is_lost(*other, own, pawn, &won.moving[own as usize]);
            won.waiting[own as usize] = free(own).into_iter().filter(is_lost).collect();
        }
        if won.waiting == before {
            return won;
        }
        for own in Square::ALL.into_iter().filter(|&own| own != pawn) {
            let goals = get_king_moves(own) & !pawn.bitboard();
            let by_king =
                goals.into_iter().fold(Bitboard::EMPTY, |all, to| all | won.waiting[to as usize]);
            won.moving[own as usize] |= by_king & free(own) & !attacked;
        }
    }
}

/// Returns true if the other king, to move, is lost: each of its moves leads to one of these squares, and it has one.
/// A pawn alone never mates.
fn is_lost(other: Square, own: Square, pawn: Square, won: &Bitboard) -> bool {
    let goals = get_king_moves(other) & !get_king_moves(own);
    let goals = goals & !get_pawn_attacks(pawn, Color::White);
    // Another capture than that of the pawn is impossible, since kings keep apart.
    !goals.is_empty() && (goals & !*won).is_empty()
}

/// The squares of the other king from which a move of the pawn wins, among squares that are not all legal.
fn won_by_pawn(pawn: Square, own: Square, known: &[WonSquares]) -> Bitboard {
    let up = |square: Square| Square::new(square.file(), Rank::index(square.rank() as usize + 1));
    let next = up(pawn);
    if own == next {
        return Bitboard::EMPTY;
    }
    if next.rank() == Rank::Eighth {
        return won_by_promotion(next, own);
    }
    let one = known[number(next)].waiting[own as usize];
    let second = up(next);
    if pawn.rank() != Rank::Second || own == second {
        return one;
    }
    one | (known[number(second)].waiting[own as usize] & !next.bitboard())
}

/// The squares of the other king from which a queen or a rook, new on a square, wins: it is not captured, and the king
/// can move or is mated.
fn won_by_promotion(at: Square, own: Square) -> Bitboard {
    let wins = |other: Square, role: Role| {
        let Ok(material) = Material::new(&[Role::King, role], &[Role::King]) else { return false };
        let mut squares = [Square::A1; MAX_MEN];
        squares[..3].copy_from_slice(&[own, other, at]);
        let position = Position::from_slots_unchecked(material, Side::Weak, squares);
        let goals = position.king_targets(Side::Weak);
        !goals.has(at) && (!goals.is_empty() || position.is_check())
    };
    let is_won =
        |other: &Square| *other != at && (wins(*other, Role::Queen) || wins(*other, Role::Rook));
    Square::ALL.into_iter().filter(is_won).collect()
}
