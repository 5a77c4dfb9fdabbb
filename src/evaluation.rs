//! What a board is worth, as far as it can be seen without searching: in hundredths of a pawn.
//!
//! | evaluation | what it sees |
//! |---|---|
//! | [`Material`] | the men alone |
//! | [`EightParts`] | material, squares, pawns and kings, each by its weight in the phase of the game |
//! | [`MopUp`] | how near a bare king is to being mated |
//! | [`Complete`] | the eight parts, and the mop-up once a king is bare |
//!
//! All are whole numbers, and symmetric: the same board with the colours exchanged is worth the same
//! to the side that is to move then.

mod complete;
mod material;
mod mop_up;
mod parts;
mod points;
mod value;
mod weights;

pub use complete::Complete;
pub use material::{Material, MenValues};
pub use mop_up::{MopUp, MopUpTerm, MopUpWeights};
pub use parts::EightParts;
pub use points::Part;
pub use value::{Evaluation, Term};
pub use weights::{ParseWeightsError, Phase, Weights};
