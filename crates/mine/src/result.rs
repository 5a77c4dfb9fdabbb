use std::time::Duration;

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct MiningResult<M, T = ()> {
    /// The best model that wins, within the limits; `None` if none was found.
    pub model: Option<M>,
    /// The model that comes nearest, if none was found: a later search can start from it.
    pub draft: Option<M>,
    /// What is known of the model, or else of the draft.
    pub trial: T,
    /// The number of candidates tried.
    pub candidates: u64,
    /// The duration of the search.
    pub elapsed: Duration,
}

/// The answer to a model that a search has found to be better than the ones before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acceptance {
    /// The search looks for a better one.
    Accepted,
    /// The model is a draft at most, for example since it loses a draw. A search for measures goes on as if it had not won,
    /// one for strategies to those that cost less.
    Refused,
}
