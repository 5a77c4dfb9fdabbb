use lucena_proof::guarantee::FIFTY_MOVES;
use lucena_proof::policy::Policy;
use lucena_proof::{ProveError, prove};
use lucena_tablebase::Tablebase;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Proves a sample of the candidates of an exhaustive trial again, of a size and from a seed. `draw` draws a candidate, and
/// tells whether the trial found that it wins. Returns the size, and the number of those that the proof judges otherwise.
pub(super) fn prove_sample<P: Policy>(
    sample: Option<(usize, u64)>,
    tablebase: &Tablebase,
    draw: impl Fn(&mut ChaCha8Rng) -> Option<(P, bool)>,
) -> Result<(usize, usize), ProveError> {
    let (mut sampled, mut errors) = (0, 0);
    let Some((count, seed)) = sample else { return Ok((sampled, errors)) };
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    while sampled < count
        && let Some((policy, was_winner)) = draw(&mut rng)
    {
        sampled += 1;
        let proof = prove(&policy, tablebase)?;
        let is_within = proof.longest_moves.is_none_or(|moves| moves <= FIFTY_MOVES);
        errors += usize::from((proof.wins_all() && is_within) != was_winner);
    }
    Ok((sampled, errors))
}
