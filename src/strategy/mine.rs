//! The search for strategies: small changes, kept where they help, and now and then where they do not.

use super::backward::Backward;
use super::change::Parts;
use super::exhaust::keys;
use super::ground::Ground;
use super::kept::Kept;
use super::mend::{Limits, Mending};
use super::parts::{StrategyPart, parts_of, without};
use super::patch::Patching;
use super::trial::{DEEPEST, Score, Trial};
use super::{FIFTY_MOVES, written};
use crate::work::{Budget, Progress, Search, Stopped, Watch};
use lucena_tree::{Strategy, StrategyRule};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::time::{Duration, Instant};

/// What a strategy should be like, besides winning everything. What is left open should be small.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wanted {
    /// The moves of the longest game, at most.
    pub longest: Option<u16>,
    /// Moves over the optimum, on average, at most.
    pub mean_excess: Option<f64>,
    /// Conditions and keys, at most; then it need not be smaller, and is made quicker instead.
    pub size: Option<usize>,
    /// Rules, at most.
    pub rules: Option<usize>,
}

/// What a search has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Mined {
    /// The best strategy that wins every position; nothing where none was found.
    pub strategy: Option<Strategy>,
    /// What comes nearest to it, if none was found: another search can go on from there.
    pub draft: Option<Strategy>,
    /// The positions up to symmetry in which the best one fails: it throws the win away there, or play can
    /// come back to them. None if it wins.
    pub failures: usize,
    /// The candidates that were looked at.
    pub candidates: u64,
    /// How many of them were changes of strategies that win.
    pub among_winners: u64,
    /// How long that took.
    pub elapsed: Duration,
}

/// Candidates of each chain between two looks at the others.
const ROUND: u64 = 2_000;

/// The most rules of a strategy.
const MOST_RULES: usize = 24;

/// Candidates after which small changes stand still if the best has not become better meanwhile. Then the
/// failures are patched, if they are few.
const STANDS_STILL: u64 = 60_000;
const FEW_FAILURES: usize = 5_000;

/// How many keys a search begins with.
const FIRST_KEYS: usize = 4;

/// Candidates from the first warmth to the last.
const CYCLE: u64 = 200_000;

/// What being not won costs: more than anything else.
const NOT_WON: f64 = 10_000.0;

/// The size beyond which a strategy that is not won yet is not to grow, where nothing is asked.
const MOST_SIZE: usize = 100;

/// What each part of a strategy costs that is not won yet, and what where a size is asked for: up to that
/// it may grow.
const PRICE: f64 = 0.3;
const PRICE_WITHIN_SIZE: f64 = 0.04;

/// What a strategy is worth to a search: less is better.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Worth {
    /// It wins.
    Won(Score),
    /// It fails in so many positions.
    Fails(usize),
}

/// Searches from some rules, or from a few keys drawn by lot. `told` says so in what is found.
pub(super) fn search_from<E: From<Stopped>>(
    ground: &Ground,
    wanted: Wanted,
    start: Option<&[StrategyRule]>,
    told: &Parameter,
    search: Search,
    watch: &dyn Watch,
    mut improved: impl FnMut(&Strategy) -> Result<(), E>,
) -> Result<Mined, E> {
    let begin = Instant::now();
    let parts = Parts::new(ground, keys(ground).to_vec());
    let backward = Backward::new(ground);
    let task = Task { ground, backward: &backward, wanted, parts: &parts, told };
    let mut chains: Vec<Chain<'_>> = (0..search.chains.max(1))
        .map(|number| Chain::new(task, start, search.seed, number))
        .collect();
    let mut best: Option<(f64, Strategy)> = None;
    loop {
        let (candidates, among) = chains
            .iter()
            .fold((0, 0), |(all, won), chain| (all + chain.candidates, won + chain.among_winners));
        let leader = chains.iter().min_by(|one, other| one.best.0.total_cmp(&other.best.0));
        let leader = leader.expect("there is a chain");
        if let Worth::Won(Score { longest, .. }) = leader.best.1
            && longest <= FIFTY_MOVES
            && best.as_ref().is_none_or(|(energy, _)| leader.best.0 < *energy)
        {
            let parameters = task.parameters(search, candidates);
            let strategy = written(ground, leader.best.2.clone(), parameters);
            improved(&strategy)?;
            best = Some((leader.best.0, strategy));
        }
        let what = task.tell(&leader.best);
        let total = match search.budget {
            Budget::Candidates(all) => Some(all),
            Budget::Time(_) => None,
        };
        watch.tell(Progress { what: &what, done: candidates, total });
        let elapsed = begin.elapsed();
        let round = search.budget.round(ROUND, elapsed, candidates, chains.len());
        if round == 0 || watch.is_stopped() {
            let failures = match leader.best.1 {
                Worth::Won(_) => 0,
                Worth::Fails(count) => count,
            };
            let strategy = best.map(|(_, strategy)| strategy);
            let draft = strategy.is_none().then(|| {
                let parameters = task.parameters(search, candidates);
                written(ground, leader.best.2.clone(), parameters)
            });
            return Ok(Mined {
                strategy,
                draft,
                failures,
                candidates,
                among_winners: among,
                elapsed,
            });
        }
        // Who has fallen far behind goes on from the best.
        let (least, state) = (leader.best.0, leader.best.clone());
        for chain in &mut chains {
            if chain.candidates.is_multiple_of(CYCLE) && chain.best.0 > least + 1.0 {
                chain.restart(&state);
            }
        }
        let until = search.budget.until(begin);
        chains.par_iter_mut().for_each(|chain| chain.run(round, until));
    }
}

/// A parameter of what is found: its name, and its value if it was given.
pub(super) type Parameter = (&'static str, Option<String>);

/// What is searched for.
#[derive(Clone, Copy)]
struct Task<'g> {
    ground: &'g Ground,
    backward: &'g Backward,
    wanted: Wanted,
    parts: &'g Parts,
    told: &'g Parameter,
}

impl Task<'_> {
    fn energy(&self, worth: Worth, rules: &[StrategyRule]) -> f64 {
        let size: usize = rules.iter().map(StrategyRule::size).sum();
        let fixed = self.fixed(size, rules.len());
        match worth {
            Worth::Fails(count) => NOT_WON + count as f64 + fixed,
            Worth::Won(Score { longest, excess }) => {
                let mean = excess as f64 / self.ground.positions() as f64;
                let too_long = longest.saturating_sub(self.longest());
                let too_much = self.wanted.mean_excess.map_or(0.0, |most| (mean - most).max(0.0));
                fixed
                    + f64::from(too_long)
                    + 3.0 * too_much
                    + 0.1 * mean
                    + 0.01 * f64::from(longest)
            }
        }
    }

    /// What the size of a strategy costs.
    fn fixed(&self, size: usize, rules: usize) -> f64 {
        let too_many = self.wanted.rules.map_or(0, |most| rules.saturating_sub(most));
        let size_cost = match self.wanted.size {
            Some(most) => size.saturating_sub(most) as f64 + 0.02 * size as f64,
            None => size as f64,
        };
        size_cost + too_many as f64 + 0.02 * rules as f64
    }

    /// The longest game that may be.
    fn longest(&self) -> u16 {
        self.wanted.longest.unwrap_or(FIFTY_MOVES).min(FIFTY_MOVES)
    }

    /// What is asked of rules until they win.
    fn limits(&self) -> Limits {
        let size = self.wanted.size.unwrap_or(MOST_SIZE);
        let rules = self.wanted.rules.unwrap_or(MOST_RULES);
        let price = if self.wanted.size.is_some() { PRICE_WITHIN_SIZE } else { PRICE };
        Limits { price, size, rules }
    }

    /// The longest game with which rules can still be below an energy.
    fn most_moves(&self, energy: f64, rules: &[StrategyRule]) -> Option<u16> {
        let size: usize = rules.iter().map(StrategyRule::size).sum();
        let left = energy - self.fixed(size, rules.len());
        if left < 0.0 {
            return None;
        }
        Some((f64::from(self.longest()) + left) as u16)
    }

    fn tell(&self, best: &(f64, Worth, Vec<StrategyRule>)) -> String {
        let (_, worth, rules) = best;
        let size: usize = rules.iter().map(StrategyRule::size).sum();
        let stage = self.ground.stage.map(|asked| format!(", {}", self.ground.condition(asked)));
        let material = format!("{}{}", self.ground.material(), stage.unwrap_or_default());
        match worth {
            Worth::Fails(count) => {
                format!("{material}: {} rules, size {size}, fail in {count} positions", rules.len())
            }
            Worth::Won(Score { longest, excess }) => {
                let mean = *excess as f64 / self.ground.positions() as f64;
                format!(
                    "{material}: {} rules, size {size}, longest {longest}, excess {mean:.2}",
                    rules.len()
                )
            }
        }
    }

    fn parameters(&self, search: Search, candidates: u64) -> Vec<(&'static str, Option<String>)> {
        let Wanted { longest, mean_excess, size, rules } = self.wanted;
        let (how, value) = self.told.clone();
        vec![
            ("longest", longest.map(|longest| longest.to_string())),
            ("excess", mean_excess.map(|excess| excess.to_string())),
            ("size", size.map(|size| size.to_string())),
            ("rules", rules.map(|rules| rules.to_string())),
            ("seed", Some(search.seed.to_string())),
            ("chains", Some(search.chains.to_string())),
            ("candidates", Some(candidates.to_string())),
            (how, value),
        ]
    }
}

/// One search.
struct Chain<'g> {
    task: Task<'g>,
    trial: Trial<'g>,
    stage: Stage<'g>,
    rng: ChaCha8Rng,
    now: (f64, Worth, Vec<StrategyRule>),
    best: (f64, Worth, Vec<StrategyRule>),
    candidates: u64,
    among_winners: u64,
}

/// How far a search has come.
enum Stage<'g> {
    /// The rules do not win yet.
    Mending {
        mending: Box<Mending<'g>>,
        /// After how many candidates the best was found.
        best_at: u64,
    },
    /// They fail in few positions, and small changes have stood still.
    Patching(Box<Patching<'g>>),
    /// They win.
    Winning {
        /// The proof of where the search stands.
        kept: Box<Kept<'g>>,
        /// The parts before this one are needed. First all are tried, then changes are drawn by lot.
        tried: usize,
    },
}

impl<'g> Chain<'g> {
    fn new(task: Task<'g>, start: Option<&[StrategyRule]>, seed: u64, number: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number as u64);
        let rules = match start {
            Some(rules) => rules.to_vec(),
            None => task.parts.first(&mut rng, FIRST_KEYS),
        };
        let mut trial = Trial::new(task.ground);
        let (stage, worth) = Stage::new(task, &mut trial, &mut rng, &rules, 0);
        let now = (task.energy(worth, &rules), worth, rules);
        Self { task, trial, stage, rng, best: now.clone(), now, candidates: 0, among_winners: 0 }
    }

    fn restart(&mut self, state: &(f64, Worth, Vec<StrategyRule>)) {
        self.now = state.clone();
        self.stage = self.begin(&state.2).0;
    }

    /// Begins anew from some rules.
    fn begin(&mut self, rules: &[StrategyRule]) -> (Stage<'g>, Worth) {
        Stage::new(self.task, &mut self.trial, &mut self.rng, rules, self.candidates)
    }

    fn run(&mut self, round: u64, until: Option<Instant>) {
        let end = self.candidates + round;
        while self.candidates < end {
            // A patch takes longer than a small change.
            let looks =
                matches!(self.stage, Stage::Patching(_)) || self.candidates.is_multiple_of(64);
            if looks && until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
            match &mut self.stage {
                Stage::Mending { .. } => self.mend(),
                Stage::Patching(_) => self.patch(),
                Stage::Winning { .. } => self.improve(),
            }
        }
    }

    /// Tries a change of rules that do not win yet.
    fn mend(&mut self) {
        self.candidates += 1;
        let Stage::Mending { mending, best_at } = &mut self.stage else { return };
        if let Some(rules) = mending.step(&mut self.rng, self.task.parts) {
            self.go_on_from(&rules);
            return;
        }
        let (count, rules) = mending.best();
        if self.best.2 != rules {
            *best_at = self.candidates;
            let rules = rules.to_vec();
            self.fails(count, rules);
        } else if self.candidates - *best_at >= STANDS_STILL && count <= FEW_FAILURES {
            self.stage = Stage::Patching(Box::new(Patching::new(self.task.ground, rules)));
        }
    }

    /// Patches rules at a position where they fail.
    fn patch(&mut self) {
        let Stage::Patching(patching) = &mut self.stage else { return };
        let before = patching.candidates();
        let goes_on = patching.step(&mut self.rng, self.task.parts);
        self.candidates += (patching.candidates() - before).max(1);
        let (count, rules) = patching.rules();
        let rules = rules.to_vec();
        if count == 0 || !goes_on {
            self.go_on_from(&rules);
        } else if self.best.2 != rules {
            self.fails(count, rules);
        }
    }

    /// Takes over rules that fail in so many positions.
    fn fails(&mut self, count: usize, rules: Vec<StrategyRule>) {
        let worth = Worth::Fails(count);
        self.now = (self.task.energy(worth, &rules), worth, rules);
        self.best = self.now.clone();
    }

    /// Goes on from rules, as far as these have come.
    fn go_on_from(&mut self, rules: &[StrategyRule]) {
        let (stage, worth) = self.begin(rules);
        self.stage = stage;
        self.now = (self.task.energy(worth, rules), worth, rules.to_vec());
        self.best = self.now.clone();
    }

    /// Tries a change of rules that win.
    fn improve(&mut self) {
        let Stage::Winning { kept, tried } = &mut self.stage else { return };
        self.candidates += 1;
        self.among_winners += 1;
        if let Some(&part) = parts_of(&self.now.2).get(*tried) {
            self.strip(part);
            return;
        }
        let mut rules = self.now.2.clone();
        let most = self.task.wanted.rules.map_or(MOST_RULES, |rules| (rules + 1).min(MOST_RULES));
        self.task.parts.change(&mut self.rng, &mut rules, most);
        if rules == self.now.2 {
            return;
        }
        let cooling = (self.candidates % CYCLE) as f64 / CYCLE as f64;
        let warmth = 0.6 * libm::pow(0.03 / 0.6, cooling);
        let lot: f64 = self.rng.gen_range(1e-12..1.0);
        let most = self.now.0 - warmth * libm::log(lot);
        let Some(longest) = self.task.most_moves(most, &rules) else { return };
        let worth = kept.change(&rules, longest).map(Worth::Won);
        let energy = worth.map(|worth| self.task.energy(worth, &rules));
        match (worth, energy) {
            (Some(worth), Some(energy)) if energy <= most => {
                self.now = (energy, worth, rules);
                if energy < self.best.0 {
                    self.best = self.now.clone();
                }
            }
            _ => kept.take_back(),
        }
    }

    /// Takes out a part of rules that win, if it is not needed.
    fn strip(&mut self, part: StrategyPart) {
        let Stage::Winning { kept, tried } = &mut self.stage else { return };
        let rules = without(&self.now.2, part).filter(|rules| !rules.is_empty());
        let better = rules.and_then(|rules| {
            let longest = self.task.most_moves(self.now.0, &rules)?;
            let worth = kept.change(&rules, longest).map(Worth::Won);
            let energy = worth.map(|worth| self.task.energy(worth, &rules));
            match (worth, energy) {
                (Some(worth), Some(energy)) if energy <= self.now.0 => Some((energy, worth, rules)),
                _ => {
                    kept.take_back();
                    None
                }
            }
        });
        match better {
            Some(better) => {
                self.now = better;
                self.best = self.now.clone();
            }
            None => *tried += 1,
        }
    }
}

impl<'g> Stage<'g> {
    /// Where a search from some rules begins, and what they are worth.
    fn new(
        task: Task<'g>,
        trial: &mut Trial<'g>,
        rng: &mut ChaCha8Rng,
        rules: &[StrategyRule],
        candidates: u64,
    ) -> (Self, Worth) {
        match trial.score(&mut &*rules, DEEPEST, u64::MAX) {
            Some(score) => {
                let kept = Kept::new(task.ground, task.backward, rules, trial.moves());
                (Self::Winning { kept: Box::new(kept), tried: 0 }, Worth::Won(score))
            }
            None => {
                let mending = Mending::new(task.ground, rules, task.limits(), rng);
                let (count, _) = mending.best();
                let mending = Box::new(mending);
                (Self::Mending { mending, best_at: candidates }, Worth::Fails(count))
            }
        }
    }
}
