//! The proof of a strategy from its rules and those of chess alone, and what each part of it is for.

use super::{FIFTY_MOVES, Wanted};
use crate::player::{ForeignStrategy, StrategyPolicy};
use crate::proof::{Proof, ProveError, prove};
use crate::tablebase::Tablebase;
use lucena_tree::{Strategy, StrategyRule};

/// Why a strategy is not what was wanted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BrokenStrategy {
    /// It makes no policy.
    #[error(transparent)]
    Foreign(#[from] ForeignStrategy),
    /// It cannot be proved.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// It does not win everything, or not as it should.
    #[error("the strategy wins {} of {} positions that can be won, the longest in {} moves: that is not what was asked for",
        proof.won, proof.winnable, proof.longest_moves.map_or_else(|| "no".into(), |moves| moves.to_string()))]
    Broken {
        /// What it is worth.
        proof: Box<Proof>,
    },
}

/// Proves that a strategy wins every position that can be won, loses none that is drawn, and takes no
/// longer than is wanted: against every reply and every move that it leaves tied. Nothing that a search
/// has worked out is relied on.
///
/// # Errors
/// When it does not, or cannot be proved.
pub fn verify(
    strategy: &Strategy,
    wanted: &Wanted,
    tablebase: &Tablebase,
) -> Result<Proof, BrokenStrategy> {
    let policy = StrategyPolicy::new(strategy.clone())?;
    let proof = prove(&policy, tablebase)?;
    let longest = wanted.longest.unwrap_or(FIFTY_MOVES);
    let keeps = proof.wins_all()
        && proof.holds_all()
        && proof.longest_moves.is_none_or(|moves| moves <= longest)
        && wanted.mean_excess.is_none_or(|most| proof.mean_excess_moves <= Some(most))
        && wanted.size.is_none_or(|most| strategy.size() <= most)
        && wanted.rules.is_none_or(|most| strategy.rules().len() <= most);
    if keeps { Ok(proof) } else { Err(BrokenStrategy::Broken { proof: Box::new(proof) }) }
}

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
