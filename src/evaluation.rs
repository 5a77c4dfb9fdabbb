//! What a position of a whole game is worth, as far as it can be seen without searching.

mod value;

pub use value::Evaluation;
