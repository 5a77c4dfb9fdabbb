//! The proof of a strategy from its rules and those of chess alone.

use super::{FIFTY_MOVES, Limits};
use lucena_model::Strategy;
use lucena_proof::policy::{StrategyPolicy, Unplayable};
use lucena_proof::{Proof, ProveError, prove};
use lucena_tablebase::Tablebase;

/// An error in verifying a strategy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyStrategyError {
    /// The strategy cannot be played as a policy.
    #[error(transparent)]
    Foreign(#[from] Unplayable),
    /// The proof failed.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// The strategy does not win everything, or not within the limits.
    #[error("the strategy wins {} of {} positions that can be won, the longest in {} moves: that is not what was asked for",
        proof.won, proof.winnable, proof.longest_moves.map_or_else(|| "no".into(), |moves| moves.to_string()))]
    Broken {
        /// The result of the proof.
        proof: Box<Proof>,
    },
}

/// Proves that a strategy wins every position that can be won, loses none that is drawn, and keeps within the
/// wanted limits, against every reply and every move that it leaves tied. The proof relies on nothing that a
/// search has computed.
///
/// # Errors
/// If the strategy does not meet these demands, or cannot be proved.
pub fn verify(
    strategy: &Strategy,
    wanted: &Limits,
    tablebase: &Tablebase,
) -> Result<Proof, VerifyStrategyError> {
    let policy = StrategyPolicy::new(strategy.clone())?;
    let proof = prove(&policy, tablebase)?;
    let longest = wanted.longest.unwrap_or(FIFTY_MOVES);
    let keeps = proof.wins_all()
        && proof.holds_all()
        && proof.longest_moves.is_none_or(|moves| moves <= longest)
        && wanted.mean_excess.is_none_or(|most| proof.mean_excess_moves <= Some(most))
        && wanted.size.is_none_or(|most| strategy.size() <= most)
        && wanted.rules.is_none_or(|most| strategy.rules().len() <= most);
    if keeps { Ok(proof) } else { Err(VerifyStrategyError::Broken { proof: Box::new(proof) }) }
}
