//! The objective function of the search for strategies.

use super::FIFTY_MOVES;
use super::move_table::MoveTable;
use super::mutation::Vocabulary;
use super::predecessors::Predecessors;
use super::trial::Score;
use lucena_base::plural::count;
use lucena_base::progress::SearchSettings;
use lucena_model::StrategyRule;

/// The most rules of a strategy.
pub(super) const MAX_RULES: usize = 24;

/// The cost of not winning: more than anything else.
const NOT_WON: f64 = 10_000.0;

/// The size that a strategy that does not win yet should not exceed, if no size is requested.
const MAX_SIZE: usize = 100;

/// The cost of each part of a strategy that does not win yet: without a requested size, and with one, up to
/// which the strategy may grow.
const PRICE: f64 = 0.3;
const PRICE_WITHIN_SIZE: f64 = 0.04;

/// Limits for a strategy that wins everything. Without a limit on its size, it should be small.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// The most moves to mate.
    pub longest: Option<u16>,
    /// The most moves over the optimum, on average.
    pub mean_excess: Option<f64>,
    /// The most conditions and keys. A strategy within this limit is made quicker instead of smaller.
    pub size: Option<usize>,
    /// The most rules.
    pub rules: Option<usize>,
}

/// The quality of rules to a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Quality {
    /// They win.
    Won(Score),
    /// They fail in this many positions.
    Fails(usize),
}

impl Quality {
    /// Returns the number of positions in which the rules fail.
    pub(super) fn failures(self) -> usize {
        match self {
            Self::Won(_) => 0,
            Self::Fails(count) => count,
        }
    }
}

/// Rules with their quality and cost.
#[derive(Clone)]
pub(super) struct State {
    pub(super) energy: f64,
    pub(super) quality: Quality,
    pub(super) rules: Vec<StrategyRule>,
}

/// A parameter of a result: its name, and its value if there is one.
pub(super) type Parameter = (&'static str, Option<String>);

/// The objective of a search, with the data that it needs.
#[derive(Clone, Copy)]
pub(super) struct Objective<'g> {
    pub(super) table: &'g MoveTable,
    pub(super) predecessors: &'g Predecessors,
    pub(super) wanted: Limits,
    pub(super) vocabulary: &'g Vocabulary,
    pub(super) start: &'g Parameter,
}

impl Objective<'_> {
    pub(super) fn state(&self, quality: Quality, rules: Vec<StrategyRule>) -> State {
        let fixed = self.fixed(&rules);
        let energy = match quality {
            Quality::Fails(count) => NOT_WON + count as f64 + fixed,
            Quality::Won(Score { longest, excess }) => {
                let mean = excess as f64 / self.table.positions() as f64;
                let too_long = longest.saturating_sub(self.longest());
                let too_much = self.wanted.mean_excess.map_or(0.0, |most| (mean - most).max(0.0));
                fixed
                    + f64::from(too_long)
                    + 3.0 * too_much
                    + 0.1 * mean
                    + 0.01 * f64::from(longest)
            }
        };
        State { energy, quality, rules }
    }

    /// Returns the cost of the size of a strategy.
    fn fixed(&self, rules: &[StrategyRule]) -> f64 {
        let (size, rules) = (size(rules), rules.len());
        let too_many = self.wanted.rules.map_or(0, |most| rules.saturating_sub(most));
        let size_cost = match self.wanted.size {
            Some(most) => size.saturating_sub(most) as f64 + 0.02 * size as f64,
            None => size as f64,
        };
        size_cost + too_many as f64 + 0.02 * rules as f64
    }

    /// Returns the limit on the longest game.
    fn longest(&self) -> u16 {
        self.wanted.longest.unwrap_or(FIFTY_MOVES).min(FIFTY_MOVES)
    }

    /// Returns the limits on rules until they win.
    pub(super) fn limits(&self) -> RepairLimits {
        let size = self.wanted.size.unwrap_or(MAX_SIZE);
        let rules = self.wanted.rules.unwrap_or(MAX_RULES);
        let price = if self.wanted.size.is_some() { PRICE_WITHIN_SIZE } else { PRICE };
        RepairLimits { price, size, rules }
    }

    /// Returns the longest game with which rules can still cost less than `energy`.
    pub(super) fn most_moves(&self, energy: f64, rules: &[StrategyRule]) -> Option<u16> {
        let left = energy - self.fixed(rules);
        if left < 0.0 {
            return None;
        }
        Some((f64::from(self.longest()) + left) as u16)
    }

    pub(super) fn describe(&self, best: &State) -> String {
        let stage =
            self.table.stage.map(|condition| format!(", {}", self.table.condition(condition)));
        let stage = stage.unwrap_or_default();
        let (material, size) = (self.table.material(), size(&best.rules));
        let rules = count(best.rules.len() as u64, "rule", "rules");
        let what = match best.quality {
            Quality::Fails(failures) => {
                format!("fail in {}", count(failures as u64, "position", "positions"))
            }
            Quality::Won(Score { longest, excess }) => {
                let mean = excess as f64 / self.table.positions() as f64;
                format!("longest {longest}, excess {mean:.2}")
            }
        };
        format!("{material}{stage}: {rules}, size {size}, {what}")
    }

    /// Returns the progress of a search as named figures.
    pub(super) fn figures(&self, best: &State) -> Vec<(&'static str, f64)> {
        vec![
            ("size", size(&best.rules) as f64),
            ("positions that fail", best.quality.failures() as f64),
        ]
    }

    pub(super) fn parameters(&self, search: SearchSettings, candidates: u64) -> Vec<Parameter> {
        let Limits { longest, mean_excess, size, rules } = self.wanted;
        let (how, value) = self.start.clone();
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

/// Returns the number of conditions and keys of some rules.
fn size(rules: &[StrategyRule]) -> usize {
    rules.iter().map(StrategyRule::size).sum()
}

/// The limits on rules during the repair.
#[derive(Debug, Clone, Copy)]
pub(super) struct RepairLimits {
    /// The cost of each condition, key or rule.
    pub(super) price: f64,
    /// The most conditions and keys; each one above costs much.
    pub(super) size: usize,
    /// The most rules.
    pub(super) rules: usize,
}

impl RepairLimits {
    /// The cost of rules, without the cost of their failures.
    pub(super) fn cost(self, rules: &[StrategyRule]) -> f64 {
        let size = size(rules);
        let too_many = rules.len().saturating_sub(self.rules) + size.saturating_sub(self.size);
        self.price * (size as f64 + 0.2 * rules.len() as f64) + too_many as f64
    }
}
