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
mod error;
mod load;
mod material;
mod mop_up;
mod mop_up_term;
mod mop_up_weights;
mod part;
mod parts;
mod points;
mod value;
mod weights;

pub use complete::Complete;
pub use error::ParseWeightsError;
pub use load::load_json;
pub use material::{Material, MenValues};
pub use mop_up::MopUp;
pub use mop_up_term::{MopUpPoints, MopUpTerm};
pub use mop_up_weights::MopUpWeights;
pub use part::Part;
pub use parts::EightParts;
pub use value::{Evaluation, Term};
pub use weights::{Phase, Weights};
