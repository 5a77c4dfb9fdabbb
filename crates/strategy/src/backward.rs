//! Reverse edges of the game graph.

use super::ground::{At, Ground};
use lucena_base::graph::Lists;

/// The predecessors of each position.
pub(super) struct Backward {
    /// By position after a move: the moves that lead to it, as indices into all rows.
    pub(super) movers: Lists<u32, u32>,
    /// By position before a move: the positions after a move from which a reply leads to it.
    pub(super) answers: Lists<At, u32>,
    /// By position after a move: the number of replies.
    pub(super) replies: Vec<u32>,
}

impl Backward {
    pub(super) fn new(ground: &Ground) -> Self {
        let count = ground.replies.iter().count();
        let mut lists = vec![Vec::new(); count];
        for at in 0..ground.len() as u32 {
            let (safe, throws) = (ground.safe(at), ground.throws(at));
            for mv in 0..ground.stride {
                if safe[mv] & !throws[mv] != 0 {
                    let slot = at as usize * ground.stride + mv;
                    lists[ground.afters[slot] as usize].push(slot as u32);
                }
            }
        }
        Self {
            movers: Lists::new(lists),
            answers: Lists::reversed(ground.replies.iter(), ground.len()),
            replies: ground.replies.iter().map(|list| list.len() as u32).collect(),
        }
    }
}
