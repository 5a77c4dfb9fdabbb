use super::params::MAX_DEPTH;
use super::see::{piece_value, static_exchange};
use super::transposition::is_stored_move;
use super::{Refinement, Refinements};
use arrayvec::ArrayVec;
use cozy_chess::{get_bishop_moves, get_knight_moves, get_pawn_attacks, get_rook_moves};
use lucena_chess::{Bitboard, Board, Color, Move, Rank, Role, Square};

/// An upper bound for the number of moves in a position.
const MAX_MOVES: usize = 256;

/// Killer moves: quiet moves that caused a cutoff, two for each ply.
type Killers = [[Option<Move>; 2]; MAX_DEPTH as usize * 2];

/// Statistics about good quiet moves: killers and history.
pub(super) struct MoveHistory {
    killers: Box<Killers>,
    /// By colour, from square and to square.
    history: Box<[[[i32; 64]; 64]; 2]>,
}

/// A move and its rank in the move order; the highest rank comes first.
#[derive(Clone, Copy)]
pub(super) struct RankedMove {
    pub(super) mv: Move,
    rank: i32,
    pub(super) taken: Option<Role>,
    /// True if the exchange on the target square is known to lose material.
    pub(super) is_losing: bool,
}

impl RankedMove {
    /// Returns true if the move neither captures nor promotes.
    pub(super) fn is_quiet(&self) -> bool {
        self.taken.is_none() && self.mv.promotion.is_none()
    }
}

/// The moves to generate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveFilter {
    All,
    /// Captures and promotions to a queen.
    Loud,
    /// Captures, promotions to a queen and checks.
    LoudAndChecks,
}

pub(super) type Moves = ArrayVec<RankedMove, MAX_MOVES>;

const HASH_MOVE: i32 = 1 << 30;
const RECAPTURE: i32 = 1 << 24;
const GOOD_CAPTURE: i32 = 1 << 23;
const PROMOTION: i32 = 1 << 22;
const KILLER: i32 = 1 << 21;
const CHECK: i32 = 1 << 20;
const BAD_CAPTURE: i32 = -(1 << 23);
const MAX_HISTORY: i32 = 1 << 18;

impl MoveHistory {
    pub(super) fn new() -> Self {
        let killers = Box::new([[None; 2]; MAX_DEPTH as usize * 2]);
        Self { killers, history: Box::new([[[0; 64]; 64]; 2]) }
    }

    pub(super) fn forget(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().flatten().for_each(|to| to.fill(0));
    }

    /// Reduces the weight of what earlier searches of a game have learned.
    pub(super) fn fade(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().flatten().flatten().for_each(|value| *value /= 8);
    }

    /// Records that a quiet move caused a cutoff, and that the moves tried before it did not.
    pub(super) fn refuted(
        &mut self,
        color: Color,
        mv: Move,
        tried: &[RankedMove],
        depth: i32,
        ply: u8,
    ) {
        let killers = &mut self.killers[usize::from(ply)];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = (depth * depth).min(400);
        self.count(color, mv, bonus);
        for tried in tried.iter().filter(|tried| tried.is_quiet()) {
            self.count(color, tried.mv, -bonus);
        }
    }

    fn count(&mut self, color: Color, mv: Move, bonus: i32) {
        let value = &mut self.history[color as usize][mv.from as usize][mv.to as usize];
        *value += bonus * 32 - *value * bonus / 512;
        *value = (*value).clamp(-MAX_HISTORY, MAX_HISTORY);
    }

    fn history(&self, board: &Board, mv: Move) -> i32 {
        self.history[board.side_to_move() as usize][mv.from as usize][mv.to as usize]
    }

    pub(super) fn is_killer(&self, mv: Move, ply: u8) -> bool {
        self.killers[usize::from(ply)].contains(&Some(mv))
    }
}

/// The inputs of move ordering.
pub(super) struct Ordering<'a> {
    pub(super) refinements: Refinements,
    pub(super) memory: &'a MoveHistory,
    /// The best move from the table.
    pub(super) hash_move: Option<Move>,
    /// The square of the man that the other side has just moved.
    pub(super) moved: Option<Square>,
    pub(super) ply: u8,
}

impl Ordering<'_> {
    /// The moves with their ranks, and a flag that is true if there is any legal move.
    pub(super) fn moves(&self, board: &Board, which: MoveFilter) -> (Moves, bool) {
        let turn = board.side_to_move();
        let enemies = board.colors(!turn);
        let passed =
            board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(turn)));
        let of_pawns = Rank::Eighth.relative_to(turn).bitboard()
            | passed.map_or(Bitboard::EMPTY, Square::bitboard);
        let asks_checks =
            which == MoveFilter::LoudAndChecks || self.refinements.has(Refinement::Checks);
        let checks = asks_checks.then(|| checking_squares(board));
        let (mut moves, mut is_any) = (Moves::new(), false);
        board.generate_moves(|mut of_a_man| {
            is_any = true;
            let role = of_a_man.piece;
            if which != MoveFilter::All {
                let mut wanted = enemies;
                if role == Role::Pawn {
                    wanted |= of_pawns;
                }
                if let (MoveFilter::LoudAndChecks, Some(checks)) = (which, &checks) {
                    wanted |= checks[role as usize];
                }
                of_a_man.to &= wanted;
            }
            for mv in of_a_man {
                let taken = if enemies.has(mv.to) {
                    board.piece_on(mv.to)
                } else {
                    let is_aslant = role == Role::Pawn && mv.from.file() != mv.to.file();
                    is_aslant.then_some(Role::Pawn)
                };
                if which == MoveFilter::All || matches!(mv.promotion, None | Some(Role::Queen)) {
                    let checks = checks.is_some_and(|checks| checks[role as usize].has(mv.to));
                    moves.push(self.rank(board, role, mv, taken, checks, which));
                }
            }
            false
        });
        (moves, is_any)
    }

    fn rank(
        &self,
        board: &Board,
        role: Role,
        mv: Move,
        taken: Option<Role>,
        checks: bool,
        which: MoveFilter,
    ) -> RankedMove {
        let has = |refinement| self.refinements.has(refinement);
        // Capturing a man of at least equal value never loses material.
        let may_lose = match taken {
            Some(taken) => piece_value(taken) < piece_value(role),
            None => which != MoveFilter::All,
        };
        let is_losing = may_lose
            && (which != MoveFilter::All || has(Refinement::Captures))
            && static_exchange(board, mv) < 0;
        let rank = if is_stored_move(self.hash_move, mv) {
            HASH_MOVE
        } else if let Some(taken) = taken {
            let bonus = piece_value(taken) * 16 - piece_value(role).min(1100);
            let class = if is_losing {
                BAD_CAPTURE
            } else if self.moved == Some(mv.to) {
                RECAPTURE
            } else {
                GOOD_CAPTURE
            };
            if has(Refinement::Captures) { class + bonus } else { 0 }
        } else if let Some(role) = mv.promotion {
            match role {
                _ if !has(Refinement::Promotions) => 0,
                Role::Queen => PROMOTION,
                _ => -PROMOTION + piece_value(role),
            }
        } else if has(Refinement::Killers) && self.memory.is_killer(mv, self.ply) {
            KILLER
        } else {
            let history = if has(Refinement::History) { self.memory.history(board, mv) } else { 0 };
            if checks && has(Refinement::Checks) { CHECK + history } else { history }
        };
        RankedMove { mv, rank, taken, is_losing }
    }
}

/// The squares from which each kind of man gives check, by role.
fn checking_squares(board: &Board) -> [Bitboard; Role::NUM] {
    let turn = board.side_to_move();
    let (king, occupied) = (board.king(!turn), board.occupied());
    let (aslant, straight) = (get_bishop_moves(king, occupied), get_rook_moves(king, occupied));
    let (pawn, knight) = (get_pawn_attacks(king, !turn), get_knight_moves(king));
    [pawn, knight, aslant, straight, aslant | straight, Bitboard::EMPTY]
}

/// Moves the highest-ranked move at or after an index to that index, and returns it.
#[inline]
pub(super) fn next_best(moves: &mut Moves, at: usize) -> RankedMove {
    let mut best = at;
    for other in at + 1..moves.len() {
        if moves[other].rank > moves[best].rank {
            best = other;
        }
    }
    moves.swap(at, best);
    moves[at]
}
