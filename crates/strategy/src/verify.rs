//! The proof of a strategy from its rules and those of chess alone.

use super::{FIFTY_MOVES, Limits};
use lucena_base::progress::NoObserver;
use lucena_model::{ModelKind, Strategy};
use lucena_proof::Proof;
use lucena_proof::guarantee::{VerifyError, verify_policy};
use lucena_proof::policy::StrategyPolicy;
use lucena_tablebase::Tablebase;

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
) -> Result<Proof, VerifyError> {
    let policy = StrategyPolicy::new(strategy.clone())?;
    let longest = wanted.longest.unwrap_or(FIFTY_MOVES);
    verify_policy(&policy, ModelKind::Strategy, tablebase, &NoObserver, |proof| {
        proof.longest_moves.is_none_or(|moves| moves <= longest)
            && wanted.mean_excess.is_none_or(|most| proof.mean_excess_moves <= Some(most))
            && wanted.size.is_none_or(|most| strategy.size() <= most)
            && wanted.rules.is_none_or(|most| strategy.rules().len() <= most)
    })
}
