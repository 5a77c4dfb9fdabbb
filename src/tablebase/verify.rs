use super::{Outcome, Table, Tablebase};
use crate::chess::{Position, Side};
use rayon::prelude::*;

/// An entry that does not follow from the entries one move on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the table is wrong: it says {}, the moves say {}, with {position}; solve it again", said(*.entry), said(*.moves))]
pub struct VerifyError {
    /// The men on their squares and who is to move: not a FEN, as it may be no position.
    pub position: String,
    /// What the table holds.
    pub entry: Option<Outcome>,
    /// What the rules and the table's other entries make of it.
    pub moves: Option<Outcome>,
}

fn said(outcome: Option<Outcome>) -> String {
    outcome.map_or("it is no position".into(), |outcome| outcome.to_string())
}

impl Tablebase {
    /// Checks every entry from the rules alone: it equals the best of its successors' entries, a
    /// mate is a mate, and what has no entry is no legal position. Written apart from the solver:
    /// forward, position by position; all that both share are the rules and the index.
    ///
    /// Returns how many positions were checked, those of the endgames it leads to included.
    ///
    /// # Errors
    /// The first entry, in the order of the index, that is wrong.
    pub fn verify(&self) -> Result<u64, VerifyError> {
        self.tables.values().map(|table| self.verify_table(table)).sum()
    }

    /// [`Tablebase::verify`] for the entries of the material alone: those that it leads to are
    /// taken to be right.
    ///
    /// # Errors
    /// The first entry, in the order of the index, that is wrong.
    pub fn verify_own(&self) -> Result<u64, VerifyError> {
        self.verify_table(self.table())
    }

    fn verify_table(&self, table: &Table) -> Result<u64, VerifyError> {
        let mut checked = 0;
        for turn in Side::ALL {
            let entry = |at| self.verify_entry(table, at, turn);
            let results = (0..table.index.len()).into_par_iter().with_min_len(1024).map(entry);
            // Rayon keeps the order, so the first error is the first in the index.
            let checked_here = results
                .map(|result| result.map(u64::from))
                .reduce(|| Ok(0), |one, other| Ok(one? + other?));
            checked += checked_here?;
        }
        Ok(checked)
    }

    /// Whether there is a position at this place, if its entry is right.
    fn verify_entry(&self, table: &Table, at: usize, turn: Side) -> Result<bool, VerifyError> {
        let entry = table.entries[turn as usize][at].outcome();
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
        Err(VerifyError { position, entry, moves })
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
