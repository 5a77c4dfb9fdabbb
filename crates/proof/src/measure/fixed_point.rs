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

/// The positions whose tied moves are found together.
const CHUNK: usize = 1 << 12;

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
        let tied = tied_moves(graph, forced, best);
        let movers: Csr<After, Before> = Csr::reversed(tied.iter(), forced.len());
        let mut open_moves: Vec<u8> = tied.iter().map(|moves| moves.len() as u8).collect();
        let mut open_replies = self.replies.clone();
        let mut won: IndexVec<Before, u16> = IndexVec::filled(0, best.len());
        let mut round = Vec::new();
        for (before, &situation) in situations.pairs() {
            if situation == Situation::WinsAtOnce {
                won[before] = 1;
                round.push(before);
            }
        }
        let afters = (0..forced.len()).map(After::new);
        let mut reached: Vec<After> = afters.filter(|&after| graph.is_mate(after)).collect();
        for moves in 1..u16::MAX {
            for after in reached.drain(..) {
                for &before in movers.get(after) {
                    let left = &mut open_moves[before.number()];
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
                    open_replies[after] -= 1;
                    if open_replies[after] == 0 {
                        reached.push(after);
                    }
                }
            }
        }
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
