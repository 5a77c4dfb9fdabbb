//! What the Lichess tablebase answers, for front ends that others wrote.

use super::position::probed;
use super::{Refusal, Shelf};
use crate::report::Probed;
use schemars::JsonSchema;
use serde::Deserialize;

/// A position, as front ends write it.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct StandardQuery {
    /// The position as a FEN; underscores stand for spaces.
    fen: String,
}

pub(super) fn standard(shelf: &Shelf, query: StandardQuery) -> Result<Probed, Refusal> {
    probed(shelf, &query.fen.replace('_', " "))
}
