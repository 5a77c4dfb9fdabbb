//! The forward check: every entry follows from those one move on.

use super::store::Store;
use super::{Outcome, Table, Tablebase};
use crate::chess::{Position, Side};
use crate::work::{Progress, Stopped, Watch};
use rayon::prelude::*;

/// An entry that does not follow from the entries one move on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the table is wrong: it says {}, the moves say {}, with {position}; solve it again", said(*.entry), said(*.moves))]
pub struct WrongEntry {
    /// The men on their squares and who is to move: not a FEN, as it may be no position.
    pub position: String,
    /// What the table holds.
    pub entry: Option<Outcome>,
    /// What the rules and the table's other entries make of it.
    pub moves: Option<Outcome>,
}

/// So many entries are checked before the watch is asked whether to go on: some milliseconds' work.
const BETWEEN_LOOKS: usize = 1 << 16;

fn said(outcome: Option<Outcome>) -> String {
    outcome.map_or("it is no position".into(), |outcome| outcome.to_string())
}

impl Tablebase {
    /// Checks every entry from the rules alone: it equals the best of its successors' entries, a
    /// mate is a mate, and what has no entry is no legal position. Written apart from the solver:
    /// forward, position by position; all that both share are the rules and the index.
    ///
    /// Returns how many positions were checked, those of the endgames it leads to included; or the
    /// first entry, in the order of the index, that is wrong.
    ///
    /// # Errors
    /// When the work is stopped.
    pub fn verify(&self, watch: &dyn Watch) -> Result<Result<u64, WrongEntry>, Stopped> {
        let mut checked = 0;
        for table in self.tables.values() {
            match self.verify_table(table, watch)? {
                Ok(more) => checked += more,
                wrong => return Ok(wrong),
            }
        }
        Ok(Ok(checked))
    }

    /// [`Tablebase::verify`] for the entries of the material alone: those that it leads to are
    /// taken to be right.
    ///
    /// # Errors
    /// When the work is stopped.
    pub fn verify_own(&self, watch: &dyn Watch) -> Result<Result<u64, WrongEntry>, Stopped> {
        self.verify_table(self.table(), watch)
    }

    fn verify_table(
        &self,
        table: &Table,
        watch: &dyn Watch,
    ) -> Result<Result<u64, WrongEntry>, Stopped> {
        let unpacked;
        let table = if Store::packs(table.index.material()) {
            unpacked = table.unpacked();
            &unpacked
        } else {
            table
        };
        let what = format!("verifying {}", table.index.material());
        let (len, total) = (table.index.len(), Some(2 * table.index.len() as u64));
        let (mut looked_at, mut checked) = (0, 0);
        for turn in Side::ALL {
            for first in (0..len).step_by(BETWEEN_LOOKS) {
                watch.go_on()?;
                watch.tell(Progress { what: &what, done: looked_at, total });
                let part = first..len.min(first + BETWEEN_LOOKS);
                looked_at += part.len() as u64;
                let entry = |at| self.verify_entry(table, at, turn).map(u64::from);
                // Rayon keeps the order, so the first error is the first in the index.
                let results = part.into_par_iter().with_min_len(1024).map(entry);
                match results.reduce(|| Ok(0), |one, other| Ok(one? + other?)) {
                    Ok(more) => checked += more,
                    wrong => return Ok(wrong),
                }
            }
        }
        Ok(Ok(checked))
    }

    /// Whether there is a position at this place, if its entry is right.
    fn verify_entry(&self, table: &Table, at: usize, turn: Side) -> Result<bool, WrongEntry> {
        let entry = table.entries[turn as usize].get(at).outcome();
        let position = table.index.position(at, turn);
        let moves = position.map(|position| self.best_of_successors(table, &position));
        if entry == moves {
            return Ok(position.is_some());
        }
        let placement = table.index.placement(at, turn);
        let men: Vec<String> = placement
            .men()
            .map(|(piece, square)| format!("{:?} {:?} {square}", piece.color, piece.role))
            .collect();
        let position = format!("{}, {:?} to move", men.join(", "), placement.color_to_move());
        Err(WrongEntry { position, entry, moves })
    }

    fn best_of_successors(&self, table: &Table, position: &Position) -> Outcome {
        let mut best = None;
        position.visit_steps(|step| {
            let after = position.after(step);
            let outcome = if step.departs() || after.en_passant().is_some() {
                self.probe(&after).expect("a tablebase has all that its material leads to")
            } else {
                table.outcome(&after)
            };
            best = best.max(Some(outcome.before_move()));
        });
        best.unwrap_or(if position.is_check() { Outcome::Loss(0) } else { Outcome::Draw })
    }
}
