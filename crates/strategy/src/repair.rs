//! The search for a strategy that wins, from one that fails.
//!
//! Small changes are tried on a region: some random positions, and positions in which a strategy failed when
//! the whole board was evaluated. The best strategy of a cycle is evaluated on the whole board again, and
//! some of its new failures join the region.

use super::games::Games;
use super::move_rows::PositionId;
use super::move_table::MoveTable;
use super::mutation::{OTHERS, Vocabulary};
use super::objective::RepairLimits;
use super::play::{Failures, Play};
use lucena_mine::bound;
use lucena_model::StrategyRule;
use rand::Rng;
use rand::seq::SliceRandom;

/// The number of positions that the region begins with.
const FIRST: usize = 1_000;

/// The most new failures that join the region: this many, or one in `JOIN_PART` of the region if that is
/// more.
const JOIN: usize = 150;
const JOIN_PART: usize = 10;

/// The candidates between two evaluations on the whole board.
const CYCLE: u64 = 6_000;

/// The candidates until the positions to try first are chosen again.
const FIRST_FOR: u64 = 500;

/// The most failures of a refuted change that are remembered.
const BLAMED: usize = 32;

/// The candidates that are still tried once nothing fails in the region.
const WHEN_NOTHING_FAILS: u64 = 600;

/// The highest initial temperature of a cycle, and its final temperature.
const HOT: f64 = 2.0;
const COLD: f64 = 0.08;

/// The cost of the first failure. The more there are, the less each counts: the last few are the hard ones.
const FAILURE: f64 = 3.0;
const POWER: f64 = 0.6;

/// The cost of a move lost on average.
const REGRET: f64 = 5.0;

/// The cost of each move over the optimum in games, on average.
const EXCESS: f64 = 3.0;

/// The cycle after one that ends worse than the best by more than this may go back to the best.
const FAR_WORSE: f64 = 20.0;

/// The probability that a change starts from a failure.
const PATCHES: f64 = 0.35;

/// Rules with their cost.
#[derive(Debug, Clone)]
struct Scored {
    energy: f64,
    failures: usize,
    excess: f64,
    rules: Vec<StrategyRule>,
}

/// A search for rules that do not fail.
pub(super) struct Repair<'g> {
    limits: RepairLimits,
    whole: Play<&'g MoveTable>,
    games: Games<'g>,
    /// The region, by the numbers of the whole move table.
    region: Vec<PositionId>,
    is_in_region: Vec<bool>,
    near: Play<Box<MoveTable>>,
    /// By position of the region: how often it has refuted a change recently.
    blame: Vec<u32>,
    /// The failures of the rules of `now`, by the numbers of the region.
    roots: Vec<PositionId>,
    now: Scored,
    /// The best of this cycle.
    low: Scored,
    /// The best on the whole board.
    best: Scored,
    turn: u64,
    since_nothing_fails: u64,
    hot: f64,
}

impl<'g> Repair<'g> {
    pub(super) fn new(
        table: &'g MoveTable,
        rules: &[StrategyRule],
        limits: RepairLimits,
        rng: &mut impl Rng,
    ) -> Self {
        let mut all: Vec<PositionId> = (0..table.len() as PositionId).collect();
        let region = all.partial_shuffle(rng, FIRST.min(table.len())).0.to_vec();
        let is_in_region = table.marked(&region);
        let whole = Play::new(table, rules);
        let games = Games::new(table, rules, rng);
        let excess = games.excess();
        let failures = whole.failures;
        let energy = total_cost(failures, table.len(), limits.cost(rules)) + EXCESS * excess;
        let state = Scored { energy, failures: failures.all(), excess, rules: rules.to_vec() };
        let mut mending = Self {
            limits,
            near: Play::new(Box::new(table.region(&region)), rules),
            blame: Vec::new(),
            whole,
            games,
            region,
            is_in_region,
            roots: Vec::new(),
            now: state.clone(),
            low: state.clone(),
            best: state,
            turn: 0,
            since_nothing_fails: 0,
            hot: HOT,
        };
        mending.begin(rng);
        mending
    }

    /// Returns the fewest failures, and the rules that have them.
    pub(super) fn best(&self) -> (usize, &[StrategyRule]) {
        (self.best.failures, &self.best.rules)
    }

    /// Tries one change. Returns rules that win every position once they are found.
    pub(super) fn step(
        &mut self,
        rng: &mut impl Rng,
        vocabulary: &Vocabulary,
    ) -> Option<Vec<StrategyRule>> {
        self.turn += 1;
        self.since_nothing_fails += u64::from(self.now.failures == 0);
        if self.turn > CYCLE || self.since_nothing_fails > WHEN_NOTHING_FAILS {
            return self.verify_all(rng);
        }
        let mut rules = self.now.rules.clone();
        if !self.roots.is_empty() && rng.gen_bool(PATCHES) {
            let table = self.near.table();
            let others: Vec<PositionId> =
                (0..OTHERS).map(|_| rng.gen_range(0..table.len() as PositionId)).collect();
            vocabulary.patch(rng, &mut rules, self.limits.rules, table, &self.roots, &others);
        } else {
            vocabulary.change(rng, &mut rules, self.limits.rules);
        }
        if rules == self.now.rules {
            return None;
        }
        let done = self.turn as f64 / CYCLE as f64;
        let most = bound(self.now.energy, [self.hot, COLD], done, rng.gen_range(1e-12..1.0));
        if self.turn.is_multiple_of(FIRST_FOR) {
            self.choose_first();
        }
        let (cost, positions) = (self.limits.cost(&rules), self.region.len());
        if cost > most {
            return None;
        }
        let failures =
            self.near.change(&rules, |failures| total_cost(failures, positions, cost) > most);
        let Some(failures) = failures else {
            for &at in self.near.found.iter().take(BLAMED) {
                self.blame[at as usize] += 1;
            }
            self.near.undo();
            return None;
        };
        let energy = total_cost(failures, positions, cost);
        let Some(excess) = self.games.change(&rules, |excess| energy + EXCESS * excess > most)
        else {
            self.near.undo();
            return None;
        };
        self.games.keep(&rules);
        let energy = energy + EXCESS * excess;
        self.now = Scored { energy, failures: failures.all(), excess, rules };
        self.roots = self.near.roots();
        if energy < self.low.energy {
            self.low = self.now.clone();
        }
        None
    }

    /// Chooses the positions that are evaluated first.
    fn choose_first(&mut self) {
        for &at in &self.roots {
            self.blame[at as usize] += 1;
        }
        let blamed = (0..self.blame.len() as PositionId).filter(|&at| self.blame[at as usize] > 0);
        let mut first: Vec<PositionId> = blamed.collect();
        first.sort_by_key(|&at| (std::cmp::Reverse(self.blame[at as usize]), at));
        self.near.look_first(&first);
        for blame in &mut self.blame {
            *blame /= 2;
        }
    }

    /// Evaluates the best rules of a cycle on the whole board, and begins another cycle.
    fn verify_all(&mut self, rng: &mut impl Rng) -> Option<Vec<StrategyRule>> {
        let mut next = self.low.clone();
        let failures = self.whole.change(&next.rules, |_| false)?;
        if failures.all() == 0 {
            return Some(next.rules);
        }
        let positions = self.whole.table().len();
        next.failures = failures.all();
        next.energy =
            total_cost(failures, positions, self.limits.cost(&next.rules)) + EXCESS * next.excess;
        let mut new = self.whole.roots();
        new.retain(|&at| !self.is_in_region[at as usize]);
        let join = JOIN.max(self.region.len() / JOIN_PART).min(new.len());
        for &at in &*new.partial_shuffle(rng, join).0 {
            self.is_in_region[at as usize] = true;
            self.region.push(at);
        }
        if next.energy <= self.best.energy {
            self.best = next.clone();
        } else if next.energy > self.best.energy + FAR_WORSE && rng.gen_bool(0.5) {
            // The region did not show how bad they are.
            next = self.best.clone();
        }
        self.near = Play::new(Box::new(self.whole.table().region(&self.region)), &next.rules);
        self.now = next;
        self.begin(rng);
        None
    }

    fn begin(&mut self, rng: &mut impl Rng) {
        self.turn = 0;
        self.since_nothing_fails = 0;
        self.hot = COLD * libm::pow(HOT / COLD, rng.gen_range(0.0..1.0));
        let failures = self.near.failures;
        self.now.energy =
            total_cost(failures, self.region.len(), self.limits.cost(&self.now.rules))
                + EXCESS * self.now.excess;
        self.now.failures = failures.all();
        self.roots = self.near.roots();
        self.low = self.now.clone();
        self.blame.resize(self.region.len(), 0);
        self.choose_first();
    }
}

/// Returns the cost of rules with these failures in a region of this many positions.
fn total_cost(failures: Failures, positions: usize, cost: f64) -> f64 {
    FAILURE * libm::pow(failures.all() as f64, POWER)
        + REGRET * failures.regret as f64 / (16.0 * positions as f64)
        + cost
}
