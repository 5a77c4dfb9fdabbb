//! The search for strategies: simulated annealing over small changes.

use super::chain::StrategyChain;
use super::exhaust::distinct_keys;
use super::move_table::MoveTable;
use super::mutation::Vocabulary;
use super::objective::{Limits, Objective, Parameter, Quality, State};
use super::predecessors::Predecessors;
use super::trial::Score;
use super::{FIFTY_MOVES, to_strategy};
use lucena_base::progress::{SearchSettings, Stopped};
use lucena_mine::{Acceptance, Annealing, MiningResult, Search};
use lucena_model::{Strategy, StrategyRule};

/// What a search knows of its strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrategyTrial {
    /// The number of positions, up to symmetry, in which the strategy fails: it throws the win away
    /// there, or play can return to them. Zero if it wins.
    pub failures: usize,
    /// The number of candidates that were changes of strategies that win.
    pub among_winners: u64,
}

/// A search for strategies.
struct StrategySearch<'g> {
    objective: Objective<'g>,
    settings: SearchSettings,
}

impl<'g> Search for StrategySearch<'g> {
    type Chain = StrategyChain<'g>;
    type Model = Strategy;
    type Trial = StrategyTrial;

    const ROUND: u64 = 2_000;

    fn wins(&self, proposal: &State) -> bool {
        matches!(proposal.quality, Quality::Won(Score { longest, .. }) if longest <= FIFTY_MOVES)
    }

    fn model(&self, state: &State, candidates: u64) -> Strategy {
        let parameters = self.objective.parameters(self.settings, candidates);
        to_strategy(self.objective.table, state.rules.clone(), parameters)
    }

    fn trial(&self, state: &State, chains: &[StrategyChain<'g>]) -> StrategyTrial {
        let among_winners = chains.iter().map(|chain| chain.among_winners).sum();
        StrategyTrial { failures: state.quality.failures(), among_winners }
    }

    fn progress(&self, leader: &State) -> (String, Vec<(&'static str, f64)>) {
        (self.objective.describe(leader), self.objective.figures(leader))
    }
}

/// The rules with which a search begins.
pub(super) struct FirstRules<'a> {
    /// The rules; `None` for a few random keys.
    pub(super) rules: Option<&'a [StrategyRule]>,
    /// Their description in the result.
    pub(super) parameter: Parameter,
}

/// Searches from some rules.
pub(super) fn search_from<E: From<Stopped>>(
    table: &MoveTable,
    wanted: Limits,
    start: &FirstRules<'_>,
    search: Annealing<'_>,
    improved: impl FnMut(&Strategy) -> Result<Acceptance, E>,
) -> Result<MiningResult<Strategy, StrategyTrial>, E> {
    let vocabulary = Vocabulary::new(table, distinct_keys(table).to_vec());
    let predecessors = Predecessors::new(table);
    let objective = Objective {
        table,
        predecessors: &predecessors,
        wanted,
        vocabulary: &vocabulary,
        start: &start.parameter,
    };
    // The trial of the first rules on a whole endgame takes seconds. When the time is used up, one chain is enough.
    let deadline = search.deadline();
    let chains = search.chains(|number, rng| {
        let is_begun = number == 0 || !deadline.has_passed();
        is_begun.then(|| StrategyChain::new(objective, start.rules, rng))
    });
    let chains = chains.into_iter().flatten().collect();
    search.run(&StrategySearch { objective, settings: search.settings() }, chains, improved)
}
