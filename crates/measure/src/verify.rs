//! The proof of a measure from its terms and the rules of chess alone.

use super::objective::MeasureLimits;
use lucena_base::progress::Observer;
use lucena_model::{Measure, ModelKind};
use lucena_proof::Proof;
use lucena_proof::guarantee::{self, FIFTY_MOVES, VerifyError};
use lucena_proof::policy::MeasurePolicy;
use lucena_tablebase::Tablebase;

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
) -> Result<Proof, VerifyError> {
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
) -> Result<Proof, VerifyError> {
    let longest = limits.longest.unwrap_or(FIFTY_MOVES);
    guarantee::verify_policy(policy, ModelKind::Measure, tablebase, observer, |proof| {
        proof.longest_moves.is_none_or(|moves| moves <= longest)
            && limits.terms.is_none_or(|most| policy.measure().terms().len() <= most)
    })
}
