//! The guarantees that a theory keeps, and the proof that a tree keeps one.

use crate::policy::{Grade, TreePolicy, Unplayable};
use crate::{Proof, ProveError, prove};
use lucena_chess::FIFTY_MOVE_PLIES;
use lucena_model::DecisionTree;
use lucena_tablebase::{DistanceClass, Tablebase};
use std::fmt;

/// The most moves of the strong side to a mate before the fifty-move rule can be invoked.
pub const FIFTY_MOVES: u16 = FIFTY_MOVE_PLIES / 2;

/// A promise that a theory keeps from every position that can be won.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Guarantee {
    /// Every distance is right.
    Exact,
    /// Every move is an optimal one.
    Optimal,
    /// Every game is won.
    Win {
        /// ... in at most this many moves.
        longest: u16,
        /// ... with no more moves over the optimum than this, on average over all positions.
        mean_excess: Option<f64>,
    },
}

impl Guarantee {
    /// To win, whatever it takes, within the fifty-move rule.
    pub const WIN: Self = Self::Win { longest: FIFTY_MOVES, mean_excess: None };

    /// The most moves to a mate that it allows.
    pub fn longest(self) -> u16 {
        match self {
            Self::Exact | Self::Optimal => FIFTY_MOVES,
            Self::Win { longest, .. } => longest,
        }
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
            Self::Optimal => f.write_str("optimal"),
            Self::Win { longest, mean_excess } => {
                write!(f, "win in {longest}")?;
                match mean_excess {
                    Some(excess) => write!(f, ", excess {excess}"),
                    None => Ok(()),
                }
            }
        }
    }
}

/// An error in verifying that a tree keeps a guarantee.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyGuaranteeError {
    /// The tree does not grade the positions of an endgame.
    #[error(transparent)]
    Foreign(#[from] Unplayable),
    /// The proof failed.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// The tree does not keep the guarantee.
    #[error("the tree does not keep \"{guarantee}\"")]
    Broken {
        /// The requested guarantee.
        guarantee: Guarantee,
        /// The result of the proof.
        proof: Box<Proof>,
    },
}

/// Proves that a tree keeps a guarantee, from the tree and the rules of chess alone: the proof relies on
/// nothing that a search has computed.
///
/// # Errors
/// If it does not, or cannot be proved.
pub fn verify(
    tree: &DecisionTree,
    guarantee: Guarantee,
    tablebase: &Tablebase,
) -> Result<Proof, VerifyGuaranteeError> {
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
    tablebase.check_readable().map_err(ProveError::from)?;
    if keeps {
        Ok(proof)
    } else {
        Err(VerifyGuaranteeError::Broken { guarantee, proof: Box::new(proof) })
    }
}

/// Returns true if the tree gives every canonical position with the weak side to move its depth.
fn says_every_depth(policy: &TreePolicy<'_>) -> bool {
    policy.grades().all(|(position, grade)| {
        let truth = policy.tablebase().outcome(&position);
        grade == Some(Grade::from(DistanceClass::from(truth)))
    })
}
