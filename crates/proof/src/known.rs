//! Lookups in the table.

use lucena_chess::Position;
use lucena_tablebase::{Outcome, Tablebase};

/// Returns the moves in which the side to move mates; `None` if it does not win.
pub(super) fn mates_in(outcome: Outcome) -> Option<u16> {
    match outcome {
        Outcome::Win(_) => outcome.moves(),
        Outcome::Draw | Outcome::Loss(_) => None,
    }
}

pub(super) fn probe(tablebase: &Tablebase, position: &Position) -> Outcome {
    tablebase.probe(position).expect("the table has what moves lead to")
}
