//! The proof of a measure from its terms and the rules of chess alone.

use super::objective::MeasureLimits;
use lucena_base::progress::Observer;
use lucena_model::Measure;
use lucena_proof::guarantee::FIFTY_MOVES;
use lucena_proof::policy::{MeasurePolicy, Unplayable};
use lucena_proof::{Proof, ProveError, ProvedGame};
use lucena_tablebase::Tablebase;

/// An error in verifying a measure.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyMeasureError {
    /// The measure cannot be played as a policy.
    #[error(transparent)]
    Foreign(#[from] Unplayable),
    /// The proof failed.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// The measure does not win everything, loses what can be held, or is not within the limits.
    #[error("the measure wins {} of {} positions that can be won, the longest in {} moves, and holds {} of {} that are drawn: that is not what was asked for",
        proof.won, proof.winnable, proof.longest_moves.map_or_else(|| "no".into(), |moves| moves.to_string()), proof.held, proof.drawable)]
    Broken {
        /// The result of the proof.
        proof: Box<Proof>,
    },
}

/// Proves that a measure wins every position that can be won, loses none that is drawn, and keeps within limits, against
/// every reply and every move that it leaves tied. The proof relies on nothing that a search has computed.
///
/// # Errors
/// If the measure does not meet these demands, or cannot be proved.
pub fn verify(
    measure: &Measure,
    limits: MeasureLimits,
    tablebase: &Tablebase,
    observer: &dyn Observer,
) -> Result<Proof, VerifyMeasureError> {
    verify_policy(&MeasurePolicy::new(measure.clone())?, limits, tablebase, observer)
}

/// [`verify`] for the policy of a measure, which keeps what the proof has worked out.
///
/// # Errors
/// If the measure does not meet the demands, or cannot be proved.
pub fn verify_policy(
    policy: &MeasurePolicy,
    limits: MeasureLimits,
    tablebase: &Tablebase,
    observer: &dyn Observer,
) -> Result<Proof, VerifyMeasureError> {
    let proof = ProvedGame::with_observer(policy, tablebase, observer)?;
    let proof = proof.proof().map_err(ProveError::from)?;
    let longest = limits.longest.unwrap_or(FIFTY_MOVES);
    let keeps = proof.wins_all()
        && proof.holds_all()
        && proof.longest_moves.is_none_or(|moves| moves <= longest)
        && limits.terms.is_none_or(|most| policy.measure().terms().len() <= most);
    if keeps { Ok(proof) } else { Err(VerifyMeasureError::Broken { proof: Box::new(proof) }) }
}
