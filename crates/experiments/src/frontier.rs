//! How few leaves will do, and for what: trees of all sizes, from two leaves to the exact one, each
//! proved.
//!
//! On one side are trees as learned, stopped at every depth: they are right more and more often, and
//! still win next to nothing until they are nearly exact, since a player that errs once in a long game
//! does not arrive. On the other are theories, which give up being right and win from everywhere: of
//! them those that no other beats in both leaves and moves over the optimum. Beside them stand trees
//! and strategies that are given, plain searches, and what has been published.

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
use lucena_theory::{Arena, Budget, FIFTY_MOVES, Guarantee, Search, StartError, distil, verify};
use lucena_tree::DecisionTree;
use rayon::prelude::*;

/// What theories are searched for: no move over the optimum, at most so many on average, and any
/// number. Each allows what the one before allows.
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

/// Searches side by side for each guarantee. What is found hangs on it, so it does not follow the
/// machine.
const CHAINS: usize = 2;

/// What a frontier is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontierParams {
    /// What the learned trees may ask.
    pub learned: Selection,
    /// What the theories may ask.
    pub theories: Selection,
    /// The candidates that are looked at for each of the [`GUARANTEES`].
    pub candidates: u64,
    /// Where the random numbers of the searches start.
    pub seed: u64,
    /// Trees to be set beside them.
    pub trees: Vec<NamedTree>,
    /// Strategies to be set beside them.
    pub strategies: Vec<NamedStrategy>,
    /// Plain searches of one ply, two plies, and so on up to so many are set beside them; with 0 none
    /// is.
    pub search_plies: u8,
}

/// Trees of all sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Frontier {
    /// Learned to one depth after another, the last one without a limit: each has more leaves than
    /// the one before.
    pub learned: Vec<ProvedTree>,
    /// They win all that can be won; each has more leaves and less excess than the one before.
    pub theories: Vec<ProvedTree>,
    /// Those that were given.
    pub given: Vec<ProvedTree>,
    /// The strategies that were given.
    pub strategies: Vec<ProvedStrategy>,
    /// Searches, each a ply deeper than the one before.
    pub searches: Vec<ProvedSearch>,
    /// What others have published.
    pub published: Vec<Published>,
}

/// Learns, searches and proves trees of all sizes. The same parameters give the same trees
/// everywhere.
///
/// ```
/// use lucena::attributes::Selection;
/// use lucena::frontier::{FrontierParams, NamedStrategy, frontier};
/// use lucena::tablebase::Tablebase;
/// use lucena::work::Unwatched;
///
/// let tablebase = Tablebase::solve("KQvK".parse()?);
/// let params = FrontierParams {
///     learned: Selection::Geometric,
///     theories: Selection::Strategic,
///     candidates: 0, // No search: the theory as it is grown.
///     seed: 1,
///     trees: Vec::new(),
///     strategies: NamedStrategy::built_in(tablebase.material()),
///     search_plies: 1,
/// };
/// let found = frontier(&tablebase, &params, &Unwatched)?;
/// assert!(found.learned[7].won_share() < 0.2);
/// assert!(found.learned.last().is_some_and(|exact| exact.proof.wins_all()));
/// assert!(found.theories.iter().all(|theory| theory.proof.wins_all()));
/// assert_eq!(found.strategies[0].proof.longest_moves, Some(18));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When nothing can be won, a given tree or strategy is not for the endgame, or the work was stopped.
pub fn frontier(
    tablebase: &Tablebase,
    params: &FrontierParams,
    watch: &dyn Watch,
) -> Result<Frontier, FrontierError> {
    let found = found(tablebase, params, watch);
    // Whatever has come of it, a part of the work may have been left out.
    watch.go_on()?;
    found
}

fn found(
    tablebase: &Tablebase,
    params: &FrontierParams,
    watch: &dyn Watch,
) -> Result<Frontier, FrontierError> {
    let material = tablebase.material();
    // Said before anything is learned.
    let given = params.trees.iter().map(|named| Ok((named, named.policy(tablebase)?)));
    let given: Vec<_> = given.collect::<Result<_, FrontierError>>()?;
    let policies = strategies::policies(&params.strategies, material)?;
    let arena = Arena::new(tablebase, &AttributeSet::new(material, params.theories), watch)?;
    let given = given.into_par_iter().map(|(NamedTree { name, tree }, policy)| {
        let proof = ProvedGame::watched(&policy, tablebase, watch)?.proof();
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

/// Trees learned to every depth, up to the one that has no limit.
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
        let proof = ProvedGame::watched(&policy, tablebase, watch)?.proof();
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

/// Every smaller theory that the searches have come by, with what it was to keep. Each search goes
/// on from where the one before, which had to keep more, has come.
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
            // What this endgame does not allow is left out.
            Err(StartError::Detours(_) | StartError::Impossible(_)) => continue,
            found => found?,
        };
        smallest = Some(found.tree);
    }
    Ok(theories)
}

/// Those that no other beats or equals in leaves and in excess, by leaves.
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
