//! Reverse edges of the game graph.

use super::move_rows::{MoveRows, PositionId};
use super::move_table::MoveTable;
use lucena_base::csr::Csr;
use lucena_base::index_vec::IndexVec;
use lucena_proof::graph::{After, ReversedReplies, Worklist};

/// The predecessors of each position.
pub(super) struct Predecessors {
    /// By position after a move: the moves that lead to it, as indices into all rows.
    pub(super) movers: Csr<After, u32>,
    pub(super) replies: ReversedReplies<PositionId>,
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
            replies: ReversedReplies::new(&table.replies, table.len(), |_| true),
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
        let mut list = Worklist::new(&self.replies);
        for at in (0..table.len() as PositionId).filter(|&at| is_won(at)) {
            moves[at as usize] = Some(0);
            list.cross_off(at);
        }
        list.run(Vec::new(), |after, number, won| {
            for &slot in self.movers.get(after) {
                let (at, mv) = (slot / table.stride as PositionId, slot as usize % table.stride);
                if moves[at as usize].is_none() && is_allowed(at, mv) {
                    moves[at as usize] = Some(number);
                    won.push(at);
                }
            }
        });
        moves
    }
}
