//! The Pareto front of size and strength: trees of all sizes, from two leaves to the exact one,
//! each proved.
//!
//! Learned trees are stopped at every depth: their accuracy grows steadily, but they win almost
//! nothing until they are nearly exact, since a single error in a long game can spoil the win.
//! Theories give up accuracy and win from every position; those are kept that no other beats in
//! both leaves and excess moves. For comparison there are given trees and strategies, plain
//! searches, and published results.

mod error;
mod published;
mod searches;
mod strategies;
mod trees;

pub use error::FrontierError;
pub use published::{Published, Size};
pub use searches::ProvedSearch;
pub use strategies::{NamedStrategy, ProvedStrategy};
pub use trees::{NamedTree, ProvedTree};

use lucena_attributes::{AttributeSet, Selection};
use lucena_base::work::{Watch, Whole};
use lucena_dataset::{Dataset, Positions};
use lucena_learn::{CartParams, Learner, Limits};
use lucena_proof::ProvedGame;
use lucena_proof::policy::TreePolicy;
use lucena_tablebase::Tablebase;
use lucena_theory::{Arena, Budget, FIFTY_MOVES, Guarantee, Search, TheoryError, distil, verify};
use lucena_tree::DecisionTree;
use rayon::prelude::*;

/// The guarantees of the theories: no excess over the optimum, a bounded mean excess, and any
/// excess. Each guarantee implies the next.
pub const GUARANTEES: [Guarantee; 6] = [
    Guarantee::Optimal,
    win(Some(1.0)),
    win(Some(2.0)),
    win(Some(4.0)),
    win(Some(8.0)),
    Guarantee::WIN,
];

const fn win(mean_excess: Option<f64>) -> Guarantee {
    Guarantee::Win { longest: FIFTY_MOVES, mean_excess }
}

/// The number of parallel searches for each guarantee. The result depends on it, so it is fixed and
/// does not follow the number of cores.
const CHAINS: usize = 2;

/// The parameters of a frontier.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontierParams {
    /// The attributes that the learned trees may test.
    pub learned: Selection,
    /// The attributes that the theories may test.
    pub theories: Selection,
    /// The number of candidates for each of the [`GUARANTEES`].
    pub candidates: u64,
    /// The seed of the searches.
    pub seed: u64,
    /// Trees to compare with.
    pub trees: Vec<NamedTree>,
    /// Strategies to compare with.
    pub strategies: Vec<NamedStrategy>,
    /// Plain searches to compare with, from one ply up to this number; 0 for none.
    pub search_plies: u8,
}

/// Trees of all sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Frontier {
    /// Trees learned to increasing depths, the last one without a limit: each has more leaves than
    /// the one before.
    pub learned: Vec<ProvedTree>,
    /// Theories that win every won position; each has more leaves and less excess than the one
    /// before.
    pub theories: Vec<ProvedTree>,
    /// The given trees.
    pub given: Vec<ProvedTree>,
    /// The given strategies.
    pub strategies: Vec<ProvedStrategy>,
    /// Plain searches, each a ply deeper than the one before.
    pub searches: Vec<ProvedSearch>,
    /// Published results.
    pub published: Vec<Published>,
}

/// Learns, searches for and proves trees of all sizes. The same parameters give the same trees on
/// every machine.
///
/// # Errors
/// If nothing can be won, a given tree or strategy is not for the endgame, or the work was stopped.
pub fn frontier(
    tablebase: &Tablebase,
    params: &FrontierParams,
    watch: &dyn Watch,
) -> Result<Frontier, FrontierError> {
    let found = found(tablebase, params, watch);
    // A stop must not pass for a complete result.
    watch.go_on()?;
    found
}

fn found(
    tablebase: &Tablebase,
    params: &FrontierParams,
    watch: &dyn Watch,
) -> Result<Frontier, FrontierError> {
    let material = tablebase.material();
    // Check before anything is learned.
    let given = params.trees.iter().map(|named| Ok((named, named.policy(tablebase)?)));
    let given: Vec<_> = given.collect::<Result<_, FrontierError>>()?;
    let policies = strategies::policies(&params.strategies, material)?;
    let arena = Arena::new(tablebase, &AttributeSet::new(material, params.theories), watch)?;
    let given = given.into_par_iter().map(|(NamedTree { name, tree }, policy)| {
        let proof = ProvedGame::watched(&policy, tablebase, watch)?.proof()?;
        Ok(ProvedTree { name: name.clone(), tree: tree.clone(), proof })
    });
    let given = given.collect::<Result<_, FrontierError>>()?;
    let strategies = strategies::proved(policies, tablebase, watch)?;
    let searches = searches::proved(params.search_plies, tablebase, watch)?;
    let learned = learned(tablebase, params.learned, watch)?;
    let searched = search(&arena, params, watch)?;
    let proved = Whole::new(watch, "theories to prove", searched.len() as u64);
    let theories = searched.into_par_iter().map(|(guarantee, tree)| {
        watch.go_on()?;
        let proof = verify(&tree, guarantee, tablebase)?;
        proved.add(1);
        Ok(ProvedTree { name: guarantee.to_string(), tree, proof })
    });
    let theories = front(theories.collect::<Result<_, FrontierError>>()?);
    let published = Published::of(material);
    Ok(Frontier { learned, theories, given, strategies, searches, published })
}

/// Learns and proves trees of every depth, up to the one without a limit.
fn learned(
    tablebase: &Tablebase,
    selection: Selection,
    watch: &dyn Watch,
) -> Result<Vec<ProvedTree>, FrontierError> {
    let attributes = AttributeSet::new(tablebase.material(), selection);
    let dataset = Dataset::new(tablebase, &attributes, Positions::Canonical)?;
    let learn = |max_depth| {
        watch.go_on()?;
        let limits = Limits { max_depth, ..Limits::default() };
        Ok::<_, FrontierError>(CartParams::default().limits(limits).check()?.learn(&dataset)?)
    };
    let prove = |name: String, tree: DecisionTree| {
        let policy = TreePolicy::new(tree.clone(), tablebase);
        let policy = policy.expect("learned by attributes, as depths");
        let proof = ProvedGame::watched(&policy, tablebase, watch)?.proof()?;
        let proved = ProvedTree { name, tree, proof };
        let won = 100.0 * proved.won_share();
        watch.point(&[("leaves", proved.tree.leaves() as f64), ("won, %", won)]);
        Ok::<_, FrontierError>(proved)
    };
    let exact = learn(None)?;
    let trees = Whole::new(watch, "trees to learn and prove", exact.depth() as u64);
    let depths = (1..exact.depth() as u32).into_par_iter();
    let limited = depths.map(|depth| {
        let proved = prove(format!("depth {depth}"), learn(Some(depth))?)?;
        trees.add(1);
        Ok(proved)
    });
    let mut learned: Vec<ProvedTree> = limited.collect::<Result<_, FrontierError>>()?;
    learned.push(prove("no limit".into(), exact)?);
    Ok(learned)
}

/// Searches for theories under each guarantee. Returns each smaller theory found, with its
/// guarantee. Each search starts from the smallest theory of the stricter guarantee before it.
fn search(
    arena: &Arena,
    params: &FrontierParams,
    watch: &dyn Watch,
) -> Result<Vec<(Guarantee, DecisionTree)>, FrontierError> {
    let FrontierParams { seed, candidates, .. } = *params;
    let all = candidates.saturating_mul(GUARANTEES.len() as u64);
    let whole = Whole::new(watch, "candidates for theories", all);
    let search = Search { seed, budget: Budget::Candidates(candidates), chains: CHAINS };
    let (mut theories, mut smallest) = (Vec::new(), None);
    for guarantee in GUARANTEES {
        let part = whole.part();
        let found = distil(arena, guarantee, smallest.as_ref(), search, &part, |tree| {
            theories.push((guarantee, tree.clone()));
            Ok(())
        });
        watch.go_on()?;
        let found = match found {
            // Skip guarantees that are impossible in this endgame.
            Err(TheoryError::Detours(_) | TheoryError::Impossible(_)) => continue,
            found => found?,
        };
        smallest = Some(found.tree);
    }
    Ok(theories)
}

/// The theories that no other beats or equals in both leaves and excess, sorted by leaves.
fn front(mut theories: Vec<ProvedTree>) -> Vec<ProvedTree> {
    let excess = |theory: &ProvedTree| theory.proof.mean_excess_moves.unwrap_or(f64::INFINITY);
    let leaves = |theory: &ProvedTree| theory.tree.leaves();
    theories.sort_by(|one, other| {
        leaves(one).cmp(&leaves(other)).then(excess(one).total_cmp(&excess(other)))
    });
    let mut least = f64::INFINITY;
    theories.retain(|theory| {
        let is_less = excess(theory) < least;
        least = least.min(excess(theory));
        is_less
    });
    theories
}
