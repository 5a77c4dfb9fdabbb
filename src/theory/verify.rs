//! The proof of a theory from the tree and the rules alone.

use super::guarantee::Guarantee;
use crate::attributes::Depth;
use crate::player::{ForeignTree, Grade, TreePolicy};
use crate::proof::{Proof, ProveError, prove};
use crate::tablebase::Tablebase;
use lucena_tree::DecisionTree;

/// Why a tree is not a theory of an endgame.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BrokenGuarantee {
    /// It does not grade the positions of an endgame.
    #[error(transparent)]
    Foreign(#[from] ForeignTree),
    /// It cannot be proved.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// It does not keep the guarantee.
    #[error("the tree does not keep \"{guarantee}\"")]
    Broken {
        /// What it should keep.
        guarantee: Guarantee,
        /// What it is worth.
        proof: Box<Proof>,
    },
}

/// Proves that a tree keeps a guarantee, from the tree and the rules alone: nothing that a search
/// has worked out is relied on.
///
/// ```
/// use lucena::attributes::{AttributeSet, Selection};
/// use lucena::dataset::{Dataset, Positions};
/// use lucena::learn::{CartParams, Learner};
/// use lucena::tablebase::Tablebase;
/// use lucena::theory::{Guarantee, verify};
///
/// let material = "KQvK".parse()?;
/// let tablebase = Tablebase::solve(material);
/// let attributes = AttributeSet::new(material, Selection::Geometric);
/// let dataset = Dataset::new(&tablebase, &attributes, Positions::Canonical)?;
/// let tree = CartParams::default().check()?.learn(&dataset)?;
/// let proof = verify(&tree, Guarantee::Exact, &tablebase)?;
/// assert_eq!(proof.won, proof.positions);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When it does not, or cannot be proved.
pub fn verify(
    tree: &DecisionTree,
    guarantee: Guarantee,
    tablebase: &Tablebase,
) -> Result<Proof, BrokenGuarantee> {
    let policy = TreePolicy::new(tree.clone(), tablebase)?;
    let proof = prove(&policy, tablebase)?;
    let keeps = proof.wins_all()
        && proof.holds_all()
        && match guarantee {
            Guarantee::Exact => says_every_depth(&policy),
            Guarantee::Optimal => proof.mean_excess_moves == Some(0.0),
            Guarantee::Win { longest, mean_excess } => {
                proof.longest_moves.is_some_and(|moves| moves <= longest)
                    && mean_excess.is_none_or(|most| {
                        proof.mean_excess_moves.is_some_and(|excess| excess <= most)
                    })
            }
        };
    if keeps {
        Ok(proof)
    } else {
        Err(BrokenGuarantee::Broken { guarantee, proof: Box::new(proof) })
    }
}

/// Whether the tree gives every canonical position with the weak side to move its depth.
fn says_every_depth(policy: &TreePolicy<'_>) -> bool {
    policy.grades().all(|(position, grade)| {
        let truth = policy.tablebase().probe(&position);
        grade == truth.ok().map(|outcome| Grade::from(Depth::from(outcome)))
    })
}
