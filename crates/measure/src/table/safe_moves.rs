//! Trials in any endgame.

use crate::trial::{Candidate, TrialResult};
use crate::trials::{Columns, Trials};
use lucena_attributes::Quantity;
use lucena_base::index_vec::{Id, IndexVec};
use lucena_base::progress::NoObserver;
use lucena_model::Horizon;
use lucena_proof::graph::{After, Before, ReversedReplies};
use lucena_proof::measure::{SafeMoveGraph, Score, Situation};
use rayon::prelude::*;

/// The tables of an endgame, with lists of its moves and replies.
pub(crate) struct SafeMoveTrials {
    pub(crate) graph: SafeMoveGraph,
    replies: ReversedReplies<Before>,
    pub(crate) situations: IndexVec<Before, Situation>,
    columns: Columns<IndexVec<After, u16>>,
    winnable: IndexVec<Before, bool>,
}

impl SafeMoveTrials {
    /// The tables of a graph, with the positions that can be won.
    pub(crate) fn new(
        graph: SafeMoveGraph,
        quantities: usize,
        winnable: IndexVec<Before, bool>,
    ) -> Self {
        Self {
            winnable,
            replies: graph.reversed_replies(),
            situations: graph.situations(),
            columns: Columns::new(quantities),
            graph,
        }
    }

    /// The values of a known quantity; 0 in positions that no safe move leads to.
    pub(crate) fn column(&self, number: usize) -> &[u16] {
        self.columns.get(number).as_slice()
    }

    /// Tries the scores of stopping at each position after a safe move.
    pub(crate) fn trial_of(&self, here: &IndexVec<After, Score>, view: Horizon) -> TrialResult {
        let Horizon { look, goal, .. } = view;
        let forced = self.graph.forced(here, &self.situations, look, goal, &NoObserver);
        let forced = forced.expect("nobody asks it to stop");
        let best = self.graph.best(&forced, &self.situations);
        let won = self.graph.won(&self.replies, &self.situations, &forced, &best);
        let lost = self.winnable.pairs().filter(|&(at, &is_won)| is_won && won[at] == 0).count();
        TrialResult {
            lost,
            stuck: self.graph.stuck(&forced, &best, |before| self.winnable[before]),
            longest: won.iter().copied().max().unwrap_or(0),
        }
    }

    /// The scores of stopping at each position after a safe move.
    fn here(&self, candidate: &Candidate) -> IndexVec<After, Score> {
        let columns =
            |&(quantity, weight): &(usize, i32)| (self.columns.get(quantity).as_slice(), weight);
        let columns: Vec<(&[u16], i32)> = candidate.terms.iter().map(columns).collect();
        let secure = candidate.view.secure;
        let doomed = (secure > 0).then(|| self.graph.doomed(&self.situations, secure));
        let all = (0..self.graph.replies().len()).into_par_iter().with_min_len(1 << 12);
        let scores = all.map(|at| {
            if doomed.as_ref().is_some_and(|doomed| doomed[After::new(at)]) {
                return Score::UNSAFE;
            }
            Score::new(columns.iter().map(|(column, weight)| weight * i32::from(column[at])).sum())
        });
        scores.collect::<Vec<_>>().into()
    }
}

impl Trials for SafeMoveTrials {
    fn positions(&self) -> usize {
        self.winnable.iter().filter(|&&is_won| is_won).count()
    }

    fn fill(&self, number: usize, quantity: &Quantity) {
        self.columns.fill(number, || {
            let positions = self.graph.numbering().afters().enumerate().with_min_len(256);
            let values = positions.map(|(at, position)| {
                if self.graph.is_quiet(After::new(at)) { quantity.value(&position) } else { 0 }
            });
            values.collect::<Vec<_>>().into()
        });
    }

    fn values(&self, number: usize) -> Box<dyn Iterator<Item = u16> + '_> {
        let column = self.columns.get(number).pairs();
        Box::new(column.filter(|&(after, _)| self.graph.is_quiet(after)).map(|(_, &value)| value))
    }

    fn trial(&self, candidate: &Candidate) -> TrialResult {
        self.trial_of(&self.here(candidate), candidate.view)
    }
}
