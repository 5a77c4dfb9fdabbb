//! An endgame as tables, on which many measures can be tried quickly.

use lucena_attributes::QuantitySet;
use lucena_base::index_vec::{Id, IndexVec};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::Material;
use lucena_proof::graph::{After, Before};
use lucena_proof::measure::{BackwardGraph, SafeMoveGraph, Score, Situation};
use lucena_tablebase::Tablebase;
use lucena_tree::MAX_MEASURE_VALUE;
use rayon::prelude::*;
use std::sync::OnceLock;

/// An endgame as tables: its safe moves, the values of quantities after each, and the positions that can be won.
pub struct MeasureTable {
    material: Material,
    quantities: QuantitySet,
    pub(super) graph: SafeMoveGraph,
    pub(super) backward: BackwardGraph,
    pub(super) situations: IndexVec<Before, Situation>,
    /// The values of each quantity, computed when they are first needed.
    columns: Vec<OnceLock<IndexVec<After, u16>>>,
    /// By position: the moves to win with best play; 0 if it cannot be won.
    pub(super) optimum: IndexVec<Before, u16>,
    /// The number of positions that can be won.
    positions: usize,
    /// The greatest amount of each quantity.
    most: Vec<i64>,
}

impl MeasureTable {
    /// Makes the tables of an endgame for measures over some quantities.
    ///
    /// # Errors
    /// If the observer asks to stop, or a table file can no longer be read.
    pub fn new(
        tablebase: &Tablebase,
        quantities: &QuantitySet,
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let material = tablebase.material();
        let graph = SafeMoveGraph::new(material, observer)?;
        let what = format!("looking up {material}");
        observer.report(Progress { what: &what, done: 0, total: None });
        let optimum = graph
            .numbering()
            .befores()
            .map(|position| tablebase.outcome(&position).moves_to_win().unwrap_or(0));
        let optimum: IndexVec<Before, u16> = optimum.collect::<Vec<_>>().into();
        tablebase.intact()?;
        observer.check()?;
        let situations = graph.situations();
        Ok(Self {
            material,
            backward: BackwardGraph::new(&graph),
            situations,
            columns: quantities.quantities().iter().map(|_| OnceLock::new()).collect(),
            quantities: quantities.clone(),
            positions: optimum.iter().filter(|&&moves| moves > 0).count(),
            optimum,
            most: quantities.quantities().iter().map(|known| known.domain().1.into()).collect(),
            graph,
        })
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
        self.positions
    }

    /// Returns true if no position can be won.
    pub fn is_empty(&self) -> bool {
        self.positions == 0
    }

    /// The values of a quantity, by number.
    pub(super) fn column(&self, quantity: usize) -> &IndexVec<After, u16> {
        self.columns[quantity].get_or_init(|| {
            let known = &self.quantities.quantities()[quantity];
            let positions = self.graph.numbering().afters().enumerate().with_min_len(256);
            let values = positions.map(|(at, position)| {
                if self.graph.is_quiet(After::new(at)) { known.value(&position) } else { 0 }
            });
            values.collect::<Vec<_>>().into()
        })
    }

    /// The values of a quantity in all positions that a safe move can lead to.
    pub(super) fn values_met(&self, quantity: usize) -> impl Iterator<Item = u16> + '_ {
        let column = self.column(quantity).pairs();
        column.filter(|&(after, _)| self.graph.is_quiet(after)).map(|(_, &value)| value)
    }

    /// Returns true if the values of terms stay within the bounds of a measure.
    pub(super) fn fits(&self, terms: &[(usize, i32)]) -> bool {
        let amount =
            |&(quantity, weight): &(usize, i32)| self.most[quantity] * i64::from(weight.abs());
        terms.iter().map(amount).sum::<i64>() <= MAX_MEASURE_VALUE.into()
    }

    /// Makes sure that the values of some quantities are known. Parallel searches then wait for nothing.
    pub(super) fn fill(&self, quantities: impl IntoIterator<Item = usize>) {
        for quantity in quantities {
            self.column(quantity);
        }
    }

    /// The scores of stopping at each position after a safe move, for terms of a quantity and a weight.
    pub(super) fn here(
        &self,
        terms: &[(usize, i32)],
        doomed: Option<&IndexVec<After, bool>>,
    ) -> IndexVec<After, Score> {
        let columns: Vec<(&[u16], i32)> = terms
            .iter()
            .map(|&(quantity, weight)| (self.column(quantity).as_slice(), weight))
            .collect();
        let scores =
            (0..self.graph.replies().len()).into_par_iter().with_min_len(1 << 12).map(|at| {
                if doomed.is_some_and(|doomed| doomed[After::new(at)]) {
                    return Score::UNSAFE;
                }
                Score::of(
                    columns.iter().map(|(column, weight)| weight * i32::from(column[at])).sum(),
                )
            });
        scores.collect::<Vec<_>>().into()
    }
}
