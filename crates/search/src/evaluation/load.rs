use super::error::ParseWeightsError;
use super::mop_up::MopUp;
use super::mop_up_weights::MopUpWeights;
use super::parts::EightParts;
use super::value::Evaluation;
use super::weights::Weights;
use serde::Deserialize;
use std::sync::Arc;

/// What a file of weights says that they are for; the rest of it is not looked at.
#[derive(Deserialize)]
struct Head {
    evaluation: Option<String>,
}

/// The evaluation whose weights a file holds.
///
/// ```
/// use lucena::evaluation::{MopUp, load_json};
///
/// let evaluation = load_json(MopUp::default().to_json().as_bytes())?;
/// assert_eq!(evaluation.name(), "mop-up");
/// # Ok::<(), lucena::evaluation::ParseWeightsError>(())
/// ```
///
/// # Errors
/// When it does not say which evaluation that is, or holds no weights of it.
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
