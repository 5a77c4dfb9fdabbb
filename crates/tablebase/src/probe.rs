//! Looking positions up: the same steps whether a table is in memory or read as it is needed.

use super::{Outcome, Tablebase};
use lucena_chess::{Material, Move, Position, Square, Step};

/// A position that a tablebase knows nothing about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the table holds {table} and the endgames it leads to, not {material}: solve {material} to ask about it"
)]
pub struct UnknownMaterial {
    /// The material that was asked about.
    pub material: Material,
    /// The largest material of the table.
    pub table: Material,
}

/// Tables that know what positions are worth, wherever they have it from.
pub(super) trait Probe {
    /// Why there is no answer.
    type Error;

    /// The outcome of a position, a right to take in passing left aside.
    fn outcome(&self, position: &Position) -> Result<Outcome, Self::Error>;

    /// The outcome of a position.
    #[inline]
    fn probe(&self, position: &Position) -> Result<Outcome, Self::Error> {
        let outcome = self.outcome(position)?;
        match position.en_passant() {
            None => Ok(outcome),
            Some(passed) => self.with_en_passant(position, passed, outcome),
        }
    }

    /// The outcome where a pawn can be taken in passing, from what it is without that move.
    #[cold]
    fn with_en_passant(
        &self,
        position: &Position,
        passed: Square,
        outcome: Outcome,
    ) -> Result<Outcome, Self::Error> {
        let has_others = position.without_en_passant().has_moves();
        let mut best = has_others.then_some(outcome);
        try_steps(position, |step| {
            if step.to == passed && step.captured.is_some() {
                best = best.max(Some(self.outcome(&position.after(step))?.before_move()));
            }
            Ok(())
        })?;
        Ok(best.unwrap_or(outcome))
    }

    /// The legal moves with the outcome each leads to, the best first.
    fn probe_moves(&self, position: &Position) -> Result<Vec<(Move, Outcome)>, Self::Error> {
        let mut moves = Vec::new();
        try_steps(position, |step| {
            moves.push((position.to_move(step), self.probe(&position.after(step))?));
            Ok(())
        })?;
        moves.sort_by_key(|&(_, outcome)| outcome);
        Ok(moves)
    }
}

/// Calls back for every legal step until one fails.
fn try_steps<E>(
    position: &Position,
    mut visit: impl FnMut(Step) -> Result<(), E>,
) -> Result<(), E> {
    let mut result = Ok(());
    position.visit_steps(|step| {
        if result.is_ok() {
            result = visit(step);
        }
    });
    result
}

impl Probe for Tablebase {
    type Error = UnknownMaterial;

    #[inline]
    fn outcome(&self, position: &Position) -> Result<Outcome, UnknownMaterial> {
        let unknown = || UnknownMaterial { material: position.material(), table: self.material };
        Ok(self.tables.get(&position.material()).ok_or_else(unknown)?.outcome(position))
    }
}

impl Tablebase {
    /// The outcome of a position of this material, or of one that it leads to.
    ///
    /// # Errors
    /// When the position's material is another.
    pub fn probe(&self, position: &Position) -> Result<Outcome, UnknownMaterial> {
        Probe::probe(self, position)
    }

    /// The legal moves with the outcome each leads to, seen from the opponent, who is then to
    /// move; the best move first, equals in the order of [`Position::moves`].
    ///
    /// # Errors
    /// When the position's material is another.
    pub fn probe_moves(
        &self,
        position: &Position,
    ) -> Result<Vec<(Move, Outcome)>, UnknownMaterial> {
        self.outcome(position)?;
        Probe::probe_moves(self, position)
    }

    /// The outcome of a position for the side to move if it makes a step that leads to another
    /// material of the table.
    pub(super) fn after_departure(&self, position: &Position, step: Step) -> Outcome {
        let after = position.after(step);
        self.tables[&after.material()].outcome(&after).before_move()
    }
}
