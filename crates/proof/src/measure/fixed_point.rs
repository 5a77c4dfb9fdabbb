//! The least fixed point of a measure: the positions that it wins against every reply and every tie.

use super::{SafeMoveGraph, Score, Situation};
use crate::graph::{After, Before, ReversedReplies, Worklist};
use lucena_base::csr::Csr;
use lucena_base::index_vec::{Id, IndexVec};
use rayon::prelude::*;

/// The positions whose tied moves are found together.
const CHUNK: usize = 1 << 12;

impl SafeMoveGraph {
    /// Returns the replies to safe moves, read backwards.
    pub fn reversed_replies(&self) -> ReversedReplies<Before> {
        ReversedReplies::new(self.replies(), self.weights().len(), |after| self.is_quiet(after))
    }

    /// Returns the number of moves in which each position is won against every reply and every tied move; 0 if it is
    /// not won. A move that wins at once in another endgame counts as one.
    pub fn won(
        &self,
        replies: &ReversedReplies<Before>,
        situations: &IndexVec<Before, Situation>,
        forced: &IndexVec<After, Score>,
        best: &IndexVec<Before, Score>,
    ) -> IndexVec<Before, u16> {
        let tied = tied_moves(self, forced, best);
        let movers: Csr<After, Before> = Csr::reversed(tied.iter(), forced.len());
        let mut open_moves: Vec<u8> = tied.iter().map(|moves| moves.len() as u8).collect();
        let mut won: IndexVec<Before, u16> = IndexVec::filled(0, best.len());
        let at_once = situations.pairs().filter(|(_, one)| **one == Situation::WinsAtOnce);
        let at_once: Vec<Before> = at_once.map(|(before, _)| before).collect();
        at_once.iter().for_each(|&before| won[before] = 1);
        Worklist::new(replies).run(at_once, |after, moves, round| {
            for &before in movers.get(after) {
                let left = &mut open_moves[before.number()];
                *left -= 1;
                if *left == 0 {
                    won[before] = moves;
                    round.push(before);
                }
            }
        });
        won
    }
}

/// Returns the moves that are tied in each position, as the positions that they lead to.
fn tied_moves(
    graph: &SafeMoveGraph,
    forced: &IndexVec<After, Score>,
    best: &IndexVec<Before, Score>,
) -> Csr<Before, After> {
    let chunks = (0..best.len().div_ceil(CHUNK)).into_par_iter().map(|chunk| {
        let (mut counts, mut tied) = (Vec::with_capacity(CHUNK), Vec::with_capacity(2 * CHUNK));
        for before in chunk * CHUNK..best.len().min((chunk + 1) * CHUNK) {
            let before = Before::new(before);
            let (first, score) = (tied.len(), best[before]);
            let moves = graph.moves().get(before).iter();
            tied.extend(moves.copied().filter(|&after| forced[after] == score));
            counts.push((tied.len() - first) as u8);
        }
        (counts, tied)
    });
    Csr::from_chunks(&chunks.collect::<Vec<_>>())
}
