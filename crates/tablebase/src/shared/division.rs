//! The division of the blocks among the workers.

use crate::Index;
use crate::bit_parallel_moves::Frames;
use lucena_chess::Side;
use std::collections::BTreeSet;
use std::ops::Range;

/// The division of the blocks: worker `w` of `n` has those from `w/n` of all to `(w + 1)/n`.
#[derive(Clone, Copy)]
pub(super) struct Division {
    pub(super) workers: usize,
    pub(super) blocks: usize,
}

impl Division {
    /// The blocks of a worker.
    pub(super) fn part(self, worker: usize) -> Range<usize> {
        let bound = |worker: usize| worker * self.blocks / self.workers;
        bound(worker)..bound(worker + 1)
    }

    /// The worker that has an entry.
    pub(super) fn owner_of_entry(self, index: &Index, at: usize) -> usize {
        let first = |worker: usize| -> usize {
            let block = self.part(worker).start;
            index.pairs.get(block).map_or(index.len(), |pair| pair.first)
        };
        let has_it = |&worker: &usize| first(worker) <= at && !self.part(worker).is_empty();
        (0..self.workers).rfind(has_it).unwrap_or(0)
    }

    /// By block of a worker and side to move: the other workers that have a block from which a king's move
    /// leads to it.
    pub(super) fn recipients(self, frames: &Frames, worker: usize) -> Vec<[BTreeSet<usize>; 2]> {
        let part = self.part(worker);
        let mut audience: Vec<[BTreeSet<usize>; 2]> =
            part.clone().map(|_| Default::default()).collect();
        for block in (0..frames.blocks()).filter(|block| !part.contains(block)) {
            let owner = (0..self.workers).find(|&one| self.part(one).contains(&block));
            for side in Side::ALL {
                let steps = frames.steps(block, side).iter();
                for step in steps.filter(|step| part.contains(&step.block)) {
                    audience[step.block - part.start][!side as usize].extend(owner);
                }
            }
        }
        audience
    }
}
