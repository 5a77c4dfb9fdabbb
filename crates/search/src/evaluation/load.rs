use super::error::ParseWeightsError;
use super::mop_up::MopUp;
use super::mop_up_weights::MopUpWeights;
use super::parts::EightParts;
use super::value::Evaluation;
use super::weights::Weights;
use serde::Deserialize;
use std::sync::Arc;

/// The part of a weights file that names its evaluation; the rest is ignored.
#[derive(Deserialize)]
struct Head {
    evaluation: Option<String>,
}

/// Reads a weights file and returns its evaluation.
///
/// # Errors
/// If the file does not name a known evaluation, or its weights are invalid.
pub fn load_json(json: &[u8]) -> Result<Arc<dyn Evaluation>, ParseWeightsError> {
    let head: Head = serde_json::from_slice(json)?;
    match head.evaluation.as_deref() {
        Some(Weights::EVALUATION) => Ok(Arc::new(EightParts(Weights::from_json(json)?))),
        Some(MopUpWeights::EVALUATION) => Ok(Arc::new(MopUp::from_json(json)?)),
        _ => Err(ParseWeightsError::Evaluation {
            found: head.evaluation,
            expected: "parts\" or \"mop-up",
        }),
    }
}
