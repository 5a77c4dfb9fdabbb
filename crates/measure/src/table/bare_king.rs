//! Trials against a bare king.

use crate::trial::{Candidate, TrialResult};
use crate::trials::{Columns, Trials};
use lucena_attributes::Quantity;
use lucena_base::progress::NoObserver;
use lucena_chess::Position;
use lucena_model::Horizon;
use lucena_proof::measure::{BareKingGraph, Boards, KingSquares, Score};

/// The tables of an endgame against a bare king.
pub(super) struct BareKingTrials {
    graph: BareKingGraph,
    columns: Columns<Boards<u16>>,
    /// The positions that can be won, one of each orbit.
    winnable: KingSquares,
    positions: usize,
}

impl BareKingTrials {
    pub(super) fn new(
        graph: BareKingGraph,
        quantities: usize,
        is_won: impl Fn(&Position) -> bool + Sync,
    ) -> Self {
        let winnable = graph.squares_before(is_won);
        let positions = winnable.iter().map(|kings| kings.len() as usize).sum();
        Self { graph, columns: Columns::new(quantities), winnable, positions }
    }

    /// The scores of stopping at each position after a safe move.
    fn here(&self, candidate: &Candidate) -> Boards<Score> {
        let columns = |&(quantity, weight): &(usize, i32)| (self.columns.get(quantity), weight);
        let columns: Vec<(&Boards<u16>, i32)> = candidate.terms.iter().map(columns).collect();
        self.graph.boards_of(|formation| {
            let mut values = [0; 64];
            for (column, weight) in &columns {
                for (value, &quantity) in values.iter_mut().zip(&column[formation]) {
                    *value += weight * i32::from(quantity);
                }
            }
            values.map(Score::new)
        })
    }
}

impl Trials for BareKingTrials {
    fn positions(&self) -> usize {
        self.positions
    }

    fn fill(&self, number: usize, quantity: &Quantity) {
        self.columns.fill(number, || self.graph.boards(|position| quantity.value(position)));
    }

    fn values(&self, number: usize) -> Box<dyn Iterator<Item = u16> + '_> {
        let column = self.columns.get(number);
        Box::new(self.graph.quiet().flat_map(move |(formation, kings)| {
            kings.into_iter().map(move |king| column[formation][king as usize])
        }))
    }

    fn trial(&self, candidate: &Candidate) -> TrialResult {
        let Horizon { look, goal, secure } = candidate.view;
        let mut here = self.here(candidate);
        self.graph.close_doomed(&mut here, secure);
        let forced = self.graph.forced(&here, look, goal, &NoObserver);
        let forced = forced.expect("nobody asks it to stop");
        let best = self.graph.best(&forced);
        let tied = self.graph.tied(&forced, &best);
        let won = self.graph.won(&tied);
        let lost = self.winnable.pairs().map(|(formation, &kings)| kings & !won.squares[formation]);
        TrialResult {
            lost: lost.map(|kings| kings.len() as usize).sum(),
            stuck: self.graph.stuck(&forced, &best, &tied, &self.winnable),
            longest: won.longest,
        }
    }
}
