//! What most programs need: `use lucena::prelude::*`.

pub use crate::Endgame;
pub use lucena_attributes::Selection;
pub use lucena_learn::{CartParams, Id3Params, Learner};
pub use lucena_model::{DecisionTree, Measure, Model, Strategy};
pub use lucena_proof::policy::Policy;
