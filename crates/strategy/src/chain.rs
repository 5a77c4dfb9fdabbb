//! One chain of the search: it repairs rules, patches the last failures, and improves rules that
//! win.

use super::incremental_proof::IncrementalProof;
use super::local_repair::LocalRepair;
use super::objective::{MAX_RULES, Objective, Quality, State};
use super::repair::Repair;
use super::trial::{DEEPEST, Trial};
use lucena_mine::{Chain, bound};
use lucena_model::{StrategyPart, StrategyRule, strategy_parts, without_part};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::time::Instant;

/// Small changes have stalled if the best has not improved for this many candidates. Then failures are
/// patched, if there are at most `FEW_FAILURES`.
const STALL: u64 = 60_000;
const FEW_FAILURES: usize = 5_000;

/// The number of random keys that a search begins with.
const FIRST_KEYS: usize = 4;

/// The candidates of one annealing cycle, from the highest temperature to the lowest.
const CYCLE: u64 = 200_000;

/// The highest and the lowest temperature.
const TEMPERATURES: [f64; 2] = [0.6, 0.03];

/// One chain of the search.
pub(super) struct StrategyChain<'g> {
    objective: Objective<'g>,
    trial: Trial<'g>,
    phase: Phase<'g>,
    rng: ChaCha8Rng,
    now: State,
    best: State,
    /// The cost of the best rules that were refused.
    refused: Option<f64>,
    candidates: u64,
    pub(super) among_winners: u64,
}

/// The phase of a search.
enum Phase<'g> {
    /// The rules do not win yet.
    Repair {
        repair: Box<Repair<'g>>,
        /// The number of candidates when the best rules were found.
        best_at: u64,
    },
    /// The rules fail in few positions, and small changes have stalled.
    LocalRepair(Box<LocalRepair<'g>>),
    /// The rules win.
    Improvement {
        /// The proof of the current rules.
        proof: Box<IncrementalProof<'g>>,
        /// The number of parts known to be needed. First each part is removed in turn, then changes are
        /// random.
        tried: usize,
    },
}

impl<'g> StrategyChain<'g> {
    pub(super) fn new(
        objective: Objective<'g>,
        start: Option<&[StrategyRule]>,
        mut rng: ChaCha8Rng,
    ) -> Self {
        let rules = match start {
            Some(rules) => rules.to_vec(),
            None => objective.vocabulary.first(&mut rng, FIRST_KEYS),
        };
        let mut trial = Trial::new(objective.table);
        let (phase, quality) = Phase::new(objective, &mut trial, &mut rng, &rules, 0);
        let now = objective.state(quality, rules);
        Self {
            objective,
            trial,
            phase,
            rng,
            best: now.clone(),
            now,
            refused: None,
            candidates: 0,
            among_winners: 0,
        }
    }

    /// Begins again from some rules.
    fn begin(&mut self, rules: &[StrategyRule]) -> (Phase<'g>, Quality) {
        Phase::new(self.objective, &mut self.trial, &mut self.rng, rules, self.candidates)
    }

    /// Tries a change of rules that do not win yet.
    fn repair_rules(&mut self) {
        self.candidates += 1;
        let Phase::Repair { repair, best_at } = &mut self.phase else { return };
        if let Some(rules) = repair.step(&mut self.rng, self.objective.vocabulary) {
            self.continue_from(&rules);
            return;
        }
        let (count, rules) = repair.best();
        if self.best.rules != rules {
            *best_at = self.candidates;
            let rules = rules.to_vec();
            self.keep_failing(count, rules);
        } else if self.candidates - *best_at >= STALL && count <= FEW_FAILURES {
            self.phase =
                Phase::LocalRepair(Box::new(LocalRepair::new(self.objective.table, rules)));
        }
    }

    /// Patches rules at a position where they fail.
    fn repair_locally(&mut self) {
        let Phase::LocalRepair(local_repair) = &mut self.phase else { return };
        let before = local_repair.candidates;
        let continues = local_repair.step(&mut self.rng, self.objective.vocabulary);
        self.candidates += (local_repair.candidates - before).max(1);
        let (count, rules) = local_repair.rules();
        let rules = rules.to_vec();
        if count == 0 || !continues {
            self.continue_from(&rules);
        } else if self.best.rules != rules {
            self.keep_failing(count, rules);
        }
    }

    /// Takes over rules that fail in `count` positions.
    fn keep_failing(&mut self, count: usize, rules: Vec<StrategyRule>) {
        self.now = self.objective.state(Quality::Fails(count), rules);
        self.best = self.now.clone();
    }

    /// Continues from rules, in the phase that they have reached.
    fn continue_from(&mut self, rules: &[StrategyRule]) {
        let (phase, quality) = self.begin(rules);
        self.phase = phase;
        self.now = self.objective.state(quality, rules.to_vec());
        self.best = self.now.clone();
    }

    /// Tries a change of rules that win.
    fn improve(&mut self) {
        let Phase::Improvement { tried, .. } = self.phase else { return };
        self.candidates += 1;
        self.among_winners += 1;
        if let Some(&part) = strategy_parts(&self.now.rules).get(tried) {
            self.strip(part);
            return;
        }
        let mut rules = self.now.rules.clone();
        let most =
            self.objective.wanted.rules.map_or(MAX_RULES, |rules| (rules + 1).min(MAX_RULES));
        self.objective.vocabulary.change(&mut self.rng, &mut rules, most);
        if rules == self.now.rules {
            return;
        }
        let done = (self.candidates % CYCLE) as f64 / CYCLE as f64;
        let most = bound(self.now.energy, TEMPERATURES, done, self.rng.gen_range(1e-12..1.0));
        if self.accepts(rules, most) && self.now.energy < self.best.energy {
            self.best = self.now.clone();
        }
    }

    /// Removes a part of rules that win, if it is not needed.
    fn strip(&mut self, part: StrategyPart) {
        let rules = without_part(&self.now.rules, part).filter(|rules| !rules.is_empty());
        if rules.is_some_and(|rules| self.accepts(rules, self.now.energy)) {
            self.best = self.now.clone();
        } else if let Phase::Improvement { tried, .. } = &mut self.phase {
            *tried += 1;
        }
    }

    /// Takes over other rules, if they win and cost at most this much. Returns false if they do not.
    fn accepts(&mut self, rules: Vec<StrategyRule>, most: f64) -> bool {
        let Phase::Improvement { proof, .. } = &mut self.phase else { return false };
        let Some(longest) = self.objective.most_moves(most, &rules) else { return false };
        let score = proof.change(&rules, longest);
        let state = score.map(|score| self.objective.state(Quality::Won(score), rules));
        match state.filter(|state| state.energy <= most) {
            Some(state) => self.now = state,
            None => {
                proof.undo();
                return false;
            }
        }
        true
    }
}

impl Chain for StrategyChain<'_> {
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
        while self.candidates < end {
            // A patch takes longer than a small change.
            let looks =
                matches!(self.phase, Phase::LocalRepair(_)) || self.candidates.is_multiple_of(64);
            if looks && until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
            match &mut self.phase {
                Phase::Repair { .. } => self.repair_rules(),
                Phase::LocalRepair(_) => self.repair_locally(),
                Phase::Improvement { .. } => self.improve(),
            }
        }
    }

    fn catch_up(&mut self, leader: &State) {
        if self.candidates.is_multiple_of(CYCLE) && self.best.energy > leader.energy + 1.0 {
            self.now = leader.clone();
            self.phase = self.begin(&leader.rules).0;
        }
    }
}

impl<'g> Phase<'g> {
    /// Returns the phase in which a search from some rules begins, and the quality of the rules.
    fn new(
        objective: Objective<'g>,
        trial: &mut Trial<'g>,
        rng: &mut ChaCha8Rng,
        rules: &[StrategyRule],
        candidates: u64,
    ) -> (Self, Quality) {
        match trial.score(&mut &*rules, DEEPEST, u64::MAX) {
            Some(score) => {
                let proof = IncrementalProof::new(
                    objective.table,
                    objective.predecessors,
                    rules,
                    &trial.moves,
                );
                (Self::Improvement { proof: Box::new(proof), tried: 0 }, Quality::Won(score))
            }
            None => {
                let repair = Repair::new(objective.table, rules, objective.limits(), rng);
                let (count, _) = repair.best();
                let repair = Box::new(repair);
                (Self::Repair { repair, best_at: candidates }, Quality::Fails(count))
            }
        }
    }
}
