//! One chain of the search for a strategy of a part of an endgame.

use super::super::move_rows::{MoveRows, PositionId};
use super::super::mutation::{OTHERS, Vocabulary};
use super::super::objective::{Limits, MAX_RULES};
use super::endgame_part::Part;
use super::reached::SAMPLE;
use super::trial::{Failures, Trials};
use lucena_mine::{Chain, bound};
use lucena_model::StrategyRule;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::time::Instant;

/// The most positions that join the sample when rules fail there but nowhere in the sample.
const COUNTEREXAMPLES: usize = 40;

/// The number of positions after which a trial of the weak side ends, at first and at last.
const REACH: [usize; 2] = [2_000, 2_000_000];

/// The number of random keys that a search begins with.
const FIRST_KEYS: usize = 4;

/// The cost of rules that fail, besides their failures: more than that of any size.
const FAILING: f64 = 10_000.0;

/// The cost of each condition and key, while rules fail.
const PRICE: f64 = 0.2;

/// The share of candidates that repair a position in which the rules fail.
const PATCHES: f64 = 0.3;

/// The candidates of one annealing cycle, and the highest and the lowest temperature.
const CYCLE: u64 = 10_000;
const TEMPERATURES: [f64; 2] = [3.0, 0.2];

/// Rules with what is known of them.
#[derive(Clone)]
pub(super) struct State {
    pub(super) energy: f64,
    /// The cost of the failures in the trial, rounded up.
    pub(super) failures: usize,
    /// True if the trial ended before all positions were reached.
    is_cut: bool,
    pub(super) rules: Vec<StrategyRule>,
}

pub(super) struct PartChain<'p> {
    wanted: Limits,
    vocabulary: Vocabulary,
    trials: Trials<'p>,
    /// All positions of the part.
    starts: Vec<PositionId>,
    sample: Vec<PositionId>,
    /// The number of positions after which a trial of the weak side ends.
    reach: usize,
    all_attributes: Vec<usize>,
    /// The positions on which repairs are tried besides those in which the rules fail.
    others: Vec<PositionId>,
    /// The positions in which the rules at hand fail.
    failed_in: Vec<PositionId>,
    rng: ChaCha8Rng,
    now: State,
    best: State,
    /// The cost of the best rules that were refused.
    refused: Option<f64>,
    candidates: u64,
    pub(super) among_winners: u64,
}

impl<'p> PartChain<'p> {
    pub(super) fn new(
        part: &'p Part<'p>,
        wanted: Limits,
        start: Option<&[StrategyRule]>,
        mut rng: ChaCha8Rng,
    ) -> Self {
        let (mut reached, starts) = part.reached();
        let mut order = starts.clone();
        let sample = order.partial_shuffle(&mut rng, SAMPLE).0.to_vec();
        let all_attributes: Vec<usize> = (0..part.attributes.attributes().len()).collect();
        let vocabulary = reached.vocabulary(&starts).expect("some attribute matters");
        sample.iter().for_each(|&at| reached.prepare(at, &all_attributes));
        let asked: Vec<PositionId> =
            sample.iter().copied().filter(|&at| reached.is_asked(at)).collect();
        let rules = match start {
            Some(rules) => rules.to_vec(),
            None => vocabulary.first(&mut rng, FIRST_KEYS),
        };
        let now = State { energy: f64::INFINITY, failures: usize::MAX, is_cut: false, rules };
        let mut chain = Self {
            wanted,
            vocabulary,
            trials: Trials::new(reached, part.side()),
            starts,
            sample,
            reach: REACH[0],
            all_attributes,
            others: asked.into_iter().take(OTHERS).collect(),
            failed_in: Vec::new(),
            rng,
            best: now.clone(),
            now,
            refused: None,
            candidates: 0,
            among_winners: 0,
        };
        chain.begin_again();
        chain
    }

    /// Returns the cost of rules, besides that of their failures.
    fn cost(&self, rules: &[StrategyRule]) -> f64 {
        let size: usize = rules.iter().map(StrategyRule::size).sum();
        let most = |wanted: Option<usize>, found: usize| {
            wanted.map_or(0, |most| found.saturating_sub(most))
        };
        let too_many = most(self.wanted.size, size) + most(self.wanted.rules, rules.len());
        size as f64 + 0.02 * rules.len() as f64 + 20.0 * too_many as f64
    }

    /// Returns rules with what a trial on the sample says of them; `None` if they cost more than `most`.
    fn state(&mut self, rules: Vec<StrategyRule>, most: f64) -> Option<State> {
        let cost = self.cost(&rules);
        // What is left for failures.
        let left = (most - FAILING - PRICE * cost).max(0.0);
        let Failures { cost: failed, is_cut } =
            self.trials.failures(&rules, &self.sample, left, self.reach);
        let energy = if failed == 0.0 { cost } else { FAILING + PRICE * cost + failed };
        let failures = failed.ceil() as usize;
        (energy <= most).then_some(State { energy, failures, is_cut, rules })
    }

    /// Tries the rules at hand again, after the trial has changed.
    fn begin_again(&mut self) {
        loop {
            let rules = self.now.rules.clone();
            self.now = self.state(rules, f64::INFINITY).expect("nothing costs more");
            std::mem::swap(&mut self.failed_in, &mut self.trials.failed_in);
            if !self.is_widened() {
                break;
            }
        }
        self.best = self.now.clone();
    }

    fn step(&mut self) {
        self.candidates += 1;
        self.among_winners += u64::from(self.now.failures == 0);
        let most = self.wanted.rules.unwrap_or(MAX_RULES).min(MAX_RULES);
        let mut rules = self.now.rules.clone();
        if !self.failed_in.is_empty() && self.rng.gen_bool(PATCHES) {
            let all = &self.all_attributes;
            let reached = &mut self.trials.reached;
            self.failed_in.iter().for_each(|&at| reached.prepare(at, all));
            let (failing, others) = (&self.failed_in, &self.others);
            self.vocabulary.patch(&mut self.rng, &mut rules, most, reached, failing, others);
        } else {
            self.vocabulary.change(&mut self.rng, &mut rules, most);
        }
        if rules == self.now.rules {
            return;
        }
        let done = (self.candidates % CYCLE) as f64 / CYCLE as f64;
        let most = bound(self.now.energy, TEMPERATURES, done, self.rng.gen_range(1e-12..1.0));
        let Some(state) = self.state(rules, most) else { return };
        self.now = state;
        std::mem::swap(&mut self.failed_in, &mut self.trials.failed_in);
        if self.now.energy < self.best.energy {
            if self.is_widened() {
                return self.begin_again();
            }
            self.best = self.now.clone();
        }
    }

    /// Widens the trial if the rules fail nowhere in it but may fail elsewhere. Returns true if it did.
    fn is_widened(&mut self) -> bool {
        if self.now.failures > 0 {
            return false;
        }
        if self.now.is_cut {
            let is_wider = self.reach < REACH[1];
            self.reach = (self.reach * 4).min(REACH[1]);
            return is_wider;
        }
        let failing = self.trials.failing(&self.now.rules, &self.starts, COUNTEREXAMPLES);
        // They come first, since what has refuted one strategy often refutes the next.
        self.sample.splice(0..0, failing.iter().copied());
        !failing.is_empty()
    }
}

impl Chain for PartChain<'_> {
    type State = State;

    fn energy(state: &State) -> f64 {
        state.energy
    }

    fn best(&self) -> &State {
        &self.best
    }

    fn proposal(&self) -> Option<&State> {
        Some(&self.best).filter(|best| self.refused != Some(best.energy))
    }

    fn withdraw(&mut self) {
        self.refused = Some(self.best.energy);
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

    fn catch_up(&mut self, leader: &State) {
        if self.candidates.is_multiple_of(CYCLE) && self.best.energy > leader.energy + 5.0 {
            self.now.rules = leader.rules.clone();
            self.begin_again();
        }
    }
}
