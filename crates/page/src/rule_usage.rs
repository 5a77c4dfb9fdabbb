//! The use of a strategy's rules.

use lucena_base::progress::{Observer, Progress};
use lucena_chess::Side;
use lucena_chess::symmetry::Group;
use lucena_proof::policy::{Policy, StrategyPolicy};
use lucena_tablebase::Index;
use rayon::prelude::*;

/// The most positions that are examined.
const MOST_LOOKED_AT: usize = 10_000;

/// Positions in which the rules of a strategy are used, spread over its endgame: for each rule the numbers of
/// canonical positions, with the strong side to move.
pub(super) fn positions_by_rule(
    policy: &StrategyPolicy,
    observer: &dyn Observer,
) -> Vec<Vec<usize>> {
    observer.report(Progress { what: "looking where rules are used", done: 0, total: None });
    let material = policy.material();
    let index = Index::new(material, Group::of(material));
    // The step is odd, since an even step could skip all positions of a kind.
    let step = (index.len() / MOST_LOOKED_AT).max(1) | 1;
    let numbers: Vec<usize> = (0..index.len()).step_by(step).collect();
    let used = numbers.par_iter().filter_map(|&number| {
        let position = index.position(number, Side::Strong)?;
        Some((policy.used_rule(&position)?.rule?, number))
    });
    let mut by_rule = vec![Vec::new(); policy.strategy().rules().len()];
    for (rule, number) in used.collect::<Vec<_>>() {
        by_rule[rule].push(number);
    }
    by_rule
}
