//! The search for measures: simulated annealing over terms and whole weights.

use super::exhaust::greatest_divisor;
use super::objective::MeasureLimits;
use super::trial::{Candidate, TrialResult};
use super::{MeasureTable, to_measure};
use lucena_base::plural::count;
use lucena_base::progress::{Observer, Progress, SearchSettings, Stopped};
use lucena_model::{Horizon, Measure};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The greatest amount of a weight.
const MAX_WEIGHT: i32 = 5_000;

/// The candidates that each chain tries between two comparisons with the others.
const ROUND: u64 = 8;

/// The candidates of one annealing cycle, from the highest temperature to the lowest.
const CYCLE: u64 = 400;

/// The most changes that are drawn for a new candidate.
const MAX_DRAWS: usize = 1_000;

/// The highest and the lowest temperature.
const WARM: f64 = 0.8;
const COLD: f64 = 0.02;

/// The result of a search for measures.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureSearchResult {
    /// The best measure that wins every position that can be won, within the limits; `None` if none was found.
    pub measure: Option<Measure>,
    /// The measure that comes nearest, if none was found: a later search can start from it.
    pub draft: Option<Measure>,
    /// The trial of the best candidate.
    pub trial: TrialResult,
    /// The number of candidates tried.
    pub candidates: u64,
    /// The duration of the search.
    pub elapsed: Duration,
}

/// The answer to a measure that a search has found to be better than the ones before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acceptance {
    /// The search looks for a better one.
    Accepted,
    /// The measure is a draft at most, for example since it loses a draw, and the search goes on as if it had not won.
    Refused,
}

/// A candidate with its trial and cost.
#[derive(Debug, Clone)]
struct State {
    candidate: Candidate,
    trial: TrialResult,
    energy: f64,
}

/// One chain of the search.
struct Chain<'t> {
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

impl<'t> Chain<'t> {
    fn new(
        table: &'t MeasureTable,
        limits: MeasureLimits,
        start: &Candidate,
        seed: u64,
        number: usize,
    ) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number as u64);
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

    fn run(&mut self, round: u64, until: Option<Instant>) {
        let end = self.candidates + round;
        while self.candidates < end && until.is_none_or(|until| Instant::now() < until) {
            self.step();
        }
    }

    /// Tries a small change.
    fn step(&mut self) {
        self.candidates += 1;
        let Some(candidate) = self.neighbour() else { return };
        let state = self.table.state(self.limits, candidate);
        self.keep(&state);
        let cooling = (self.candidates % CYCLE) as f64 / CYCLE as f64;
        let warmth = WARM * libm::pow(COLD / WARM, cooling);
        let bound = self.now.energy - warmth * libm::log(self.rng.gen_range(1e-9..1.0));
        if state.energy <= bound {
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

/// Searches for a measure, from some terms or from a random one.
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
    view: Horizon,
    start: &[(usize, i32)],
    search: SearchSettings,
    observer: &dyn Observer,
    mut improved: impl FnMut(&Measure) -> Result<Acceptance, E>,
) -> Result<MeasureSearchResult, E> {
    assert!(!table.is_empty(), "there is a position to win");
    let begin = Instant::now();
    let from = if start.is_empty() { "from a random term" } else { "from another measure" };
    table.fill(start.iter().map(|&(quantity, _)| quantity));
    let start = Candidate { terms: start.to_vec(), view };
    let numbers: Vec<usize> = (0..search.chains.max(1)).collect();
    let chains = numbers.par_iter();
    let mut chains: Vec<Chain<'_>> =
        chains.map(|&number| Chain::new(table, limits, &start, search.seed, number)).collect();
    let measure_of = |state: &State, candidates: u64| {
        let parameters = vec![
            ("longest", limits.longest.map(|longest| longest.to_string())),
            ("terms", limits.terms.map(|terms| terms.to_string())),
            ("seed", Some(search.seed.to_string())),
            ("chains", Some(search.chains.to_string())),
            ("candidates", Some(candidates.to_string())),
            ("begin", Some(from.to_owned())),
        ];
        to_measure(table, &state.candidate, parameters)
    };
    let mut winner: Option<(State, Measure)> = None;
    loop {
        let candidates = chains.iter().map(|chain| chain.candidates).sum();
        let leading = chains.iter_mut().filter(|chain| chain.winner.is_some());
        let energy =
            |chain: &Chain<'_>| chain.winner.as_ref().map_or(f64::INFINITY, |one| one.energy);
        if let Some(chain) = leading.min_by(|one, other| energy(one).total_cmp(&energy(other)))
            && let Some(state) = chain.winner.clone()
            && winner.as_ref().is_none_or(|(known, _)| state.energy < known.energy)
        {
            let measure = measure_of(&state, candidates);
            match improved(&measure)? {
                Acceptance::Accepted => winner = Some((state, measure)),
                Acceptance::Refused => chain.winner = None,
            }
        }
        let leader = chains.iter().map(|chain| &chain.best);
        let leader = leader.min_by(|one, other| one.energy.total_cmp(&other.energy));
        let leader = leader.expect("there is a chain").clone();
        let what = describe(table, &leader);
        observer.report(Progress {
            what: &what,
            done: candidates,
            total: search.budget.candidates(),
        });
        observer.point(&[
            ("candidates", candidates as f64),
            ("terms", leader.candidate.terms.len() as f64),
            ("positions that are not won", leader.trial.lost as f64),
        ]);
        let elapsed = begin.elapsed();
        let round = search.budget.round(ROUND, elapsed, candidates, chains.len());
        if round == 0 || observer.is_stopped() {
            let draft = winner.is_none().then(|| measure_of(&leader, candidates));
            let trial = winner.as_ref().map_or(leader.trial, |(state, _)| state.trial);
            let measure = winner.map(|(_, measure)| measure);
            return Ok(MeasureSearchResult { measure, draft, trial, candidates, elapsed });
        }
        // At the end of a cycle, each chain goes on from the best that it knows, or from the best of all.
        for chain in &mut chains {
            if chain.candidates % CYCLE < ROUND {
                chain.now = if chain.best.energy > leader.energy + 2.0 {
                    leader.clone()
                } else {
                    chain.best.clone()
                };
            }
        }
        let until = search.budget.until(begin);
        chains.par_iter_mut().for_each(|chain| chain.run(round, until));
    }
}

fn describe(table: &MeasureTable, state: &State) -> String {
    let names = state.candidate.terms.iter().map(|&(quantity, weight)| {
        format!("{weight} {}", table.quantities().quantities()[quantity].name())
    });
    let names = names.collect::<Vec<_>>().join(", ");
    let TrialResult { lost, longest, .. } = state.trial;
    let material = table.material();
    match lost {
        0 => format!("{material}: {names}: longest {longest}"),
        _ => {
            let lost = count(lost as u64, "position", "positions");
            format!("{material}: {names}: {lost} not won")
        }
    }
}
