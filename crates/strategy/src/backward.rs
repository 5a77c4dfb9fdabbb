//! Reverse edges of the game graph.

use super::ground::{At, Ground};
use lucena_base::graph::Lists;
use lucena_base::ids::IdVec;
use lucena_proof::graph::After;

/// The predecessors of each position.
pub(super) struct Backward {
    /// By position after a move: the moves that lead to it, as indices into all rows.
    pub(super) movers: Lists<After, u32>,
    /// By position before a move: the positions after a move from which a reply leads to it.
    pub(super) answers: Lists<At, After>,
    /// By position after a move: the number of replies.
    pub(super) replies: IdVec<After, u32>,
}

impl Backward {
    pub(super) fn new(ground: &Ground) -> Self {
        let count = ground.replies.iter().count();
        let mut lists: IdVec<After, Vec<u32>> = IdVec::filled(Vec::new(), count);
        for at in 0..ground.len() as u32 {
            let (safe, throws) = (ground.safe(at), ground.throws(at));
            for mv in 0..ground.stride {
                if safe[mv] & !throws[mv] != 0 {
                    let slot = at as usize * ground.stride + mv;
                    lists[ground.afters[slot]].push(slot as u32);
                }
            }
        }
        Self {
            movers: Lists::new(lists.as_slice()),
            answers: Lists::reversed(ground.replies.iter(), ground.len()),
            replies: ground.replies.iter().map(|list| list.len() as u32).collect(),
        }
    }
}
