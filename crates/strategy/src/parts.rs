//! The parts of a strategy, and what is left without each.

use lucena_tree::{Strategy, StrategyRule};

/// A part of a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrategyPart {
    /// A condition of a rule, both by their numbers from 0.
    Condition(usize, usize),
    /// A key of a rule.
    Key(usize, usize),
    /// A whole rule.
    Rule(usize),
}

/// Every part of a strategy, each with the strategy that is left without it. The only rule is left out:
/// without it nothing would be left.
///
/// ```
/// use lucena::strategy::{StrategyPart, without_each_part};
/// use lucena_tree::Strategy;
///
/// let strategy = Strategy::from_json(br#"{
///     "kind": "strategy", "format": 1, "material": "KRvK", "miner": "by hand", "parameters": {},
///     "attributes": [{"name": "RBoxSize", "low": 1, "high": 64, "meaning": "squares of the box"}],
///     "rules": [{"guard": [{"mover": "R"}], "keys": [{"least": "RBoxSize"}]}]
/// }"#)?;
/// let parts = without_each_part(&strategy);
/// assert_eq!(parts[0].0, StrategyPart::Condition(0, 0));
/// assert_eq!(parts[1].0, StrategyPart::Key(0, 0));
/// assert!(parts.iter().all(|(_, left)| left.size() == 1));
/// # Ok::<(), lucena_tree::ParseStrategyError>(())
/// ```
pub fn without_each_part(strategy: &Strategy) -> Vec<(StrategyPart, Strategy)> {
    let left = |part| {
        let rules = without(strategy.rules(), part).filter(|rules| !rules.is_empty())?;
        let left = Strategy::new(strategy.head().clone(), rules);
        Some((part, left.expect("less of a sound strategy is sound")))
    };
    parts_of(strategy.rules()).into_iter().filter_map(left).collect()
}

/// The parts of some rules: each rule itself, then its conditions and keys.
pub(super) fn parts_of(rules: &[StrategyRule]) -> Vec<StrategyPart> {
    let parts = rules.iter().enumerate().flat_map(|(at, rule)| {
        let conditions = (0..rule.guard.len()).map(move |one| StrategyPart::Condition(at, one));
        let keys = (0..rule.keys.len()).map(move |one| StrategyPart::Key(at, one));
        [StrategyPart::Rule(at)].into_iter().chain(conditions).chain(keys)
    });
    parts.collect()
}

/// What is left of rules without one of their parts; nothing if they have no such part.
pub(super) fn without(rules: &[StrategyRule], part: StrategyPart) -> Option<Vec<StrategyRule>> {
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
