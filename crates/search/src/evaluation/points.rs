use super::MenValues;
use super::part::PARTS;
use cozy_chess::{get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves};
use lucena_chess::{Bitboard, Board, Color, File, Rank, Role};

const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The points of all terms, in the order of [`Part`].
pub(super) fn points(board: &Board, men: &MenValues) -> [i32; PARTS] {
    let [white, black] = [Color::White, Color::Black].map(|color| of_a_side(board, color));
    let mut points = [0; PARTS];
    points[0] = men.balance(board);
    for (part, (white, black)) in (1..).zip(white.into_iter().zip(black)) {
        points[part] = white - black;
    }
    points
}

/// The points of one side in the terms after material.
fn of_a_side(board: &Board, color: Color) -> [i32; PARTS - 1] {
    let pawns = board.colored_pieces(color, Role::Pawn).0;
    let enemies = board.colored_pieces(!color, Role::Pawn).0;
    let (pawns, enemies) = match color {
        Color::White => (pawns, enemies),
        // Flip Black's pawns, so that all pawns move up the board.
        Color::Black => (pawns.swap_bytes(), enemies.swap_bytes()),
    };
    let guarded = pawn_attacks(pawns);
    let attacked = attacks(
        board,
        color,
        match color {
            Color::White => guarded,
            Color::Black => guarded.swap_bytes(),
        },
    );
    let files_down = |pawns: u64| down(pawns >> 8);
    let ahead = down(enemies >> 8);
    let stopped = ahead | (ahead & NOT_A) >> 1 | (ahead & NOT_H) << 1;
    let passed = pawns & !stopped;
    let doubled = pawns & files_down(pawns);
    let advance: u32 = (1..7).map(|rank| (rank - 1) * rank_of(pawns, rank).count_ones()).sum();
    [
        attacked.len() as i32,
        4 * (attacked & CENTRE).len() as i32,
        5 * passed.count_ones() as i32,
        -4 * doubled.count_ones() as i32,
        if has_castled(board, color) { 3 } else { 0 },
        advance as i32,
        (pawns & guarded).count_ones() as i32,
    ]
}

/// The squares attacked by a side; those attacked by its pawns are given.
fn attacks(board: &Board, color: Color, by_pawns: u64) -> Bitboard {
    let (own, occupied) = (board.colors(color), board.occupied());
    let mut attacked = Bitboard(by_pawns) | get_king_moves(board.king(color));
    for square in own & board.pieces(Role::Knight) {
        attacked |= get_knight_moves(square);
    }
    let queens = board.pieces(Role::Queen);
    for square in own & (board.pieces(Role::Bishop) | queens) {
        attacked |= get_bishop_moves(square, occupied);
    }
    for square in own & (board.pieces(Role::Rook) | queens) {
        attacked |= get_rook_moves(square, occupied);
    }
    attacked
}

/// The squares attacked by pawns that move up the board.
fn pawn_attacks(pawns: u64) -> u64 {
    (pawns & NOT_A) << 7 | (pawns & NOT_H) << 9
}

/// The squares and all squares below them.
fn down(mut squares: u64) -> u64 {
    squares |= squares >> 8;
    squares |= squares >> 16;
    squares | squares >> 32
}

fn rank_of(squares: u64, rank: u32) -> u64 {
    squares >> (8 * rank) & 0xff
}

fn has_castled(board: &Board, color: Color) -> bool {
    let (king, rights) = (board.king(color), board.castle_rights(color));
    king.rank() == Rank::First.relative_to(color)
        && !matches!(king.file(), File::D | File::E | File::F)
        && rights.short.is_none()
        && rights.long.is_none()
}
