use serde::{Deserialize, Serialize};

/// What there is to be told of a generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Its number; the first, which nobody has selected, is 0.
    pub generation: u64,
    /// The genes of the best member.
    pub best: Vec<i32>,
    /// What it is worth by itself; nothing where that shows in duels only.
    pub best_worth: Option<u64>,
    /// What the members are worth on average.
    pub mean_worth: Option<f64>,
    /// The mean of each gene.
    pub mean: Vec<f64>,
    /// The standard deviation of each gene over the members.
    pub spread: Vec<f64>,
    /// Games that were played in duels.
    pub games: u64,
    /// Those that were drawn.
    pub drawn: u64,
    /// Meetings that the younger member has won.
    pub won_by_younger: u64,
}
