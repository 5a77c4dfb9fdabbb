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
    /// Returns how many positions were checked, smaller endgames included.
    ///
    /// # Errors
    /// The first entry, in the order of the index, that is wrong.
    pub fn verify(&self) -> Result<u64, VerifyError> {
        let mut checked = 0;
        for table in self.tables.values() {
            for turn in Side::ALL {
                let results: Vec<Result<bool, VerifyError>> = (0..table.index.len())
                    .into_par_iter()
                    .with_min_len(1024)
                    .map(|at| self.verify_entry(table, at, turn))
                    .collect();
                for result in results {
                    checked += u64::from(result?);
                }
            }
        }
        Ok(checked)
    }

    /// Whether there is a position at this place, if its entry is right.
    fn verify_entry(&self, table: &Table, at: usize, turn: Side) -> Result<bool, VerifyError> {
        let entry = table.entries[turn as usize][at].outcome();
        let position = table.index.position(at, turn);
        let moves = position.map(|position| self.best_of_successors(&position));
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

    fn best_of_successors(&self, position: &Position) -> Outcome {
        let mut best = None;
        position.visit_steps(|step| {
            let after = position.after(step);
            let outcome = self.tables[&after.material()].outcome(&after).before_move();
            best = best.max(Some(outcome));
        });
        best.unwrap_or(if position.is_check() { Outcome::Loss(0) } else { Outcome::Draw })
    }
}
