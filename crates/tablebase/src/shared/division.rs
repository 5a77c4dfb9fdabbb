//! The division of the blocks of a level among the workers.

use crate::layout::Layout;
use std::collections::BTreeSet;
use std::ops::Range;

/// The division of the blocks of a level: worker `w` of `n` has those from `w/n` of all to `(w + 1)/n`.
pub(super) struct Division<'l> {
    pub(super) layout: &'l Layout,
    pub(super) level: usize,
    pub(super) workers: usize,
}

impl Division<'_> {
    /// The blocks of a worker.
    pub(super) fn part(&self, worker: usize) -> Range<usize> {
        let level = self.layout.level(self.level);
        let bound = |worker: usize| level.start + worker * level.len() / self.workers;
        bound(worker)..bound(worker + 1)
    }

    fn owner(&self, block: usize) -> Option<usize> {
        (0..self.workers).find(|&worker| self.part(worker).contains(&block))
    }

    /// By block of a worker: the other workers that have a block from which a move of the strong king leads to it.
    pub(super) fn recipients(&self, worker: usize) -> Vec<BTreeSet<usize>> {
        let layout = self.layout;
        let before = layout.level(self.level).map(|block| (block, layout.after_king_moves(block)));
        self.audience(worker, before.map(|(block, after)| (self.owner(block), after)))
    }

    /// By block of a worker: the other workers that have a block from which a pawn move leads to it.
    pub(super) fn followers(&self, worker: usize) -> Vec<BTreeSet<usize>> {
        let levels = self.level + 1..self.layout.levels.len();
        let next = levels.filter(|&next| self.layout.levels_before(next).contains(&self.level));
        let before = next.flat_map(|level| {
            let division = Division { level, ..*self };
            let before = self.layout.level(level);
            before.map(move |block| (division.owner(block), self.layout.after_pawn_moves(block)))
        });
        self.audience(worker, before)
    }

    fn audience<A: IntoIterator<Item = usize>>(
        &self,
        worker: usize,
        before: impl Iterator<Item = (Option<usize>, A)>,
    ) -> Vec<BTreeSet<usize>> {
        let part = self.part(worker);
        let mut audience = vec![BTreeSet::new(); part.len()];
        for (owner, after) in before.filter(|(owner, _)| *owner != Some(worker)) {
            for block in after.into_iter().filter(|block| part.contains(block)) {
                audience[block - part.start].extend(owner);
            }
        }
        audience
    }
}
