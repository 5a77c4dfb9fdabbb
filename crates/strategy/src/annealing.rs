//! The search for strategies: simulated annealing over small changes.

use super::chain::{CYCLE, Chain};
use super::exhaust::distinct_keys;
use super::move_table::MoveTable;
use super::mutation::Vocabulary;
use super::objective::{Limits, Objective, Parameter, Quality, State};
use super::predecessors::Predecessors;
use super::trial::Score;
use super::{FIFTY_MOVES, to_strategy};
use lucena_base::progress::{Observer, Progress, SearchSettings, Stopped};
use lucena_model::{Strategy, StrategyRule};
use rayon::prelude::*;
use std::time::{Duration, Instant};

/// The result of a search for strategies.
#[derive(Debug, Clone, PartialEq)]
pub struct StrategySearchResult {
    /// The best strategy that wins every position; `None` if none was found.
    pub strategy: Option<Strategy>,
    /// The rules that fail in fewest positions, if no winning strategy was found: a later search can start
    /// from them.
    pub draft: Option<Strategy>,
    /// The number of positions, up to symmetry, in which the best strategy fails: it throws the win away
    /// there, or play can return to them. Zero if it wins.
    pub failures: usize,
    /// The number of candidates tried.
    pub candidates: u64,
    /// The number of candidates that were changes of strategies that win.
    pub among_winners: u64,
    /// The duration of the search.
    pub elapsed: Duration,
}

/// The candidates that each chain tries between two comparisons with the others.
const ROUND: u64 = 2_000;

/// Searches from some rules, or from a few random keys. `told` describes the start in the result.
pub(super) fn search_from<E: From<Stopped>>(
    table: &MoveTable,
    wanted: Limits,
    start: Option<&[StrategyRule]>,
    told: &Parameter,
    search: SearchSettings,
    observer: &dyn Observer,
    mut improved: impl FnMut(&Strategy) -> Result<(), E>,
) -> Result<StrategySearchResult, E> {
    let begin = Instant::now();
    let vocabulary = Vocabulary::new(table, distinct_keys(table).to_vec());
    let predecessors = Predecessors::new(table);
    let objective =
        Objective { table, predecessors: &predecessors, wanted, vocabulary: &vocabulary, told };
    let mut chains: Vec<Chain<'_>> = (0..search.chains.max(1))
        .map(|number| Chain::new(objective, start, search.seed, number))
        .collect();
    let strategy_of = |state: &State, candidates| {
        to_strategy(table, state.rules.clone(), objective.parameters(search, candidates))
    };
    let mut best: Option<(f64, Strategy)> = None;
    loop {
        let candidates = chains.iter().map(|chain| chain.candidates).sum();
        let among_winners = chains.iter().map(|chain| chain.among_winners).sum();
        let leader = chains.iter().map(|chain| &chain.best);
        let leader = leader.min_by(|one, other| one.energy.total_cmp(&other.energy));
        let leader = leader.expect("there is a chain");
        if let Quality::Won(Score { longest, .. }) = leader.worth
            && longest <= FIFTY_MOVES
            && best.as_ref().is_none_or(|(energy, _)| leader.energy < *energy)
        {
            let strategy = strategy_of(leader, candidates);
            improved(&strategy)?;
            best = Some((leader.energy, strategy));
        }
        let what = objective.tell(leader);
        let total = search.budget.candidates();
        observer.report(Progress { what: &what, done: candidates, total });
        observer.point(&objective.point(leader, candidates));
        let elapsed = begin.elapsed();
        let round = search.budget.round(ROUND, elapsed, candidates, chains.len());
        if round == 0 || observer.is_stopped() {
            let failures = leader.worth.failures();
            let strategy = best.map(|(_, strategy)| strategy);
            let draft = strategy.is_none().then(|| strategy_of(leader, candidates));
            return Ok(StrategySearchResult {
                strategy,
                draft,
                failures,
                candidates,
                among_winners,
                elapsed,
            });
        }
        // A chain that has fallen far behind continues from the best.
        let state = leader.clone();
        for chain in &mut chains {
            if chain.candidates.is_multiple_of(CYCLE) && chain.best.energy > state.energy + 1.0 {
                chain.restart(&state);
            }
        }
        let until = search.budget.until(begin);
        chains.par_iter_mut().for_each(|chain| chain.run(round, until));
    }
}
