use super::{SearchesMeasured, TruthsTold};
use schemars::JsonSchema;
use serde::Serialize;

/// The report of an experiment, by its kind.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Experimented {
    /// The value of each part of a search.
    Search(SearchesMeasured),
    /// The strength of players against their cost.
    Truth(TruthsTold),
    /// The published study of TD(λ), repeated.
    Td(super::TdTold),
    /// The results of evolution from several seeds.
    Evolve(super::EvolutionsRepeated),
}
