//! Reverse edges of the game graph.

use super::move_table::{MoveTable, PositionId};
use lucena_base::csr::Csr;
use lucena_base::index_vec::IndexVec;
use lucena_proof::graph::After;

/// The predecessors of each position.
pub(super) struct Predecessors {
    /// By position after a move: the moves that lead to it, as indices into all rows.
    pub(super) movers: Csr<After, u32>,
    /// By position before a move: the positions after a move from which a reply leads to it.
    pub(super) answers: Csr<PositionId, After>,
    /// By position after a move: the number of replies.
    pub(super) replies: IndexVec<After, u32>,
}

impl Predecessors {
    pub(super) fn new(table: &MoveTable) -> Self {
        let count = table.replies.len();
        let mut lists: IndexVec<After, Vec<u32>> = IndexVec::filled(Vec::new(), count);
        for at in 0..table.len() as u32 {
            for mv in table.keeping(at, table.safe(at)) {
                lists[table.after(at, mv)].push(at * table.stride as u32 + mv as u32);
            }
        }
        Self {
            movers: Csr::new(lists.as_slice()),
            answers: Csr::reversed(table.replies.iter(), table.len()),
            replies: table.replies.iter().map(|list| list.len() as u32).collect(),
        }
    }
    /// Returns by position the moves to mate or to a position already won, if the strong side chooses freely among the
    /// allowed moves, against every reply; `None` if it does not win.
    pub(super) fn moves_to_win(
        &self,
        table: &MoveTable,
        is_won: impl Fn(PositionId) -> bool,
        mut is_allowed: impl FnMut(PositionId, usize) -> bool,
    ) -> Vec<Option<u16>> {
        let mut moves = vec![None; table.len()];
        // The order of the queue is that of the moves to win.
        let mut queue: Vec<PositionId> =
            (0..table.len() as PositionId).filter(|&at| is_won(at)).collect();
        for &at in &queue {
            moves[at as usize] = Some(0);
        }
        let mut win = |after, number, moves: &mut Vec<Option<u16>>, queue: &mut Vec<PositionId>| {
            for &slot in self.movers.get(after) {
                let (at, mv) = (slot / table.stride as PositionId, slot as usize % table.stride);
                if moves[at as usize].is_none() && is_allowed(at, mv) {
                    moves[at as usize] = Some(number);
                    queue.push(at);
                }
            }
        };
        let mut open = self.replies.clone();
        for (after, _) in self.replies.pairs().filter(|(_, replies)| **replies == 0) {
            win(after, 1, &mut moves, &mut queue);
        }
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            let number = moves[at as usize].map_or(0, |moves| moves + 1);
            for &after in self.answers.get(at) {
                open[after] -= 1;
                if open[after] == 0 {
                    win(after, number, &mut moves, &mut queue);
                }
            }
        }
        moves
    }
}
