//! An endgame as tables, on which many measures can be tried quickly.

mod bare_king;
pub(super) mod safe_moves;

use super::trial::{Candidate, TrialResult};
use super::trials::Trials;
use bare_king::BareKingTrials;
use lucena_attributes::QuantitySet;
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::{Material, Position};
use lucena_model::MAX_MEASURE_VALUE;
use lucena_proof::measure::{BareKingGraph, SafeMoveGraph};
use lucena_tablebase::Tablebase;
use rayon::prelude::*;
use safe_moves::SafeMoveTrials;

/// An endgame as tables: its safe moves, the values of quantities after each, and the positions that can be won.
pub struct MeasureTable {
    material: Material,
    quantities: QuantitySet,
    trials: Box<dyn Trials>,
    /// The greatest amount of each quantity.
    most: Vec<i64>,
}

impl MeasureTable {
    /// Makes the tables of an endgame for measures over some quantities.
    ///
    /// # Errors
    /// If the observer stops the work, or a table file can no longer be read.
    pub fn new(
        tablebase: &Tablebase,
        quantities: &QuantitySet,
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let (material, count) = (tablebase.material(), quantities.quantities().len());
        let is_won = |position: &Position| tablebase.outcome(position).moves_to_win().is_some();
        let what = format!("looking up {material}");
        let trials: Box<dyn Trials> = match BareKingGraph::new(material) {
            Some(graph) => {
                observer.report(Progress { what: &what, done: 0, total: None });
                Box::new(BareKingTrials::new(graph, count, is_won))
            }
            None => {
                let graph = SafeMoveGraph::new(material, observer)?;
                observer.report(Progress { what: &what, done: 0, total: None });
                let winnable = graph.numbering().befores().map(|position| is_won(&position));
                let winnable = winnable.collect::<Vec<_>>().into();
                Box::new(SafeMoveTrials::new(graph, count, winnable))
            }
        };
        tablebase.check_readable()?;
        observer.check()?;
        let most = quantities.quantities().iter().map(|known| known.domain().1.into()).collect();
        Ok(Self { material, quantities: quantities.clone(), trials, most })
    }

    /// The endgame.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The quantities.
    pub fn quantities(&self) -> &QuantitySet {
        &self.quantities
    }

    /// The number of positions that can be won, up to symmetry.
    pub fn positions(&self) -> usize {
        self.trials.positions()
    }

    /// Returns true if no position can be won.
    pub fn is_empty(&self) -> bool {
        self.positions() == 0
    }

    /// Tries a candidate on the whole endgame.
    pub fn trial(&self, candidate: &Candidate) -> TrialResult {
        self.fill(candidate.terms.iter().map(|&(quantity, _)| quantity));
        self.trials.trial(candidate)
    }

    /// The values of a quantity in all positions that a safe move can lead to.
    pub(super) fn values_met(&self, quantity: usize) -> impl Iterator<Item = u16> + '_ {
        self.fill([quantity]);
        self.trials.values(quantity)
    }

    /// Returns true if the values of terms stay within the bounds of a measure.
    pub(super) fn fits(&self, terms: &[(usize, i32)]) -> bool {
        let amount =
            |&(quantity, weight): &(usize, i32)| self.most[quantity] * i64::from(weight.abs());
        terms.iter().map(amount).sum::<i64>() <= MAX_MEASURE_VALUE.into()
    }

    /// Makes sure that the values of some quantities are known. Parallel searches then wait for nothing.
    pub(super) fn fill(&self, quantities: impl IntoIterator<Item = usize>) {
        for number in quantities {
            self.trials.fill(number, &self.quantities.quantities()[number]);
        }
    }
}
