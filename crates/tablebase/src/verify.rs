//! The forward check: every entry must follow from those of its successors.

use super::entries::Entries;
use super::piece_index::KingPair;
use super::{Index, Outcome, Table, Tablebase};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::{Position, Role, Side, Squares};
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

/// An entry that does not follow from the entries of its successors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the table is wrong: it has {}, but the moves give {}, with {position}; solve it again", said(*.entry), said(*.moves))]
pub struct WrongEntry {
    /// The men with their squares and the side to move. Not a FEN, since the position may be illegal.
    pub position: String,
    /// The outcome in the table.
    pub entry: Option<Outcome>,
    /// The outcome by the rules and the table's other entries.
    pub moves: Option<Outcome>,
}

/// The number of entries checked between progress reports: some milliseconds of work.
const BETWEEN_LOOKS: usize = 1 << 14;

fn said(outcome: Option<Outcome>) -> String {
    outcome.map_or("it is not a position".into(), |outcome| outcome.to_string())
}

impl Tablebase {
    /// Checks every entry from the rules alone: it must equal the best outcome over its successors, mates
    /// must be mates, and exactly the illegal placements must lack an entry. Independent of the solver:
    /// it goes forward, position by position, and shares only the rules and the index with it.
    ///
    /// Returns the number of positions checked, including those of the endgames that the material leads to;
    /// or the first wrong entry, in the order of the index.
    ///
    /// # Errors
    /// If the work is stopped, or a table file can no longer be read.
    pub fn verify(&self, observer: &dyn Observer) -> Result<Result<u64, WrongEntry>, Stopped> {
        let mut checked = 0;
        for table in self.tables.values() {
            match self.verify_table(table, observer)? {
                Ok(more) => checked += more,
                wrong => return Ok(wrong),
            }
        }
        Ok(Ok(checked))
    }

    /// [`Tablebase::verify`] for the entries of the material alone, assuming that those of the endgames that
    /// it leads to are correct.
    ///
    /// # Errors
    /// If the work is stopped, or a table file can no longer be read.
    pub fn verify_own(&self, observer: &dyn Observer) -> Result<Result<u64, WrongEntry>, Stopped> {
        self.verify_table(self.table(), observer)
    }

    fn verify_table(
        &self,
        table: &Table,
        observer: &dyn Observer,
    ) -> Result<Result<u64, WrongEntry>, Stopped> {
        let entries = &table.plain()?;
        let what = format!("verifying {}", table.index.material);
        let total = Some(2 * table.index.len() as u64);
        let looked_at = AtomicU64::new(0);
        // Rayon preserves the order, so the first error is the first in the index.
        let pair = |pair: &KingPair, turn: Side| -> Result<Result<u64, WrongEntry>, Stopped> {
            let placements = table.index.placements_of(pair);
            let mut checked = 0;
            let firsts = (pair.first..).step_by(BETWEEN_LOOKS);
            for (first, some) in firsts.zip(placements.chunks(BETWEEN_LOOKS)) {
                observer.check()?;
                let done = looked_at.fetch_add(some.len() as u64, Ordering::Relaxed);
                observer.report(Progress { what: &what, done, total });
                for (at, squares) in (first..).zip(some) {
                    match self.verify_entry(&table.index, entries, (at, turn), squares) {
                        Ok(is_position) => checked += u64::from(is_position),
                        Err(wrong) => return Ok(Err(wrong)),
                    }
                }
            }
            Ok(Ok(checked))
        };
        let mut checked = 0;
        for turn in Side::ALL {
            let pairs = table.index.pairs.par_iter().map(|found| pair(found, turn));
            let results = pairs.try_reduce(
                || Ok(0),
                |one, other| Ok(one.and_then(|one| other.map(|other| one + other))),
            )?;
            // An entry that seems wrong may only be unreadable.
            self.check_readable()?;
            match results {
                Ok(more) => checked += more,
                wrong => return Ok(wrong),
            }
        }
        Ok(Ok(checked))
    }

    /// Returns whether the placement is a legal position, or an error if its entry is wrong.
    fn verify_entry(
        &self,
        index: &Index,
        entries: &[Cow<'_, Entries>; 2],
        (at, turn): (usize, Side),
        squares: &Squares,
    ) -> Result<bool, WrongEntry> {
        let entry = self.metric.outcome(entries[turn as usize].get(at));
        let placement = Position::from_slots_unchecked(index.material, turn, *squares);
        let is_position = !placement.is_attacked(placement.king(!turn), turn);
        let moves = is_position
            .then(|| self.best_of_successors(index, &entries[!turn as usize], &placement));
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

    /// Returns the best outcome over the moves of a position. Moves to positions without an entry are skipped:
    /// the missing entry is reported when its own turn comes.
    fn best_of_successors(&self, index: &Index, entries: &Entries, position: &Position) -> Outcome {
        let mut best = None;
        position.visit_steps(|step| {
            let is_pawn = position.material().role(step.slot) == Role::Pawn;
            let zeroes = step.converts() || is_pawn;
            let outcome = if zeroes {
                let after = position.after(step);
                if step.converts() || after.en_passant().is_some() {
                    Some(self.outcome(&after))
                } else {
                    self.metric.outcome(entries.get(index.of(&after)))
                }
            } else {
                // A plain move only changes one square.
                let mut squares = *position.squares();
                squares[step.slot] = step.to;
                self.metric.outcome(entries.get(index.of_squares(&squares)))
            };
            best = best.max(outcome.map(|after| self.metric.before_move(after, zeroes)));
        });
        best.unwrap_or(if position.is_check() { Outcome::Loss(0) } else { Outcome::Draw })
    }
}
