//! What most programs need: `use lucena::prelude::*`.

pub use crate::{Endgame, Miner};
pub use lucena_attributes::Selection;
pub use lucena_codegen::{self as codegen, Language};
pub use lucena_learn::{CartParams, Id3Params, Learner};
pub use lucena_model::{DecisionTree, Horizon, Measure, Model, Strategy};
pub use lucena_proof::guarantee::Guarantee;
pub use lucena_proof::policy::Policy;
