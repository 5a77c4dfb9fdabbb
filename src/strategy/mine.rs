//! The search for strategies: small changes, kept where they help, and now and then where they do not.

use super::backward::Backward;
use super::change::Parts;
use super::exhaust::keys;
use super::ground::{At, Ground};
use super::kept::Kept;
use super::trial::{Score, Trial};
use super::{FIFTY_MOVES, written};
use crate::work::{Budget, Progress, Search, Stopped, Watch};
use lucena_tree::{Strategy, StrategyRule};
use rand::seq::SliceRandom;
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
    /// The share of positions that the best one wins, from 0 to 1.
    pub won: f64,
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

/// How many keys a search begins with.
const FIRST_KEYS: usize = 4;

/// How many positions a strategy that does not win yet is measured on.
const SAMPLE: usize = 600;

/// Candidates from the first warmth to the last.
const CYCLE: u64 = 200_000;

/// What being not won costs: more than anything else.
const NOT_WON: f64 = 1_000.0;

/// What a strategy is worth to a search: less is better.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Worth {
    /// It wins.
    Won(Score),
    /// It loses from this share of a sample.
    Lost(f64),
}

/// Searches for a strategy.
///
/// Chains run side by side, each with its own random numbers. Every strategy that is better than the
/// ones before is handed to `improved`; an error of it ends the search. Nothing of what is found is
/// proved by the rules yet: see [`super::verify`].
///
/// # Errors
/// When `improved` fails.
///
/// # Panics
/// When the ground has no position, or no key tells two moves apart: see [`super::keys`].
pub fn mine<E: From<Stopped>>(
    ground: &Ground,
    wanted: Wanted,
    start: Option<&[StrategyRule]>,
    search: Search,
    watch: &dyn Watch,
    mut improved: impl FnMut(&Strategy) -> Result<(), E>,
) -> Result<Mined, E> {
    let begin = Instant::now();
    let parts = Parts::new(ground, keys(ground).to_vec());
    let backward = Backward::new(ground);
    let task = Task { ground, backward: &backward, wanted, parts: &parts };
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
        if let Worth::Won(_) = leader.best.1
            && best.as_ref().is_none_or(|(energy, _)| leader.best.0 < *energy)
        {
            let parameters = task.parameters(search, start.is_some(), candidates);
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
            let won = match leader.best.1 {
                Worth::Won(_) => 1.0,
                Worth::Lost(share) => 1.0 - share,
            };
            let strategy = best.map(|(_, strategy)| strategy);
            return Ok(Mined { strategy, won, candidates, among_winners: among, elapsed });
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

/// What is searched for.
#[derive(Clone, Copy)]
struct Task<'g> {
    ground: &'g Ground,
    backward: &'g Backward,
    wanted: Wanted,
    parts: &'g Parts,
}

impl Task<'_> {
    fn energy(&self, worth: Worth, rules: &[StrategyRule]) -> f64 {
        let size: usize = rules.iter().map(StrategyRule::size).sum();
        let fixed = self.fixed(size, rules.len());
        match worth {
            Worth::Lost(share) => NOT_WON * (0.01 + share) + fixed,
            Worth::Won(Score { longest, excess }) => {
                let mean = excess as f64 / self.ground.positions() as f64;
                let too_long = self.wanted.longest.map_or(0, |most| longest.saturating_sub(most));
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

    /// The longest game with which rules can still be below an energy.
    fn most_moves(&self, energy: f64, rules: &[StrategyRule]) -> Option<u16> {
        let size: usize = rules.iter().map(StrategyRule::size).sum();
        let left = energy - self.fixed(size, rules.len());
        if left < 0.0 {
            return None;
        }
        Some(match self.wanted.longest {
            Some(most) => (f64::from(most) + left).min(f64::from(FIFTY_MOVES)) as u16,
            None => FIFTY_MOVES,
        })
    }

    fn tell(&self, best: &(f64, Worth, Vec<StrategyRule>)) -> String {
        let (_, worth, rules) = best;
        let size: usize = rules.iter().map(StrategyRule::size).sum();
        let material = self.ground.material();
        match worth {
            Worth::Lost(share) => format!("{material}: {:.2} % not won yet", 100.0 * share),
            Worth::Won(Score { longest, excess }) => {
                let mean = *excess as f64 / self.ground.positions() as f64;
                format!(
                    "{material}: {} rules, size {size}, longest {longest}, excess {mean:.2}",
                    rules.len()
                )
            }
        }
    }

    fn parameters(
        &self,
        search: Search,
        is_continued: bool,
        candidates: u64,
    ) -> Vec<(&'static str, Option<String>)> {
        let Wanted { longest, mean_excess, size, rules } = self.wanted;
        vec![
            ("longest", longest.map(|longest| longest.to_string())),
            ("excess", mean_excess.map(|excess| excess.to_string())),
            ("size", size.map(|size| size.to_string())),
            ("rules", rules.map(|rules| rules.to_string())),
            ("seed", Some(search.seed.to_string())),
            ("chains", Some(search.chains.to_string())),
            ("candidates", Some(candidates.to_string())),
            ("from", is_continued.then(|| "another strategy".into())),
        ]
    }
}

/// One search.
struct Chain<'g> {
    task: Task<'g>,
    trial: Trial<'g>,
    /// The proof of where it stands, if that wins.
    kept: Option<Kept<'g>>,
    rng: ChaCha8Rng,
    sample: Vec<At>,
    now: (f64, Worth, Vec<StrategyRule>),
    best: (f64, Worth, Vec<StrategyRule>),
    candidates: u64,
    among_winners: u64,
}

impl<'g> Chain<'g> {
    fn new(task: Task<'g>, start: Option<&[StrategyRule]>, seed: u64, number: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number as u64);
        let count = task.ground.len();
        let mut all: Vec<At> = (0..count as At).collect();
        let sample = all.partial_shuffle(&mut rng, SAMPLE.min(count)).0.to_vec();
        let rules = match start {
            Some(rules) => rules.to_vec(),
            None => task.parts.first(&mut rng, FIRST_KEYS),
        };
        let nothing = (f64::INFINITY, Worth::Lost(1.0), rules);
        let mut chain = Self {
            task,
            trial: Trial::new(task.ground),
            kept: None,
            rng,
            sample,
            now: nothing.clone(),
            best: nothing,
            candidates: 0,
            among_winners: 0,
        };
        let worth = chain.worth(&chain.now.2.clone());
        chain.now = (task.energy(worth, &chain.now.2), worth, chain.now.2.clone());
        chain.best = chain.now.clone();
        chain.keep();
        chain
    }

    /// Begins to keep the proof of where it stands, if that wins.
    fn keep(&mut self) {
        let rules = &self.now.2;
        let wins = matches!(self.now.1, Worth::Won(_))
            && self.trial.score(&mut rules.as_slice(), FIFTY_MOVES, u64::MAX).is_some();
        let Task { ground, backward, .. } = self.task;
        self.kept = wins.then(|| Kept::new(ground, backward, rules, self.trial.moves()));
    }

    fn restart(&mut self, state: &(f64, Worth, Vec<StrategyRule>)) {
        self.now = state.clone();
        self.keep();
    }

    /// What rules are worth, whatever they are.
    fn worth(&mut self, rules: &[StrategyRule]) -> Worth {
        match self.trial.score(&mut &*rules, FIFTY_MOVES, u64::MAX) {
            Some(score) => Worth::Won(score),
            None => self.lost_share(rules, 1.0).map_or(Worth::Lost(1.0), Worth::Lost),
        }
    }

    /// The share of the sample that rules do not win, if it is at most so much.
    fn lost_share(&mut self, rules: &[StrategyRule], most: f64) -> Option<f64> {
        let weights = self.task.ground.weights.as_slice();
        let all: u64 = self.sample.iter().map(|&at| u64::from(weights[at as usize])).sum();
        let most = (most.clamp(0.0, 1.0) * all as f64) as u64;
        let lost = self.trial.lost(&mut &*rules, &self.sample, most)?;
        Some(lost as f64 / all as f64)
    }

    /// What rules are worth that may win, if that is below an energy.
    fn worth_below(&mut self, rules: &[StrategyRule], energy: f64) -> Option<Worth> {
        let size: usize = rules.iter().map(StrategyRule::size).sum();
        let left = (energy - self.task.fixed(size, rules.len())) / NOT_WON - 0.01;
        let share = self.lost_share(rules, left.max(0.0))?;
        if share == 0.0
            && let Some(score) = self.trial.score(&mut &*rules, FIFTY_MOVES, u64::MAX)
        {
            return Some(Worth::Won(score));
        }
        Some(Worth::Lost(share))
    }

    /// Goes on to rules if they are worth it. Their energy must be at most so much.
    fn step(&mut self, rules: Vec<StrategyRule>, most: f64) {
        let worth = match &mut self.kept {
            None => self.worth_below(&rules, most),
            Some(kept) => {
                let longest = self.task.most_moves(most, &rules);
                let score = longest.and_then(|longest| kept.change(&rules, longest));
                let worth = score.map(Worth::Won);
                let is_taken = worth.is_some_and(|worth| self.task.energy(worth, &rules) <= most);
                if longest.is_some() && !is_taken {
                    kept.take_back();
                }
                worth
            }
        };
        let Some(worth) = worth else { return };
        let energy = self.task.energy(worth, &rules);
        if energy > most {
            return;
        }
        self.now = (energy, worth, rules);
        if self.kept.is_none() {
            self.keep();
        }
        if energy < self.best.0 {
            self.best = self.now.clone();
        }
    }

    fn run(&mut self, round: u64, until: Option<Instant>) {
        for done in 0..round {
            if done % 64 == 0 && until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
            let cooling = (self.candidates % CYCLE) as f64 / CYCLE as f64;
            let warmth = match self.now.1 {
                Worth::Won(_) => 0.6 * (0.03_f64 / 0.6).powf(cooling),
                Worth::Lost(_) => 4.0 * (0.3_f64 / 4.0).powf(cooling),
            };
            self.candidates += 1;
            self.among_winners += u64::from(matches!(self.now.1, Worth::Won(_)));
            let mut rules = self.now.2.clone();
            let most =
                self.task.wanted.rules.map_or(MOST_RULES, |rules| (rules + 1).min(MOST_RULES));
            self.task.parts.change(&mut self.rng, &mut rules, most);
            if rules == self.now.2 {
                continue;
            }
            let lot: f64 = self.rng.gen_range(1e-12..1.0);
            let most = self.now.0 - warmth * libm::log(lot);
            self.step(rules, most);
        }
    }
}
