//! Lookups in the table.

use lucena_chess::Position;
use lucena_tablebase::{Outcome, Tablebase};

pub(super) fn probe(tablebase: &Tablebase, position: &Position) -> Outcome {
    tablebase.outcome(position)
}
