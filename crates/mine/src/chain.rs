use std::time::Instant;

/// One of the chains of a search: candidates one after another, each a small change of another.
pub trait Chain: Send {
    /// A candidate with what is known about it.
    type State: Clone;

    /// Returns the cost of a candidate: the less, the better.
    fn energy(state: &Self::State) -> f64;

    /// Returns the best candidate so far.
    fn best(&self) -> &Self::State;

    /// Returns the candidate that the chain proposes as a result.
    fn proposal(&self) -> Option<&Self::State> {
        Some(self.best())
    }

    /// Drops a proposal that was refused.
    fn withdraw(&mut self) {}

    /// Returns the number of candidates tried.
    fn candidates(&self) -> u64;

    /// Tries this many candidates, or fewer if time is up.
    fn run(&mut self, round: u64, until: Option<Instant>);

    /// Continues from the best candidate of all chains, if this chain has fallen far behind.
    fn catch_up(&mut self, leader: &Self::State);
}

/// The candidates of a search.
pub(super) type StateOf<S> = <<S as Search>::Chain as Chain>::State;

/// What a search looks for.
pub trait Search {
    /// Its chains.
    type Chain: Chain;
    /// The candidates as they are handed on.
    type Model;
    /// What a result says of its candidate.
    type Trial;

    /// The candidates that each chain tries between two comparisons with the others.
    const ROUND: u64;

    /// Returns true if a proposal is a result.
    fn wins(&self, _proposal: &StateOf<Self>) -> bool {
        true
    }

    /// Returns the cost of a result, which must fall from one to the next.
    fn cost(&self, state: &StateOf<Self>) -> f64 {
        Self::Chain::energy(state)
    }

    /// Makes a model of a candidate, found among this many.
    fn model(&self, state: &StateOf<Self>, candidates: u64) -> Self::Model;

    /// Returns what the result says of its candidate.
    fn trial(&self, state: &StateOf<Self>, chains: &[Self::Chain]) -> Self::Trial;

    /// Returns the progress of the search, in words and as named figures.
    fn progress(&self, leader: &StateOf<Self>) -> (String, Vec<(&'static str, f64)>);
}

/// Returns the greatest cost with which a candidate is accepted after one that costs `energy`. The temperature falls from
/// `hot` to `cold`; a part of that is `done`. `lot` is a random number between 0 and 1.
#[inline]
pub fn bound(energy: f64, [hot, cold]: [f64; 2], done: f64, lot: f64) -> f64 {
    energy - hot * libm::pow(cold / hot, done) * libm::log(lot)
}
