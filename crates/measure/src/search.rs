//! The search for measures: simulated annealing over terms and whole weights.

use super::exhaust::greatest_divisor;
use super::objective::MeasureLimits;
use super::trial::{Candidate, TrialResult};
use super::{MeasureTable, to_measure};
use lucena_base::plural::count;
use lucena_base::progress::{SearchSettings, Stopped};
use lucena_mine::{Acceptance, Annealing, Chain, MiningResult, Search, bound};
use lucena_model::Measure;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::time::Instant;

/// The greatest amount of a weight.
const MAX_WEIGHT: i32 = 5_000;

/// The candidates of one annealing cycle, from the highest temperature to the lowest.
const CYCLE: u64 = 400;

/// The most changes that are drawn for a new candidate.
const MAX_DRAWS: usize = 1_000;

/// The highest and the lowest temperature.
const TEMPERATURES: [f64; 2] = [0.8, 0.02];

/// A candidate with its trial and cost.
#[derive(Debug, Clone)]
struct State {
    candidate: Candidate,
    trial: TrialResult,
    energy: f64,
}

/// One chain of the search.
struct MeasureChain<'t> {
    table: &'t MeasureTable,
    limits: MeasureLimits,
    rng: ChaCha8Rng,
    now: State,
    best: State,
    /// The best candidate within the limits.
    winner: Option<State>,
    seen: BTreeSet<Candidate>,
    candidates: u64,
}

impl MeasureTable {
    /// Returns a candidate with its trial and cost.
    fn state(&self, limits: MeasureLimits, candidate: Candidate) -> State {
        let trial = self.trial(&candidate);
        let energy = limits.energy(&candidate, trial);
        State { candidate, trial, energy }
    }
}

impl<'t> MeasureChain<'t> {
    fn new(
        table: &'t MeasureTable,
        limits: MeasureLimits,
        start: &Candidate,
        mut rng: ChaCha8Rng,
    ) -> Self {
        let mut candidate = start.clone();
        if candidate.terms.is_empty() {
            let quantity = rng.gen_range(0..table.quantities().quantities().len());
            candidate.terms.push((quantity, if rng.gen_bool(0.5) { 1 } else { -1 }));
        }
        let now = table.state(limits, candidate);
        let mut chain = Self {
            table,
            limits,
            rng,
            best: now.clone(),
            now,
            winner: None,
            seen: BTreeSet::new(),
            candidates: 1,
        };
        chain.keep(&chain.now.clone());
        chain
    }

    /// Tries a small change.
    fn step(&mut self) {
        self.candidates += 1;
        let Some(candidate) = self.neighbour() else { return };
        let state = self.table.state(self.limits, candidate);
        self.keep(&state);
        let done = (self.candidates % CYCLE) as f64 / CYCLE as f64;
        let lot = self.rng.gen_range(1e-9..1.0);
        if state.energy <= bound(self.now.energy, TEMPERATURES, done, lot) {
            self.now = state;
        }
    }

    /// Returns a candidate near the current one that has not been tried; `None` if none turns up.
    fn neighbour(&mut self) -> Option<Candidate> {
        for _ in 0..MAX_DRAWS {
            let mut candidate = self.now.candidate.clone();
            for _ in 0..if self.rng.gen_range(0..3) == 0 { 2 } else { 1 } {
                self.change(&mut candidate);
            }
            let is_sound = !candidate.terms.is_empty() && self.table.fits(&candidate.terms);
            if is_sound && self.seen.insert(candidate.clone()) {
                return Some(candidate);
            }
        }
        // Everything near has been tried: look around elsewhere.
        self.now = self.best.clone();
        None
    }

    fn keep(&mut self, state: &State) {
        if state.energy < self.best.energy {
            self.best = state.clone();
        }
        if self.limits.allows(&state.candidate, state.trial)
            && self.winner.as_ref().is_none_or(|known| state.energy < known.energy)
        {
            self.winner = Some(state.clone());
        }
    }

    fn change(&mut self, candidate: &mut Candidate) {
        let (rng, terms) = (&mut self.rng, &mut candidate.terms);
        let count = self.table.quantities().quantities().len();
        let most = self.limits.most_terms();
        let at = if terms.is_empty() { 0 } else { rng.gen_range(0..terms.len()) };
        match rng.gen_range(0..20) {
            0..6 if !terms.is_empty() => {
                terms[at].1 += *[1, -1, 1, -1, 2, -2, 3, -3].choose(rng).expect("eight steps");
            }
            6..11 if !terms.is_empty() => {
                let factor = rng.gen_range(0.6..1.5);
                terms[at].1 = libm::round(f64::from(terms[at].1) * factor) as i32;
            }
            11 if !terms.is_empty() => {
                terms[at].1 = if rng.gen_bool(0.5) { terms[at].1 * 2 } else { terms[at].1 / 2 };
            }
            12 if !terms.is_empty() => terms[at].1 *= 16,
            13..15 if terms.len() > 1 => {
                terms.remove(at);
            }
            15..17 if !terms.is_empty() => {
                let quantity = rng.gen_range(0..count);
                if terms.iter().all(|&(known, _)| known != quantity) {
                    terms[at].0 = quantity;
                }
            }
            _ => {
                let quantity = rng.gen_range(0..count);
                if terms.len() < most && terms.iter().all(|&(known, _)| known != quantity) {
                    let weight = [1, -1, 2, -2, 4, -4, 16, -16].choose(rng).expect("eight weights");
                    terms.push((quantity, *weight));
                }
            }
        }
        terms.retain(|&(_, weight)| weight != 0);
        for (_, weight) in terms.iter_mut() {
            *weight = (*weight).clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
        terms.sort_unstable();
        reduce(terms);
    }
}

/// Divides weights by their greatest common divisor: the order of values stays the same.
fn reduce(terms: &mut [(usize, i32)]) {
    let amounts = terms.iter().map(|&(_, weight)| weight.unsigned_abs());
    let divisor = amounts.fold(0, greatest_divisor);
    if divisor > 1 {
        for (_, weight) in terms.iter_mut() {
            *weight /= divisor as i32;
        }
    }
}

impl Chain for MeasureChain<'_> {
    type State = State;

    fn energy(state: &State) -> f64 {
        state.energy
    }

    fn best(&self) -> &State {
        &self.best
    }

    fn proposal(&self) -> Option<&State> {
        self.winner.as_ref()
    }

    fn withdraw(&mut self) {
        self.winner = None;
    }

    fn candidates(&self) -> u64 {
        self.candidates
    }

    fn run(&mut self, round: u64, until: Option<Instant>) {
        let end = self.candidates + round;
        while self.candidates < end && until.is_none_or(|until| Instant::now() < until) {
            self.step();
        }
    }

    /// At the end of a cycle, continues from the best that it knows, or from the best of all.
    fn catch_up(&mut self, leader: &State) {
        if self.candidates % CYCLE < MeasureSearch::ROUND {
            let is_behind = self.best.energy > leader.energy + 2.0;
            self.now = if is_behind { leader.clone() } else { self.best.clone() };
        }
    }
}

/// A search for measures.
struct MeasureSearch<'t> {
    table: &'t MeasureTable,
    limits: MeasureLimits,
    settings: SearchSettings,
    /// The start of the search, in words.
    begin: &'static str,
}

impl<'t> Search for MeasureSearch<'t> {
    type Chain = MeasureChain<'t>;
    type Model = Measure;
    type Trial = TrialResult;

    const ROUND: u64 = 8;

    fn model(&self, state: &State, candidates: u64) -> Measure {
        let parameters = [
            ("longest", self.limits.longest.map(|longest| longest.to_string())),
            ("terms", self.limits.terms.map(|terms| terms.to_string())),
            ("seed", Some(self.settings.seed.to_string())),
            ("chains", Some(self.settings.chains.to_string())),
            ("candidates", Some(candidates.to_string())),
            ("begin", Some(self.begin.to_owned())),
        ];
        to_measure(self.table, &state.candidate, parameters)
    }

    fn trial(&self, state: &State, _: &[MeasureChain<'t>]) -> TrialResult {
        state.trial
    }

    fn progress(&self, leader: &State) -> (String, Vec<(&'static str, f64)>) {
        let names = leader.candidate.terms.iter().map(|&(quantity, weight)| {
            format!("{weight} {}", self.table.quantities().quantities()[quantity].name())
        });
        let names = names.collect::<Vec<_>>().join(", ");
        let TrialResult { lost, longest, .. } = leader.trial;
        let material = self.table.material();
        let figures = vec![
            ("terms", leader.candidate.terms.len() as f64),
            ("positions that are not won", lost as f64),
        ];
        let found = match lost {
            0 => format!("longest {longest}"),
            _ => format!("{} not won", count(lost as u64, "position", "positions")),
        };
        (format!("{material}: {names}: {found}"), figures)
    }
}

/// Searches for a measure that looks ahead as `start` does, from the terms of `start`, or from a random one if it has none.
///
/// Chains run in parallel, each with its own random numbers. Every measure within the limits that is better than the
/// ones before is passed to `improved`, which accepts it or not; if that returns an error, the search ends. The result is
/// not yet proved from the rules of chess alone; see [`super::verify`].
///
/// # Errors
/// If `improved` fails.
///
/// # Panics
/// If the table has no position that can be won, or no quantity.
pub fn mine<E: From<Stopped>>(
    table: &MeasureTable,
    limits: MeasureLimits,
    start: &Candidate,
    search: Annealing<'_>,
    improved: impl FnMut(&Measure) -> Result<Acceptance, E>,
) -> Result<MiningResult<Measure, TrialResult>, E> {
    assert!(!table.is_empty(), "there is a position to win");
    let is_random = start.terms.is_empty();
    let begin = if is_random { "from a random term" } else { "from another measure" };
    table.fill(start.terms.iter().map(|&(quantity, _)| quantity));
    let chains = search.chains(|_, rng| MeasureChain::new(table, limits, start, rng));
    let measures = MeasureSearch { table, limits, settings: search.settings(), begin };
    search.run(&measures, chains, improved)
}
