use serde::{Deserialize, Serialize};

/// Statistics of a generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The number of the generation; the first, not yet selected, is 0.
    pub generation: u64,
    /// The genes of the best member.
    pub best: Vec<i32>,
    /// The fitness of the best member; `None` if selection is by duels.
    pub best_worth: Option<u64>,
    /// The mean fitness of the members; `None` if selection is by duels.
    pub mean_worth: Option<f64>,
    /// The mean of each gene.
    pub mean: Vec<f64>,
    /// The standard deviation of each gene over the members.
    pub spread: Vec<f64>,
    /// The number of games played in duels.
    pub games: u64,
    /// The number of those games drawn.
    pub drawn: u64,
    /// The number of pairings won by the younger member.
    pub won_by_younger: u64,
}
