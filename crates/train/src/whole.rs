//! Learning full games of chess from hand-chosen inputs.

mod head;
mod input;
mod learner;
mod params;
mod player;
mod side;
mod weights;

pub use input::Input;
pub use learner::ChessLearner;
pub use params::ChessParams;
pub use player::{LearnedPlayer, Plies};
pub use weights::ChessWeights;
