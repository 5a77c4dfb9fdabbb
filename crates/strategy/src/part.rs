//! The search for a strategy that is made for a part of an endgame, for either side.
//!
//! A [`MoveTable`](super::MoveTable) has every position of an endgame. Here, trials begin in the positions of a part and
//! play from there, so only what is reached is ever looked at: the endgame may have five men.

mod chain;
mod endgame_part;
mod reached;
mod trial;

use super::annealing::StrategyTrial;
use super::objective::Limits;
use chain::{PartChain, State};
pub use endgame_part::Part;
use lucena_base::plural::count;
use lucena_base::progress::SearchSettings;
use lucena_chess::Side;
use lucena_mine::{Acceptance, Annealing, MiningResult, Search};
use lucena_model::{Strategy, StrategyRule};

/// Searches for a strategy that reaches the result of its side from every position of a part: it wins, or it holds the
/// draw. Its candidates are [tactical](lucena_model::Candidates::Tactical).
///
/// Chains run in parallel, each with its own random numbers. Every strategy that is better than the ones before is passed
/// to `improved`, which accepts it or not; if that returns an error, the search ends. The result is not yet proved from the
/// rules of chess; see [`super::verify`].
///
/// # Errors
/// If `improved` fails.
///
/// # Panics
/// If the part is empty, or no attribute distinguishes two candidates; see [`Part::has_choice`].
pub fn mine_part<E>(
    part: &Part<'_>,
    wanted: &Limits,
    start: Option<&[StrategyRule]>,
    search: Annealing<'_>,
    improved: impl FnMut(&Strategy) -> Result<Acceptance, E>,
) -> Result<MiningResult<Strategy, StrategyTrial>, E> {
    let chains = search.chains(|_, rng| PartChain::new(part, *wanted, start, rng));
    let settings = search.settings();
    let is_continued = start.is_some();
    search.run(&PartSearch { part, settings, is_continued }, chains, improved)
}

struct PartSearch<'p> {
    part: &'p Part<'p>,
    settings: SearchSettings,
    /// True if the search begins with a strategy.
    is_continued: bool,
}

impl<'p> Search for PartSearch<'p> {
    type Chain = PartChain<'p>;
    type Model = Strategy;
    type Trial = StrategyTrial;

    const ROUND: u64 = 100;

    fn wins(&self, proposal: &State) -> bool {
        proposal.failures == 0
    }

    fn model(&self, state: &State, candidates: u64) -> Strategy {
        let parameters = [
            ("seed", Some(self.settings.seed.to_string())),
            ("chains", Some(self.settings.chains.to_string())),
            ("candidates", Some(candidates.to_string())),
            ("from", self.is_continued.then(|| "another strategy".into())),
        ];
        self.part.strategy(state.rules.clone(), parameters)
    }

    fn trial(&self, state: &State, chains: &[PartChain<'p>]) -> StrategyTrial {
        let among_winners = chains.iter().map(|chain| chain.among_winners).sum();
        StrategyTrial { failures: state.failures, among_winners }
    }

    fn progress(&self, leader: &State) -> (String, Vec<(&'static str, f64)>) {
        let rules = count(leader.rules.len() as u64, "rule", "rules");
        let size: usize = leader.rules.iter().map(StrategyRule::size).sum();
        let failures = leader.failures as f64;
        let some = count(leader.failures as u64, "position", "positions");
        let what = match (leader.failures, self.part.side()) {
            (0, _) => "fail nowhere".into(),
            (_, Side::Strong) => format!("fail from {some} of the sample"),
            (_, Side::Weak) => format!("throw the draw away in about {some}"),
        };
        let material = self.part.tablebase.material();
        let figures = vec![("size", size as f64), ("positions that fail", failures)];
        (format!("{material}: {rules}, size {size}, {what}"), figures)
    }
}
