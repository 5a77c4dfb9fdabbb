//! How few leaves will do, and for what: trees of all sizes, from two leaves to the exact one, each
//! proved.
//!
//! On one side are trees as learned, stopped at every depth: they are right more and more often, and
//! still win next to nothing until they are nearly exact, since a player that errs once in a long game
//! does not arrive. On the other are theories, which give up being right and win from everywhere: of
//! them those that no other beats in both leaves and moves over the optimum. Beside them stand trees
//! that are given, and what has been published.

mod published;

pub use published::{Published, Size};

use crate::attributes::{AttributeSet, Selection};
use crate::chess::Material;
use crate::dataset::{Dataset, DatasetError, Positions};
use crate::learn::{CartParams, LearnError, Learner, Limits};
use crate::player::{ForeignTree, TreePolicy};
use crate::proof::{Proof, ProveError, prove};
use crate::tablebase::Tablebase;
use crate::theory::{
    Arena, ArenaError, BrokenGuarantee, Budget, FIFTY_MOVES, Guarantee, Search, StartError, distil,
    verify,
};
use crate::work::Unwatched;
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
pub struct Plan {
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
}

/// A tree that somebody has a name for.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedTree {
    /// The name.
    pub name: String,
    /// The tree.
    pub tree: DecisionTree,
}

/// A tree, and what its player is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct ProvedTree {
    /// The depth at which learning stopped, the guarantee, or the name that was given.
    pub name: String,
    /// The tree.
    pub tree: DecisionTree,
    /// Against every defence, from every position.
    pub proof: Proof,
}

impl ProvedTree {
    /// The share of the positions that can be won that its player wins.
    pub fn won_share(&self) -> f64 {
        self.proof.won as f64 / self.proof.winnable as f64
    }
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
    /// What others have published.
    pub published: Vec<Published>,
}

/// How far the work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Trees are being learned and proved.
    Learning,
    /// So many candidates have been looked at for all guarantees together.
    Searching(u64),
    /// The theories are being proved.
    Proving,
}

/// Why there is no frontier.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FrontierError {
    /// The positions make no data set.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// Nothing was learned.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The endgame has no theories.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// A search cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A tree does not make a player.
    #[error("{name}: {error}")]
    Tree {
        /// The name of the tree.
        name: String,
        /// Why it does not.
        error: ForeignTree,
    },
    /// A tree is for another endgame.
    #[error("{name} is a tree for {tree}, not {table}: leave it out, or ask for {tree}")]
    OtherMaterial {
        /// The name of the tree.
        name: String,
        /// The endgame it is for.
        tree: Material,
        /// The endgame that was asked about.
        table: Material,
    },
    /// A player cannot be proved.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// A theory does not keep what it was searched for.
    #[error(transparent)]
    Verify(#[from] BrokenGuarantee),
}

/// Learns, searches and proves trees of all sizes. The same plan gives the same trees everywhere.
///
/// ```
/// use lucena::attributes::Selection;
/// use lucena::frontier::{Plan, frontier};
/// use lucena::tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KQvK".parse()?);
/// let plan = Plan {
///     learned: Selection::Geometric,
///     theories: Selection::Strategic,
///     candidates: 0, // No search: the theory as it is grown.
///     seed: 1,
///     trees: Vec::new(),
/// };
/// let found = frontier(&tablebase, &plan, |_| ())?;
/// assert!(found.learned[7].won_share() < 0.2);
/// assert!(found.learned.last().is_some_and(|exact| exact.proof.wins_all()));
/// assert!(found.theories.iter().all(|theory| theory.proof.wins_all()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When nothing can be won, or a given tree is not for the endgame.
pub fn frontier(
    tablebase: &Tablebase,
    plan: &Plan,
    mut progress: impl FnMut(Progress),
) -> Result<Frontier, FrontierError> {
    let material = tablebase.material();
    // Said before anything is learned.
    let given = plan.trees.iter().map(|named| Ok((named, named.policy(tablebase)?)));
    let given: Vec<_> = given.collect::<Result<_, FrontierError>>()?;
    let arena = Arena::new(tablebase, &AttributeSet::new(material, plan.theories), &Unwatched)?;
    progress(Progress::Learning);
    let given = given.into_par_iter().map(|(NamedTree { name, tree }, policy)| {
        let proof = prove(&policy, tablebase)?;
        Ok(ProvedTree { name: name.clone(), tree: tree.clone(), proof })
    });
    let given = given.collect::<Result<_, FrontierError>>()?;
    let learned = learned(tablebase, plan.learned)?;
    progress(Progress::Searching(0));
    let searched = search(&arena, plan, |candidates| progress(Progress::Searching(candidates)))?;
    progress(Progress::Proving);
    let theories = searched.into_par_iter().map(|(guarantee, tree)| {
        let proof = verify(&tree, guarantee, tablebase)?;
        Ok(ProvedTree { name: guarantee.to_string(), tree, proof })
    });
    let theories = front(theories.collect::<Result<_, FrontierError>>()?);
    Ok(Frontier { learned, theories, given, published: Published::of(material) })
}

impl NamedTree {
    /// Its policy, if it plays the table's endgame.
    fn policy<'t>(&self, tablebase: &'t Tablebase) -> Result<TreePolicy<'t>, FrontierError> {
        let name = self.name.clone();
        TreePolicy::new(self.tree.clone(), tablebase).map_err(|error| match error {
            ForeignTree::OtherTable { tree, table } => {
                FrontierError::OtherMaterial { name, tree, table }
            }
            error => FrontierError::Tree { name, error },
        })
    }
}

/// Trees learned to every depth, up to the one that has no limit.
fn learned(tablebase: &Tablebase, selection: Selection) -> Result<Vec<ProvedTree>, FrontierError> {
    let attributes = AttributeSet::new(tablebase.material(), selection);
    let dataset = Dataset::new(tablebase, &attributes, Positions::Canonical)?;
    let learn = |max_depth| {
        let limits = Limits { max_depth, ..Limits::default() };
        CartParams::default().limits(limits).check()?.learn(&dataset)
    };
    let prove = |name: String, tree: DecisionTree| {
        let policy = TreePolicy::new(tree.clone(), tablebase);
        let proof = prove(&policy.expect("learned by attributes, as depths"), tablebase)?;
        Ok(ProvedTree { name, tree, proof })
    };
    let exact = learn(None)?;
    let depths = (1..exact.depth() as u32).into_par_iter();
    let stopped = depths.map(|depth| prove(format!("depth {depth}"), learn(Some(depth))?));
    let mut learned: Vec<ProvedTree> = stopped.collect::<Result<_, FrontierError>>()?;
    learned.push(prove("no limit".into(), exact)?);
    Ok(learned)
}

/// Every smaller theory that the searches have come by, with what it was to keep. Each search goes
/// on from where the one before, which had to keep more, has come.
fn search(
    arena: &Arena,
    plan: &Plan,
    mut progress: impl FnMut(u64),
) -> Result<Vec<(Guarantee, DecisionTree)>, StartError> {
    let Plan { seed, candidates, .. } = *plan;
    let search = Search { seed, budget: Budget::Candidates(candidates), chains: CHAINS };
    let (mut theories, mut smallest, mut before) = (Vec::new(), None, 0);
    for guarantee in GUARANTEES {
        let found = distil(arena, guarantee, smallest.as_ref(), search, &Unwatched, |tree| {
            theories.push((guarantee, tree.clone()));
            Ok(())
        });
        let found = match found {
            // What this endgame does not allow is left out.
            Err(StartError::Detours(_) | StartError::Impossible(_)) => continue,
            found => found?,
        };
        before += found.candidates;
        progress(before);
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
