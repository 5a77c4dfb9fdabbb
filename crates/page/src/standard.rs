//! What the Lichess tablebase answers, for front ends that others wrote.

use super::position::probed;
use super::{Refusal, Shelf};
use lucena_report::Probed;
use schemars::JsonSchema;
use serde::Deserialize;

/// A position, as front ends write it.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct StandardQuery {
    /// The position as a FEN; underscores stand for spaces.
    fen: String,
}

/// How often a table is waited for, each time some hundredths of a second.
const MOST_ROUNDS: usize = 500;

pub(super) fn standard(shelf: &Shelf, query: StandardQuery) -> Result<Probed, Refusal> {
    let fen = query.fen.replace('_', " ");
    // Front ends of others know no answer but a whole one.
    for _ in 0..MOST_ROUNDS {
        match probed(shelf, &fen) {
            Err(Refusal::Solving(_)) => {}
            answer => return answer,
        }
    }
    probed(shelf, &fen)
}
