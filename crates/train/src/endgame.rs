//! Learning endgames from games against the best defence. The result can be proved.

mod inputs;
mod learner;
mod params;
mod policy;
mod tables;
mod value_graph;
mod weights;

pub use learner::EndgameLearner;
pub use params::{EndgameParams, ModelKind};
pub use policy::LearnedPolicy;
pub use weights::EndgameWeights;
