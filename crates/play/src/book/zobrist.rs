use lucena_chess::{Bitboard, Board, Color, File, Rank, Role, Square};
use rand::{RngCore, SeedableRng};
use rand_isaac::Isaac64Rng;
use std::sync::OnceLock;

/// Returns the Polyglot key of a position: a Zobrist hash of the men, castling rights, en passant file
/// and side to move.
pub fn polyglot_key(board: &Board) -> u64 {
    let numbers = numbers();
    let mut key = 0;
    for (kind, &role) in ROLES.iter().enumerate() {
        for (of_color, color) in [Color::Black, Color::White].into_iter().enumerate() {
            for square in board.colored_pieces(color, role) {
                key ^= numbers[64 * (2 * kind + of_color) + square as usize];
            }
        }
    }
    for (color, at) in [(Color::White, CASTLING), (Color::Black, CASTLING + 2)] {
        let rights = board.castle_rights(color);
        for (right, at) in [(rights.short, at), (rights.long, at + 1)] {
            if right.is_some() {
                key ^= numbers[at];
            }
        }
    }
    if let Some(file) = en_passant_file(board) {
        key ^= numbers[EN_PASSANT + file as usize];
    }
    if board.side_to_move() == Color::White {
        key ^= numbers[WHITE_TO_MOVE];
    }
    key
}

/// The roles in the order of their random numbers, each for Black and then for White.
const ROLES: [Role; 6] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
/// The index of the first random number of each kind.
const CASTLING: usize = 12 * Square::NUM;
const EN_PASSANT: usize = CASTLING + 4;
const WHITE_TO_MOVE: usize = EN_PASSANT + File::NUM;
const NUMBERS: usize = WHITE_TO_MOVE + 1;

/// The file of a pawn that has just made a double step, if an enemy pawn stands beside it. The format
/// ignores whether the capture would be legal.
fn en_passant_file(board: &Board) -> Option<File> {
    let (file, color) = (board.en_passant()?, board.side_to_move());
    let beside = file.adjacent() & Rank::Fifth.relative_to(color).bitboard();
    let takers: Bitboard = beside & board.colored_pieces(color, Role::Pawn);
    (!takers.is_empty()).then_some(file)
}

/// The random numbers of the format: the first outputs of the unseeded generator ISAAC-64
/// (R. Jenkins, *ISAAC*, 1996).
fn numbers() -> &'static [u64; NUMBERS] {
    static NUMBERS_OF_FORMAT: OnceLock<[u64; NUMBERS]> = OnceLock::new();
    NUMBERS_OF_FORMAT.get_or_init(|| {
        let mut isaac = Isaac64Rng::from_seed([0; 32]);
        std::array::from_fn(|_| isaac.next_u64())
    })
}
