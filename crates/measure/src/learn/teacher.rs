//! An endgame as the descent asks about it: the values that can be forced, by all moves and by those of best play.

use super::super::table::safe_moves::SafeMoveTrials;
use super::super::trials::Trials;
use lucena_attributes::QuantitySet;
use lucena_base::csr::Csr;
use lucena_base::index_vec::{Id, IndexVec};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::Position;
use lucena_model::Horizon;
use lucena_proof::graph::{After, Before};
use lucena_proof::measure::{SafeMoveGraph, Score, Situation};
use lucena_tablebase::Tablebase;
use rayon::prelude::*;

/// The best that can be forced, and the position after a move where that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Forced {
    pub(super) score: Score,
    pub(super) place: u32,
}

/// An endgame with its moves of best play.
pub(super) struct Teacher {
    pub(super) table: SafeMoveTrials,
    view: Horizon,
    /// The moves of best play.
    pub(super) best_moves: Csr<Before, After>,
    /// By position after a move: the moves to mate against the longest defence; `None` if it is not won.
    pub(super) distances: IndexVec<After, Option<u16>>,
    doomed: Option<IndexVec<After, bool>>,
}

impl Teacher {
    pub(super) fn new(
        tablebase: &Tablebase,
        quantities: &QuantitySet,
        view: Horizon,
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let graph = SafeMoveGraph::new(tablebase.material(), observer)?;
        let what = format!("looking up {}", tablebase.material());
        observer.report(Progress { what: &what, done: 0, total: None });
        let optimum = |position: Position| tablebase.outcome(&position).moves_to_win().unwrap_or(0);
        let optimum: IndexVec<Before, u16> =
            graph.numbering().befores().map(optimum).collect::<Vec<_>>().into();
        tablebase.check_readable()?;
        assert!(optimum.iter().any(|&moves| moves > 0), "there is a position to win");
        let winnable = optimum.iter().map(|&moves| moves > 0).collect::<Vec<_>>();
        let table = SafeMoveTrials::new(graph, quantities.quantities().len(), winnable.into());
        for (number, quantity) in quantities.quantities().iter().enumerate() {
            observer.check()?;
            table.fill(number, quantity);
        }
        let graph = &table.graph;
        let distance = |after: After| {
            if graph.is_mate(after) {
                return Some(0);
            }
            let replies = graph.replies().get(after);
            let won = replies.iter().map(|&reply| optimum[reply]);
            won.clone().all(|moves| moves > 0).then(|| won.max()).flatten()
        };
        let distances: Vec<Option<u16>> =
            (0..graph.replies().len()).into_par_iter().map(|at| distance(After::new(at))).collect();
        let distances: IndexVec<After, _> = distances.into();
        let best_moves = graph.moves().iter().zip(optimum.iter()).map(|(moves, &optimum)| {
            let is_best = |after: &&After| distances[**after].is_some_and(|left| left < optimum);
            moves.iter().filter(is_best).copied().collect::<Vec<_>>()
        });
        let best_moves = Csr::new(best_moves);
        let secure = view.secure;
        let doomed = (secure > 0).then(|| graph.doomed(&table.situations, secure));
        Ok(Self { table, view, best_moves, distances, doomed })
    }

    /// The scores of stopping at each position.
    pub(super) fn here(&self, values: &[i32]) -> Vec<Score> {
        let is_doomed =
            |at: usize| self.doomed.as_ref().is_some_and(|doomed| doomed[After::new(at)]);
        let here = values.par_iter().enumerate().map(|(at, &value)| match is_doomed(at) {
            true => Score::UNSAFE,
            false => Score::new(value),
        });
        here.collect()
    }

    /// Returns what can be forced from each position by some moves, without stopping at the position itself.
    pub(super) fn forced(&self, here: &[Score], moves: &Csr<Before, After>) -> Vec<Forced> {
        let (graph, situations) = (&self.table.graph, &self.table.situations);
        let stop = |at: usize| {
            let score = if graph.is_mate(After::new(at)) { Score::MATE } else { here[at] };
            Forced { score, place: at as u32 }
        };
        let nothing = Forced { score: Score::UNSAFE, place: 0 };
        let mut forced: Vec<Forced> = (0..here.len()).into_par_iter().map(stop).collect();
        for pass in 1..=self.view.look {
            let best = (0..situations.len()).into_par_iter().with_min_len(1 << 12).map(|at| {
                let before = Before::new(at);
                let best = match situations[before] {
                    Situation::Holding | Situation::Unsafe => nothing,
                    Situation::WinsAtOnce => Forced { score: Score::MATE, place: 0 },
                    Situation::Safe => {
                        let moves = moves.get(before).iter();
                        moves.map(|after| forced[after.number()]).min().unwrap_or(nothing)
                    }
                };
                Forced { score: best.score.a_move_earlier(), ..best }
            });
            let best: Vec<Forced> = best.collect();
            let next = (0..here.len()).into_par_iter().with_min_len(1 << 12).map(|at| {
                let after = After::new(at);
                if graph.is_mate(after) {
                    return stop(at);
                }
                let replies = graph.replies().get(after).iter();
                let worst = replies.map(|reply| best[reply.number()]).max().unwrap_or(nothing);
                if pass < self.view.look { worst.min(stop(at)) } else { worst }
            });
            forced = next.collect();
        }
        forced
    }

    /// Returns true if a position is won and not yet over, so that there is something to learn from it.
    pub(super) fn is_asked(&self, at: usize) -> bool {
        self.distances[After::new(at)].is_some_and(|distance| distance > 0)
    }

    /// Returns the position that is headed for if it is no longer won.
    pub(super) fn leads_astray(&self, Forced { score, place }: Forced) -> Option<usize> {
        let is_won = self.distances[After::new(place as usize)].is_some();
        (score.value().is_some() && !is_won).then_some(place as usize)
    }

    /// The number of positions whose play comes to each position, itself included, if the strong side always goes where
    /// it can force the least value.
    pub(super) fn flow(&self, values: &[i32], forced: &[Forced]) -> Vec<u32> {
        let mut order: Vec<u32> = (0..values.len() as u32).collect();
        order.retain(|&at| self.is_asked(at as usize));
        order.par_sort_unstable_by_key(|&at| (std::cmp::Reverse(values[at as usize]), at));
        let mut flow = vec![1_u32; values.len()];
        for at in order.into_iter().map(|at| at as usize) {
            let Forced { score, place } = forced[at];
            if score.value().is_some_and(|value| value < values[at]) {
                flow[place as usize] += flow[at];
            }
        }
        flow
    }
}

/// Returns true if no lower value than that of a position can be forced from it.
pub(super) fn is_stuck(value: i32, forced: Forced) -> bool {
    !forced.score.is_mate() && forced.score.value().is_none_or(|least| least >= value)
}
