//! Learning full games of chess from hand-chosen inputs.

mod input;
mod learner;
mod player;
mod side;
mod weights;

pub use input::Input;
pub use learner::ChessLearner;
pub use player::{LearnedLookAhead, LearnedPlayer};
pub use weights::{ChessParams, ChessWeights};
