use super::{SearchesMeasured, TruthsTold};
use schemars::JsonSchema;
use serde::Serialize;

/// What an experiment reports, by which one it is.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Experimented {
    /// What each part of a search is worth.
    Search(SearchesMeasured),
    /// What players are worth beside their work.
    Truth(TruthsTold),
    /// The published study of TD(λ), many times.
    Td(super::TdTold),
    /// What evolves from several seeds.
    Evolve(super::EvolutionsRepeated),
}
