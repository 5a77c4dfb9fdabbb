//! Proofs of the models that are built into this program.

use super::ReportError;
use super::prove::ProofSummary;
use lucena_model::ModelKind;
use schemars::JsonSchema;
use serde::Serialize;

/// The proofs of the models of an endgame that need no table.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BuiltInProofs {
    /// The strategies of the endgame that are built into this program.
    pub strategies: Vec<ModelProof>,
    /// The measures of the endgame that are built into this program.
    pub measures: Vec<ModelProof>,
}

/// A model built into this program, proved.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ModelProof {
    /// Its name.
    pub name: &'static str,
    /// Its strength against every reply, whichever of its tied moves is played.
    pub proof: ProofSummary,
}

impl BuiltInProofs {
    /// The proofs that `prove` makes of the models of a kind.
    pub(crate) fn new(
        mut prove: impl FnMut(ModelKind) -> Result<Vec<ModelProof>, ReportError>,
    ) -> Result<Self, ReportError> {
        let strategies = prove(ModelKind::Strategy)?;
        Ok(Self { strategies, measures: prove(ModelKind::Measure)? })
    }

    /// All proofs: those of strategies, then those of measures.
    pub fn proofs(&self) -> impl Iterator<Item = &ProofSummary> {
        self.strategies.iter().chain(&self.measures).map(|model| &model.proof)
    }
}
