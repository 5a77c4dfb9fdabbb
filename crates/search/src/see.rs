use crate::evaluation::MenValues;
use cozy_chess::{
    get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use lucena_chess::{Bitboard, Board, Color, Move, Role, Square};

/// The exchange value of a man, in hundredths of a pawn.
pub(super) fn piece_value(role: Role) -> i32 {
    match role {
        Role::King => 20_000,
        _ => MenValues::DEFAULT.of(role),
    }
}

/// The role of the man captured by a move.
fn captured(board: &Board, mv: Move) -> Option<Role> {
    let turn = board.side_to_move();
    match board.color_on(mv.to) {
        // A king that moves to its own rook is castling.
        Some(color) if color == turn => None,
        Some(_) => board.piece_on(mv.to),
        None => {
            let is_aslant = mv.from.file() != mv.to.file();
            (is_aslant && board.pieces(Role::Pawn).has(mv.from)).then_some(Role::Pawn)
        }
    }
}

/// Static exchange evaluation: the material won by a capture if both sides keep recapturing on its
/// square with their least valuable man as long as it pays.
pub(super) fn static_exchange(board: &Board, mv: Move) -> i32 {
    let mut gains = [0; 32];
    let mut depth = 0;
    let Some(taker) = board.piece_on(mv.from) else { return 0 };
    let mut occupied = board.occupied() ^ mv.from.bitboard();
    let mut on_square = piece_value(taker);
    gains[0] = captured(board, mv).map_or(0, piece_value);
    if let Some(role) = mv.promotion {
        gains[0] += piece_value(role) - piece_value(Role::Pawn);
        on_square = piece_value(role);
    }
    let mut turn = !board.side_to_move();
    while let Some((from, role)) = cheapest(board, mv.to, turn, occupied) {
        depth += 1;
        gains[depth] = on_square - gains[depth - 1];
        on_square = piece_value(role);
        occupied ^= from.bitboard();
        turn = !turn;
        if depth == 31 {
            break;
        }
    }
    while depth > 0 {
        gains[depth - 1] = -gains[depth].max(-gains[depth - 1]);
        depth -= 1;
    }
    gains[0]
}

/// The least valuable man of a side that attacks a square.
fn cheapest(board: &Board, to: Square, turn: Color, occupied: Bitboard) -> Option<(Square, Role)> {
    let own = board.colors(turn) & occupied;
    let of = |role| own & board.pieces(role);
    let first = |men: Bitboard, role| men.next_square().map(|square| (square, role));
    first(get_pawn_attacks(to, !turn) & of(Role::Pawn), Role::Pawn)
        .or_else(|| first(get_knight_moves(to) & of(Role::Knight), Role::Knight))
        .or_else(|| {
            let aslant = get_bishop_moves(to, occupied);
            let straight = get_rook_moves(to, occupied);
            first(aslant & of(Role::Bishop), Role::Bishop)
                .or_else(|| first(straight & of(Role::Rook), Role::Rook))
                .or_else(|| first((aslant | straight) & of(Role::Queen), Role::Queen))
        })
        .or_else(|| first(get_king_moves(to) & of(Role::King), Role::King))
}
