//! The API of the Lichess tablebase, for front ends of other projects.

use super::position::probed;
use super::{ApiError, PageState};
use lucena_report::ProbeReport;
use schemars::JsonSchema;
use serde::Deserialize;

/// A position, in the format of these front ends.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct StandardQuery {
    /// The position as a FEN; underscores stand for spaces.
    fen: String,
}

/// The most times that a table is waited for, some hundredths of a second each.
const MOST_ROUNDS: usize = 500;

pub(super) fn standard(shelf: &PageState, query: StandardQuery) -> Result<ProbeReport, ApiError> {
    let fen = query.fen.replace('_', " ");
    // These front ends do not know the answer that a table is being solved, so this waits.
    for _ in 0..MOST_ROUNDS {
        match probed(shelf, &fen) {
            Err(ApiError::Solving(_)) => {}
            answer => return answer,
        }
    }
    probed(shelf, &fen)
}
