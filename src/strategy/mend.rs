//! From a strategy that fails to one that wins.
//!
//! Small changes are tried on a region: some positions drawn by lot, and all those in which a strategy has
//! failed when the whole board was looked at. What is best there is looked at on the whole board again, and
//! its failures join the region.

use super::change::Parts;
use super::ground::{At, Ground};
use super::play::{Failures, Play};
use lucena_tree::StrategyRule;
use rand::Rng;
use rand::seq::SliceRandom;

/// How many positions the region begins with.
const FIRST: usize = 3_000;

/// How many of the new failures join the region at most, and which part of the region if that is more.
const JOIN: usize = 600;
const JOIN_PART: usize = 5;

/// Candidates between two looks at the whole board.
const CYCLE: u64 = 6_000;

/// How many positions of the region that refuted most changes are looked at first, and how many
/// candidates it takes until they are chosen anew.
const CORE: usize = 500;
const CORE_FOR: u64 = 1_000;

/// How many failures of a refuted change are remembered.
const BLAMED: usize = 32;

/// Candidates that are still tried once nothing fails in the region.
const WHEN_NOTHING_FAILS: u64 = 600;

/// How warm a cycle begins at most, and how cold it ends.
const HOT: f64 = 2.0;
const COLD: f64 = 0.15;

/// What the first failure costs. The more there are, the less each counts: the few last are the hard ones.
const FAILURE: f64 = 3.0;
const POWER: f64 = 0.6;

/// What a move costs that the strategy loses on average.
const REGRET: f64 = 5.0;

/// How often a change begins at a failure.
const PATCHES: f64 = 0.35;

/// What is asked of rules while they are mended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// What each condition, key or rule costs.
    pub(super) price: f64,
    /// Conditions and keys; each more costs much.
    pub(super) size: usize,
    /// Rules, at most.
    pub(super) rules: usize,
}

/// Rules with what they are worth.
#[derive(Debug, Clone)]
struct State {
    energy: f64,
    failures: usize,
    rules: Vec<StrategyRule>,
}

/// A search for rules that do not fail.
pub(super) struct Mending<'g> {
    limits: Limits,
    whole: Play<&'g Ground>,
    /// The region, by the numbers of the whole ground.
    region: Vec<At>,
    is_in_region: Vec<bool>,
    near: Play<Box<Ground>>,
    /// By position of the region: how often it has refuted a change lately.
    blame: Vec<u32>,
    core: Play<Box<Ground>>,
    /// Where the rules of `now` fail, by the numbers of the region.
    roots: Vec<At>,
    now: State,
    /// The best of this cycle.
    low: State,
    /// The fewest failures on the whole board.
    best: (usize, Vec<StrategyRule>),
    turn: u64,
    since_nothing_fails: u64,
    hot: f64,
}

impl<'g> Mending<'g> {
    pub(super) fn new(
        ground: &'g Ground,
        rules: &[StrategyRule],
        limits: Limits,
        rng: &mut impl Rng,
    ) -> Self {
        let mut all: Vec<At> = (0..ground.len() as At).collect();
        let region = all.partial_shuffle(rng, FIRST.min(ground.len())).0.to_vec();
        let mut is_in_region = vec![false; ground.len()];
        for &at in &region {
            is_in_region[at as usize] = true;
        }
        let mut whole = Play::new(ground, rules);
        let failures = whole.failures().all();
        let state = State { energy: 0.0, failures, rules: rules.to_vec() };
        let mut mending = Self {
            limits,
            near: Play::new(Box::new(ground.region(&region)), rules),
            blame: Vec::new(),
            core: Play::new(Box::new(ground.region(&[])), rules),
            whole,
            region,
            is_in_region,
            roots: Vec::new(),
            now: state.clone(),
            low: state,
            best: (failures, rules.to_vec()),
            turn: 0,
            since_nothing_fails: 0,
            hot: HOT,
        };
        mending.begin(rng);
        mending
    }

    /// The rules that fail least, and in how many positions.
    pub(super) fn best(&self) -> (usize, &[StrategyRule]) {
        (self.best.0, &self.best.1)
    }

    fn energy(&self, failures: Failures, rules: &[StrategyRule]) -> f64 {
        let positions = self.near.ground().len() as f64;
        FAILURE * (failures.all() as f64).powf(POWER)
            + REGRET * failures.regret as f64 / (16.0 * positions)
            + self.limits.cost(rules)
    }

    /// Tries one change. The rules that win every position, if it comes to that.
    pub(super) fn step(&mut self, rng: &mut impl Rng, parts: &Parts) -> Option<Vec<StrategyRule>> {
        self.turn += 1;
        self.since_nothing_fails += u64::from(self.now.failures == 0);
        if self.turn > CYCLE || self.since_nothing_fails > WHEN_NOTHING_FAILS {
            return self.look_at_the_whole(rng);
        }
        let mut rules = self.now.rules.clone();
        if let Some(&at) = self.roots.choose(rng)
            && rng.gen_bool(PATCHES)
        {
            parts.patch(rng, &mut rules, self.limits.rules, self.near.ground(), at);
        } else {
            parts.change(rng, &mut rules, self.limits.rules);
        }
        if rules == self.now.rules {
            return None;
        }
        let done = self.turn as f64 / CYCLE as f64;
        let warmth = self.hot * (COLD / self.hot).powf(done);
        let lot: f64 = rng.gen_range(1e-12..1.0);
        let most = self.now.energy - warmth * libm::log(lot);
        let left = most - self.limits.cost(&rules);
        if left < 0.0 {
            return None;
        }
        let most_failures = (left / FAILURE).powf(1.0 / POWER) as usize;
        if self.turn.is_multiple_of(CORE_FOR) {
            self.choose_core();
        }
        let failures = self.core.change(&rules, most_failures);
        if failures.is_none_or(|failures| failures.all() > most_failures) {
            self.core.take_back();
            return None;
        }
        let failures = self.near.change(&rules, most_failures);
        let energy = failures.map(|failures| self.energy(failures, &rules));
        match (failures, energy) {
            (Some(failures), Some(energy)) if energy <= most => {
                self.now = State { energy, failures: failures.all(), rules };
                self.roots = self.near.roots();
                if energy < self.low.energy {
                    self.low = self.now.clone();
                }
            }
            _ => {
                for at in self.near.roots().into_iter().take(BLAMED) {
                    self.blame[at as usize] += 1;
                }
                self.near.take_back();
                self.core.take_back();
            }
        }
        None
    }

    /// Chooses the positions that are looked at first.
    fn choose_core(&mut self) {
        for &at in &self.roots {
            self.blame[at as usize] += 1;
        }
        let blamed = (0..self.blame.len() as At).filter(|&at| self.blame[at as usize] > 0);
        let mut core: Vec<At> = blamed.collect();
        core.sort_by_key(|&at| (std::cmp::Reverse(self.blame[at as usize]), at));
        core.truncate(CORE);
        self.core = Play::new(Box::new(self.near.ground().region(&core)), &self.now.rules);
        for blame in &mut self.blame {
            *blame /= 2;
        }
    }

    /// Looks at the best of a cycle on the whole board, and begins another one.
    fn look_at_the_whole(&mut self, rng: &mut impl Rng) -> Option<Vec<StrategyRule>> {
        let mut rules = self.low.rules.clone();
        let failures =
            self.whole.change(&rules, usize::MAX).map_or(usize::MAX, |failures| failures.all());
        if failures == 0 {
            return Some(rules);
        }
        let mut new = self.whole.roots();
        new.retain(|&at| !self.is_in_region[at as usize]);
        let join = JOIN.max(self.region.len() / JOIN_PART).min(new.len());
        for &at in &*new.partial_shuffle(rng, join).0 {
            self.is_in_region[at as usize] = true;
            self.region.push(at);
        }
        if failures <= self.best.0 {
            self.best = (failures, rules);
            rules = self.best.1.clone();
        } else if failures > 3 * self.best.0 + 20 && rng.gen_bool(0.5) {
            // The region did not show how bad they are.
            rules = self.best.1.clone();
        }
        self.near = Play::new(Box::new(self.whole.ground().region(&self.region)), &rules);
        self.now.rules = rules;
        self.begin(rng);
        None
    }

    fn begin(&mut self, rng: &mut impl Rng) {
        self.turn = 0;
        self.since_nothing_fails = 0;
        self.hot = COLD + (HOT - COLD) * rng.gen_range(0.0..1.0);
        let failures = self.near.failures();
        self.now.energy = self.energy(failures, &self.now.rules);
        self.now.failures = failures.all();
        self.roots = self.near.roots();
        self.low = self.now.clone();
        self.blame.resize(self.region.len(), 0);
        self.choose_core();
    }
}

impl Limits {
    fn cost(self, rules: &[StrategyRule]) -> f64 {
        let size: usize = rules.iter().map(StrategyRule::size).sum();
        let too_many = rules.len().saturating_sub(self.rules) + size.saturating_sub(self.size);
        self.price * (size as f64 + 0.2 * rules.len() as f64) + too_many as f64
    }
}
