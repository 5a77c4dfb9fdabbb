use lucena_chess::Side;

/// The parameters of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchParams {
    /// The side to move in the positions that are looked at; `None` for both.
    pub turn: Option<Side>,
    /// The most rules.
    pub rules: usize,
    /// The most conditions of a rule.
    pub conditions: usize,
    /// The conjunctions that are kept at each length, for each of four ways to weigh exceptions.
    pub beam: usize,
    /// The positions of the sample that the search begins with.
    pub sample: usize,
    /// The seed of the sample.
    pub seed: u64,
}
