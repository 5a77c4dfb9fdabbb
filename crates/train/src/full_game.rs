//! Learning full games of chess from hand-chosen inputs.

mod episode;
mod input;
mod learner;
mod look_ahead;
mod player;
mod seat;
mod side;
mod weights;

pub use input::Input;
pub use learner::ChessLearner;
pub use look_ahead::LearnedLookAhead;
pub use player::LearnedPlayer;
pub(crate) use seat::LearnedSeat;
pub use weights::{ChessParams, ChessWeights};
