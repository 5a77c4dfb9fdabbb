//! What leads to what, backwards.

use super::ground::{At, Ground};
use lucena_base::graph::Lists;

/// Which positions lead to which, read backwards.
pub(super) struct Backward {
    /// By position after a move: the moves that lead to it, each as its place among all rows.
    pub(super) movers: Lists<u32, u32>,
    /// By position before a move: the positions after a move to which it is a reply.
    pub(super) answers: Lists<At, u32>,
    /// By position after a move: how many replies it has.
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
