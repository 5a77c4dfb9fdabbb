//! The least fixed point of a measure: the positions that it wins against every reply and every tie.

use super::{SafeMoveGraph, Score, Situation};
use crate::graph::{After, Before};
use lucena_base::csr::Csr;
use lucena_base::index_vec::{Id, IndexVec};
use rayon::prelude::*;

/// A graph with the lists to walk it backwards.
pub struct BackwardGraph {
    /// By position with the strong side to move: the positions after a safe move from which a reply leads to it.
    replied_from: Csr<Before, After>,
    /// By position after a safe move: the number of its replies.
    replies: IndexVec<After, u8>,
}

impl BackwardGraph {
    /// Makes the lists.
    pub fn new(graph: &SafeMoveGraph) -> Self {
        let lists = graph.replies();
        let count = |replies: &[Before]| u8::try_from(replies.len()).expect("few replies");
        Self {
            replied_from: Csr::reversed(lists.iter(), graph.weights().len()),
            replies: lists.iter().map(count).collect::<Vec<_>>().into(),
        }
    }

    /// Returns the number of moves in which each position is won against every reply and every tied move; 0 if it is
    /// not won. A move that wins at once in another endgame counts as one.
    pub fn won(
        &self,
        graph: &SafeMoveGraph,
        situations: &IndexVec<Before, Situation>,
        forced: &IndexVec<After, Score>,
        best: &IndexVec<Before, Score>,
    ) -> IndexVec<Before, u16> {
        let mut won: IndexVec<Before, u16> = IndexVec::filled(0, best.len());
        let mut round = Vec::new();
        let tied_moves = |before: Before| {
            let (moves, score) = (graph.moves().get(before).iter(), best[before]);
            moves.copied().filter(move |&after| forced[after] == score)
        };
        let pairs = || {
            let befores = (0..best.len()).into_par_iter().with_min_len(1 << 12).map(Before::new);
            befores.flat_map_iter(|before| tied_moves(before).map(move |after| (after, before)))
        };
        let movers: Csr<After, Before> = Csr::from_edges(pairs, forced.len());
        let tied = (0..best.len()).into_par_iter().map(|at| tied_moves(Before::new(at)).count());
        let mut tied: Vec<u8> = tied.map(|count| count as u8).collect();
        let mut open = self.replies.clone();
        let mut reached: Vec<After> =
            (0..forced.len()).map(After::new).filter(|&at| graph.is_mate(at)).collect();
        for (before, &situation) in situations.pairs() {
            if situation == Situation::WinsAtOnce {
                won[before] = 1;
                round.push(before);
            }
        }
        for moves in 1..u16::MAX {
            for after in reached.drain(..) {
                for &before in movers.get(after) {
                    let left = &mut tied[before.number()];
                    *left -= 1;
                    if *left == 0 {
                        won[before] = moves;
                        round.push(before);
                    }
                }
            }
            if round.is_empty() {
                break;
            }
            for before in round.drain(..) {
                for &after in self.replied_from.get(before) {
                    open[after] -= 1;
                    if open[after] == 0 {
                        reached.push(after);
                    }
                }
            }
        }
        won
    }
}
