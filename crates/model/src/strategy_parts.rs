//! The parts of a strategy, and the strategy without each of them.

use super::strategy::{Strategy, StrategyRule};

/// A part of a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrategyPart {
    /// A condition of a rule: the indices of the rule and of the condition, from 0.
    Condition(usize, usize),
    /// A key of a rule: the indices of the rule and of the key, from 0.
    Key(usize, usize),
    /// A rule, by its index from 0.
    Rule(usize),
}

/// Returns every part of a strategy, each with the strategy without it. A part without which no rule would be
/// left is skipped.
pub fn without_each_part(strategy: &Strategy) -> Vec<(StrategyPart, Strategy)> {
    let left = |part| {
        let rules = without_part(strategy.rules(), part).filter(|rules| !rules.is_empty())?;
        let left = Strategy::new(strategy.origin().clone(), strategy.attributes().to_vec(), rules);
        let left = left.and_then(|left| left.with_domain(strategy.domain().clone()));
        let left = left.map(|left| left.with_candidates(strategy.candidates()));
        Some((part, left.expect("less of a sound strategy is sound")))
    };
    strategy_parts(strategy.rules()).into_iter().filter_map(left).collect()
}

/// Returns the parts of some rules: for each rule the rule itself, then its conditions and keys.
pub fn strategy_parts(rules: &[StrategyRule]) -> Vec<StrategyPart> {
    let parts = rules.iter().enumerate().flat_map(|(at, rule)| {
        let conditions = (0..rule.guard.len()).map(move |one| StrategyPart::Condition(at, one));
        let keys = (0..rule.keys.len()).map(move |one| StrategyPart::Key(at, one));
        [StrategyPart::Rule(at)].into_iter().chain(conditions).chain(keys)
    });
    parts.collect()
}

/// Returns the rules without one of their parts; `None` if they have no such part.
pub fn without_part(rules: &[StrategyRule], part: StrategyPart) -> Option<Vec<StrategyRule>> {
    let mut rules = rules.to_vec();
    let (StrategyPart::Condition(at, _) | StrategyPart::Key(at, _) | StrategyPart::Rule(at)) = part;
    let rule = rules.get_mut(at)?;
    match part {
        StrategyPart::Condition(_, one) if one < rule.guard.len() => _ = rule.guard.remove(one),
        StrategyPart::Key(_, one) if one < rule.keys.len() => _ = rule.keys.remove(one),
        StrategyPart::Rule(_) => _ = rules.remove(at),
        _ => return None,
    }
    Some(rules)
}
