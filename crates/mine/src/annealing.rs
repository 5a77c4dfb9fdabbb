use super::chain::{Chain, Search, StateOf};
use super::result::{Acceptance, MiningResult};
use lucena_base::progress::{Budget, Deadline, Observer, Progress, SearchSettings};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::time::Instant;

/// Simulated annealing in parallel chains. The time of a search counts from its creation.
#[derive(Clone, Copy)]
pub struct Annealing<'o> {
    settings: SearchSettings,
    observer: &'o dyn Observer,
    begin: Instant,
}

impl<'o> Annealing<'o> {
    /// Begins a search.
    pub fn new(settings: SearchSettings, observer: &'o dyn Observer) -> Self {
        Self { settings, observer, begin: Instant::now() }
    }

    /// Begins a search that differs in its budget only.
    pub fn with_budget(self, budget: Budget) -> Self {
        Self::new(SearchSettings { budget, ..self.settings }, self.observer)
    }

    /// The settings of the search.
    pub fn settings(&self) -> SearchSettings {
        self.settings
    }

    /// The observer of the search.
    pub fn observer(&self) -> &'o dyn Observer {
        self.observer
    }

    /// An observer that stops work when the time of the search is used up, for the work before the first candidate.
    pub fn deadline(&self) -> Deadline<'o> {
        Deadline::new(self.observer, self.settings.budget.until(self.begin))
    }

    /// Creates the chains in parallel, each with its number and random numbers; at least one.
    pub fn chains<C: Send>(&self, new: impl Fn(usize, ChaCha8Rng) -> C + Sync) -> Vec<C> {
        let chain = |number: usize| {
            let mut rng = ChaCha8Rng::seed_from_u64(self.settings.seed);
            rng.set_stream(number as u64);
            new(number, rng)
        };
        (0..self.settings.chains.max(1)).into_par_iter().map(chain).collect()
    }

    /// Runs the chains until the budget is spent or the observer asks to stop. Passes every model that is better than the
    /// ones before to `improved`, which accepts it or not.
    ///
    /// # Errors
    /// The first error of `improved`, which ends the search.
    ///
    /// # Panics
    /// If there is no chain.
    pub fn run<S: Search, E>(
        self,
        search: &S,
        mut chains: Vec<S::Chain>,
        mut improved: impl FnMut(&S::Model) -> Result<Acceptance, E>,
    ) -> Result<MiningResult<S::Model, S::Trial>, E> {
        let mut winner: Option<(StateOf<S>, S::Model)> = None;
        loop {
            let candidates = chains.iter().map(Chain::candidates).sum();
            let known = winner.as_ref().map(|(state, _)| search.cost(state));
            if let Some((number, state)) = proposal(search, &chains, known) {
                let model = search.model(&state, candidates);
                match improved(&model)? {
                    Acceptance::Accepted => winner = Some((state, model)),
                    Acceptance::Refused => chains[number].withdraw(),
                }
            }
            let leader = leader(&chains).clone();
            self.report(search, &leader, candidates);
            let (elapsed, budget) = (self.begin.elapsed(), self.settings.budget);
            let round = budget.round(S::ROUND, elapsed, candidates, chains.len());
            if round == 0 || self.observer.is_stopped() {
                let draft = winner.is_none().then(|| search.model(&leader, candidates));
                let best = winner.as_ref().map_or(&leader, |(state, _)| state);
                let trial = search.trial(best, &chains);
                let model = winner.map(|(_, model)| model);
                return Ok(MiningResult { model, draft, trial, candidates, elapsed });
            }
            chains.iter_mut().for_each(|chain| chain.catch_up(&leader));
            let until = budget.until(self.begin);
            chains.par_iter_mut().for_each(|chain| chain.run(round, until));
        }
    }

    fn report<S: Search>(&self, search: &S, leader: &StateOf<S>, candidates: u64) {
        let (what, figures) = search.progress(leader);
        let total = self.settings.budget.candidates();
        self.observer.report(Progress { what: &what, done: candidates, total });
        let mut point = vec![("candidates", candidates as f64)];
        point.extend(figures);
        self.observer.point(&point);
    }
}

/// Returns the best proposal of all chains, with the number of its chain, if it wins and costs less than what is known.
fn proposal<S: Search>(
    search: &S,
    chains: &[S::Chain],
    known: Option<f64>,
) -> Option<(usize, StateOf<S>)> {
    let all = chains.iter().enumerate();
    let proposals = all.filter_map(|(number, chain)| Some((number, chain.proposal()?)));
    let least = proposals.min_by(|(_, one), (_, other)| order::<S::Chain>(one, other));
    let (number, state) = least?;
    let is_better = || known.is_none_or(|known| search.cost(state) < known);
    (search.wins(state) && is_better()).then(|| (number, state.clone()))
}

/// Returns the best candidate of all chains.
fn leader<C: Chain>(chains: &[C]) -> &C::State {
    let least = chains.iter().map(C::best).min_by(|one, other| order::<C>(one, other));
    least.expect("there is a chain")
}

/// Compares the costs of two candidates.
fn order<C: Chain>(one: &C::State, other: &C::State) -> Ordering {
    C::energy(one).total_cmp(&C::energy(other))
}
