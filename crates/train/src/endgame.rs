//! Learning endgames from games against the best defence. The result can be proved.

mod inputs;
mod learner;
mod params;
mod policy;
mod tables;
mod ways;
mod weights;

pub use learner::EndgameLearner;
pub use params::{EndgameParams, Kind};
pub use policy::LearnedPolicy;
pub use weights::EndgameWeights;
