//! Static evaluation of boards, in hundredths of a pawn.
//!
//! | evaluation | what it counts |
//! |---|---|
//! | [`Material`] | the men only |
//! | [`EightParts`] | eight terms for material, squares, pawns and kings, each weighted by the phase of the game |
//! | [`MopUp`] | the progress in driving a bare king to mate |
//! | [`Complete`] | the eight terms, or the mop-up once a king is bare |
//!
//! All values are integers and symmetric: a board with the colours exchanged has the same value for
//! the side to move.

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
