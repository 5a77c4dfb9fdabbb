//! The search for a strategy that is made for a part of an endgame, for either side.
//!
//! A [`MoveTable`](super::MoveTable) has every position of an endgame. Here, trials begin in the positions of a part and
//! play from there, so only what is reached is ever looked at: the endgame may have five men.

mod chain;
mod reached;
mod trial;

use super::annealing::StrategyTrial;
use super::move_table::PositionId;
use super::objective::Limits;
use super::{renumber, rules_over};
use chain::{PartChain, SAMPLE, State};
use lucena_attributes::AttributeSet;
use lucena_base::plural::count;
use lucena_base::progress::{Observer, SearchSettings, Stopped};
use lucena_chess::{Position, Side};
use lucena_mine::{Acceptance, Annealing, MiningResult, Search};
use lucena_model::{Candidates, Condition, Origin, Strategy, StrategyDomain, StrategyRule};
use lucena_proof::policy::{side_of, with_weak_to_move};
use lucena_proof::positions_of_part;
use lucena_tablebase::{Outcome, Tablebase};
use reached::ReachedPositions;
use trial::Trials;

/// A part of an endgame for which a strategy is searched: the positions from which one side is to reach its result.
pub struct Part<'t> {
    tablebase: &'t Tablebase,
    attributes: AttributeSet,
    /// Its conditions number the attributes.
    domain: StrategyDomain,
    /// Up to symmetry.
    starts: Vec<Position>,
}

impl<'t> Part<'t> {
    /// Finds the positions that fulfil the conditions of a domain, over a set of attributes, and that its side wins, or,
    /// if it is the weak side, holds.
    ///
    /// # Errors
    /// If the observer asks to stop.
    pub fn new(
        tablebase: &'t Tablebase,
        attributes: &AttributeSet,
        domain: StrategyDomain,
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let known = attributes.attributes();
        let holds = |position: &Position| {
            let read = with_weak_to_move(position);
            domain.conditions.iter().all(|&Condition { attribute, low, high }| {
                (low..=high).contains(&known[attribute].value(&read))
            })
        };
        let side = side_of(&domain);
        let mut starts = positions_of_part(tablebase.material(), side, &holds, observer)?;
        starts.retain(|position| match (side, tablebase.outcome(position)) {
            (Side::Strong, outcome) => matches!(outcome, Outcome::Win(_)),
            (Side::Weak, outcome) => outcome == Outcome::Draw,
        });
        tablebase.check_readable()?;
        Ok(Self { tablebase, attributes: attributes.clone(), domain, starts })
    }

    /// The number of positions, up to symmetry.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns true if there is no position.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The attributes that rules may use.
    pub fn attributes(&self) -> &AttributeSet {
        &self.attributes
    }

    /// Returns the positions of the part, up to symmetry, from which a strategy fails.
    ///
    /// # Errors
    /// The name of the first attribute of the strategy that the part lacks.
    pub fn failing(&self, strategy: &Strategy) -> Result<Vec<Position>, String> {
        let rules = rules_over(&self.attributes, strategy)?;
        let side = self.side();
        let mut reached = ReachedPositions::new(self.tablebase, &self.attributes, side);
        let starts: Vec<PositionId> =
            self.starts.iter().map(|position| reached.number(position)).collect();
        let failing = Trials::new(reached, side).failing(&rules, &starts, usize::MAX);
        // Starts are numbered in order, each once.
        Ok(failing.into_iter().map(|at| self.starts[at as usize]).collect())
    }

    /// Returns true if an attribute distinguishes two candidates in one of some positions of the part.
    pub fn has_choice(&self) -> bool {
        let side = self.side();
        let mut reached = ReachedPositions::new(self.tablebase, &self.attributes, side);
        let some = self.starts.iter().step_by(self.starts.len().div_ceil(SAMPLE).max(1));
        let some: Vec<PositionId> = some.map(|position| reached.number(position)).collect();
        reached.vocabulary(&some).is_some()
    }

    /// The positions from which the side of the part reaches its result, up to symmetry.
    pub fn positions(&self) -> &[Position] {
        &self.starts
    }

    fn side(&self) -> Side {
        side_of(&self.domain)
    }

    /// Makes a strategy of rules over the attributes of the part.
    fn strategy(
        &self,
        mut rules: Vec<StrategyRule>,
        parameters: impl IntoIterator<Item = (&'static str, Option<String>)>,
    ) -> Strategy {
        let mut domain = self.domain.clone();
        let conditions = domain.conditions.iter_mut().map(|one| &mut one.attribute);
        let attributes = renumber(&self.attributes, &mut rules, conditions);
        let material = self.tablebase.material().to_string();
        let origin = Origin::with_maker(material, "strategy", parameters);
        let strategy = Strategy::new(origin, attributes, rules).expect("what was tried is sound");
        let strategy = strategy.with_candidates(Candidates::Tactical);
        strategy.with_domain(domain).expect("the conditions hold somewhere")
    }
}

/// Searches for a strategy that reaches the result of its side from every position of a part: it wins, or it holds the
/// draw. Its candidates are [tactical](Candidates::Tactical).
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
        let what = match leader.failures {
            0 => "fail nowhere".into(),
            failures => format!(
                "fail from {} of the sample",
                count(failures as u64, "position", "positions")
            ),
        };
        let material = self.part.tablebase.material();
        let figures = vec![("size", size as f64), ("positions that fail", failures)];
        (format!("{material}: {rules}, size {size}, {what}"), figures)
    }
}
