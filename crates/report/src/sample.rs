use lucena_base::progress::{Observer, Progress};
use lucena_proof::guarantee::FIFTY_MOVES;
use lucena_proof::policy::Policy;
use lucena_proof::{ProveError, ProvedGame};
use lucena_tablebase::Tablebase;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// A random sample of the candidates of an exhaustive search, to be proved again.
#[derive(Clone, Copy)]
pub struct ProofSample<'a> {
    /// The number of candidates.
    pub size: usize,
    /// The seed of the sample.
    pub seed: u64,
    /// The table of the endgame.
    pub tablebase: &'a Tablebase,
    /// Receives the progress.
    pub observer: &'a dyn Observer,
}

impl ProofSample<'_> {
    /// Proves the sample. `draw` draws a candidate, and tells whether the search found that it wins. Returns the size, and
    /// the number of those that the proof judges otherwise.
    pub(super) fn prove<P: Policy>(
        self,
        draw: impl Fn(&mut ChaCha8Rng) -> Option<(P, bool)>,
    ) -> Result<(usize, usize), ProveError> {
        let Self { size, seed, tablebase, observer } = self;
        let (mut sampled, mut errors) = (0, 0);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        while sampled < size
            && let Some((policy, was_winner)) = draw(&mut rng)
        {
            let (done, total) = (sampled as u64, Some(size as u64));
            observer.report(Progress { what: "proving the sample", done, total });
            sampled += 1;
            let proof = ProvedGame::with_observer(&policy, tablebase, observer)?.figures()?;
            let is_within = proof.longest_moves.is_none_or(|moves| moves <= FIFTY_MOVES);
            errors += usize::from((proof.wins_all() && is_within) != was_winner);
        }
        Ok((sampled, errors))
    }
}
