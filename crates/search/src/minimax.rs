//! Textbook minimax and negamax: the whole tree to a fixed depth. They are the baseline for all
//! refinements.

use super::alpha_beta::Searcher;
use super::value::{INFINITE, MATE};
use lucena_chess::{Board, legal_moves};

impl Searcher<'_> {
    /// The value of a board for the side that is to move at the root.
    pub(super) fn minimax(&mut self, board: &Board, depth: u8, ply: u8) -> i32 {
        let sign = if ply.is_multiple_of(2) { 1 } else { -1 };
        self.whole_tree(board, depth, ply, sign, |searcher, after| {
            searcher.minimax(after, depth - 1, ply + 1)
        })
    }

    /// The value of a board for the side to move.
    pub(super) fn negamax(&mut self, board: &Board, depth: u8, ply: u8) -> i32 {
        self.whole_tree(board, depth, ply, 1, |searcher, after| {
            -searcher.negamax(after, depth - 1, ply + 1)
        })
    }

    /// The best of the values that `of_move` returns for the boards after all moves. `sign` is −1 where
    /// the side to move prefers low values.
    fn whole_tree(
        &mut self,
        board: &Board,
        depth: u8,
        ply: u8,
        sign: i32,
        of_move: impl Fn(&mut Self, &Board) -> i32,
    ) -> i32 {
        self.nodes += 1;
        if self.meets_limit() {
            return 0;
        }
        if let Some(value) = self.ended(board, ply).or_else(|| self.known(board, ply)) {
            return sign * value;
        }
        if depth == 0 {
            self.counts.leaves += 1;
            return sign * self.evaluation.evaluate(board);
        }
        let mut best = -sign * INFINITE;
        self.path.push(board.hash());
        for mv in legal_moves(board) {
            if !self.may_play(mv, ply) {
                continue;
            }
            let mut after = board.clone();
            after.play_unchecked(mv);
            let value = of_move(self, &after);
            if self.is_over {
                break;
            }
            if sign * value > sign * best {
                best = value;
                if ply == 0 {
                    self.root_best = Some(mv);
                }
            }
        }
        self.path.pop();
        best
    }

    /// The value for the side to move of a board on which the game is over. At the root, draws
    /// other than stalemate are ignored.
    pub(super) fn ended(&self, board: &Board, ply: u8) -> Option<i32> {
        if !board.generate_moves(|_| true) {
            return Some(if board.checkers().is_empty() { 0 } else { i32::from(ply) - MATE });
        }
        (ply > 0 && self.is_drawn(board)).then_some(0)
    }
}
