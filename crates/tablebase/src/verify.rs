//! The forward check: every entry follows from those one move on.

use super::others::Pair;
use super::store::Store;
use super::{Outcome, Table, Tablebase};
use lucena_base::work::{Progress, Stopped, Watch};
use lucena_chess::{Position, Role, Side, Squares};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

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
const BETWEEN_LOOKS: usize = 1 << 14;

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
        let table = if table.entries.iter().any(Store::is_packed) {
            unpacked = table.unpacked();
            &unpacked
        } else {
            table
        };
        let what = format!("verifying {}", table.index.material());
        let total = Some(2 * table.index.len() as u64);
        let looked_at = AtomicU64::new(0);
        // Rayon keeps the order, so the first error is the first in the index.
        let pair = |pair: &Pair, turn: Side| -> Result<Result<u64, WrongEntry>, Stopped> {
            let placements = table.index.placements_of(pair);
            let mut checked = 0;
            for (numbers, some) in
                (pair.first()..).step_by(BETWEEN_LOOKS).zip(placements.chunks(BETWEEN_LOOKS))
            {
                watch.go_on()?;
                let done = looked_at.fetch_add(some.len() as u64, Ordering::Relaxed);
                watch.tell(Progress { what: &what, done, total });
                for (at, squares) in (numbers..).zip(some) {
                    match self.verify_entry(table, at, turn, squares) {
                        Ok(is_position) => checked += u64::from(is_position),
                        Err(wrong) => return Ok(Err(wrong)),
                    }
                }
            }
            Ok(Ok(checked))
        };
        let mut checked = 0;
        for turn in Side::ALL {
            let pairs = table.index.pairs().par_iter().map(|found| pair(found, turn));
            let results = pairs.try_reduce(
                || Ok(0),
                |one, other| Ok(one.and_then(|one| other.map(|other| one + other))),
            )?;
            match results {
                Ok(more) => checked += more,
                wrong => return Ok(wrong),
            }
        }
        Ok(Ok(checked))
    }

    /// Whether there is a position at this place, if its entry is right.
    fn verify_entry(
        &self,
        table: &Table,
        at: usize,
        turn: Side,
        squares: &Squares,
    ) -> Result<bool, WrongEntry> {
        let entry = table.entries[turn as usize].get(at).outcome();
        let placement = Position::from_slots(table.index.material(), turn, *squares);
        let is_position = !placement.is_attacked(placement.king(!turn), turn);
        let moves = is_position.then(|| self.best_of_successors(table, &placement));
        if entry == moves {
            return Ok(is_position);
        }
        let men: Vec<String> = placement
            .men()
            .map(|(piece, square)| format!("{:?} {:?} {square}", piece.color, piece.role))
            .collect();
        let position = format!("{}, {:?} to move", men.join(", "), placement.color_to_move());
        Err(WrongEntry { position, entry, moves })
    }

    /// What the moves of a position come to. Those that lead to where an entry is lacking are passed over: that
    /// entry is found to be wrong in its own place.
    fn best_of_successors(&self, table: &Table, position: &Position) -> Outcome {
        let mut best = None;
        let entries = &table.entries[!position.turn() as usize];
        position.visit_steps(|step| {
            let is_pawn = position.material().role(step.slot) == Role::Pawn;
            let outcome = if step.departs() || is_pawn {
                let after = position.after(step);
                if step.departs() || after.en_passant().is_some() {
                    Some(
                        self.probe(&after).expect("a tablebase has all that its material leads to"),
                    )
                } else {
                    entries.get(table.index.of(&after)).outcome()
                }
            } else {
                // The same men stand elsewhere, and that is all.
                let mut squares = *position.squares();
                squares[step.slot] = step.to;
                entries.get(table.index.of_squares(&squares)).outcome()
            };
            best = best.max(outcome.map(Outcome::before_move));
        });
        best.unwrap_or(if position.is_check() { Outcome::Loss(0) } else { Outcome::Draw })
    }
}
