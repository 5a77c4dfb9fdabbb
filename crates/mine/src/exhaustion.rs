use lucena_base::progress::{Observer, Progress, SharedProgress, Stopped};
use rayon::prelude::*;

/// The maximum number of winners that are returned.
const MAX_WINNERS: usize = 1_000;

/// The result of a trial of all candidates that have a given size. `D` is what else there is to say of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Exhaustion<P, W, D> {
    /// The parts to choose from. Of parts that make no difference, only the first counts.
    pub parts: Vec<P>,
    /// The number of parts of each candidate, all different.
    pub size: usize,
    /// The number of candidates.
    pub candidates: u64,
    /// The candidates that win, the best first; at most a thousand.
    pub winners: Vec<W>,
    /// What else there is to say.
    pub detail: D,
}

impl<P, W, D> Exhaustion<P, W, D> {
    /// Sorts winners by a key, and cuts them off.
    pub fn with_best_winners<K: Ord>(mut self, key: impl FnMut(&W) -> K) -> Self {
        self.winners.sort_by_key(key);
        self.winners.truncate(MAX_WINNERS);
        self
    }
}

/// Tries candidates in parallel, share by share. `try_share` counts those that it has tried.
///
/// # Errors
/// If the observer asks to stop.
pub fn exhaust<S: Sync, R: Send>(
    shares: &[S],
    candidates: u64,
    what: &str,
    observer: &dyn Observer,
    try_share: impl Fn(&S, &SharedProgress<'_>) -> Result<R, Stopped> + Sync + Send,
) -> Result<Vec<R>, Stopped> {
    observer.report(Progress { what, done: 0, total: Some(candidates) });
    let progress = SharedProgress::new(observer, what, candidates);
    shares.par_iter().map(|share| try_share(share, &progress)).collect()
}
