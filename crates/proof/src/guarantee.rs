//! The guarantees that a theory keeps, and the proof that a model keeps what is asked of it.

use crate::policy::{Grade, Policy, TreePolicy, Unplayable};
use crate::{Proof, ProveError, ProvedGame};
use lucena_base::progress::{NoObserver, Observer};
use lucena_chess::{FIFTY_MOVE_PLIES, Side};
use lucena_model::{DecisionTree, ModelKind};
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

/// An error in verifying a model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The model cannot be played as a policy.
    #[error(transparent)]
    Foreign(#[from] Unplayable),
    /// The proof failed.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// The model does not win everything, loses what can be held, or does not keep what else was asked for.
    #[error("the {} wins {} of {} positions that can be won, the longest in {} moves, and holds {} of {} that are drawn: that is not what was asked for",
        kind.name(), proof.won, proof.winnable, proof.longest_moves.map_or_else(|| "no".into(), |moves| moves.to_string()), proof.held, proof.drawable)]
    Broken {
        /// The kind of the model.
        kind: ModelKind,
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
) -> Result<Proof, VerifyError> {
    let policy = TreePolicy::new(tree.clone(), tablebase)?;
    verify_policy(&policy, ModelKind::Tree, tablebase, &NoObserver, |proof| match guarantee {
        Guarantee::Exact => says_every_depth(&policy),
        Guarantee::Optimal => proof.mean_excess_moves == Some(0.0),
        Guarantee::Win { longest, mean_excess } => {
            proof.longest_moves.is_some_and(|moves| moves <= longest)
                && mean_excess
                    .is_none_or(|most| proof.mean_excess_moves.is_some_and(|excess| excess <= most))
        }
    })
}

/// Proves that the policy of a model wins every position that can be won, loses none that is drawn, and keeps what else
/// is asked of its proof, against every reply and every move that it leaves tied. Of a policy of the weak side, it is only
/// asked to lose no drawn position.
///
/// # Errors
/// If it does not, or cannot be proved.
pub fn verify_policy(
    policy: &dyn Policy,
    kind: ModelKind,
    tablebase: &Tablebase,
    observer: &dyn Observer,
    keeps: impl FnOnce(&Proof) -> bool,
) -> Result<Proof, VerifyError> {
    let game = ProvedGame::with_observer(policy, tablebase, observer)?;
    let figures = game.figures().map_err(ProveError::from)?;
    let wins = policy.side() == Side::Weak || figures.wins_all();
    let keeps = wins && figures.holds_all() && keeps(&figures);
    tablebase.check_readable().map_err(ProveError::from)?;
    if !keeps {
        return Err(VerifyError::Broken { kind, proof: Box::new(figures) });
    }
    Ok(game.proof(observer).map_err(ProveError::from)?)
}

/// Returns true if the tree gives every canonical position with the weak side to move its depth.
fn says_every_depth(policy: &TreePolicy<'_>) -> bool {
    policy.grades().all(|(position, grade)| {
        let truth = policy.tablebase().outcome(&position);
        grade == Some(Grade::from(DistanceClass::from(truth)))
    })
}
