//! Probing positions: the steps common to tables in memory and tables read on demand.

use super::{Outcome, ProbeError, Tablebase};
use lucena_chess::{Material, Move, Position, Square, Step};

/// The material of a position is not in the tablebase.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the table holds {table} and the endgames it leads to, not {material}: solve {material} to probe it"
)]
pub struct UnknownMaterial {
    /// The material of the position.
    pub material: Material,
    /// The largest material of the table.
    pub table: Material,
}

/// A source of outcomes of positions.
pub(super) trait Probe {
    /// The error of a failed lookup.
    type Error;

    /// Returns the outcome of a position, ignoring its en passant square.
    fn outcome(&self, position: &Position) -> Result<Outcome, Self::Error>;

    /// Returns the outcome of a position.
    #[inline]
    fn probe(&self, position: &Position) -> Result<Outcome, Self::Error> {
        let outcome = self.outcome(position)?;
        match position.en_passant() {
            None => Ok(outcome),
            Some(passed) => self.with_en_passant(position, passed, outcome),
        }
    }

    /// Returns the outcome of a position with an en passant capture, given the outcome without that move.
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

    /// Returns the legal moves with the positions after them and their outcomes, the best first.
    fn probe_moves(
        &self,
        position: &Position,
    ) -> Result<Vec<(Move, Position, Outcome)>, Self::Error> {
        let mut moves = Vec::new();
        try_steps(position, |step| {
            let after = position.after(step);
            moves.push((position.to_move(step), after, self.probe(&after)?));
            Ok(())
        })?;
        moves.sort_by_key(|&(.., outcome)| outcome);
        Ok(moves)
    }
}

/// Calls `visit` for every legal step until it fails.
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
    type Error = ProbeError;

    #[inline]
    fn outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        let unknown = || UnknownMaterial { material: position.material(), table: self.material };
        Ok(self.tables.get(&position.material()).ok_or_else(unknown)?.outcome(position)?)
    }
}

impl Tablebase {
    /// Returns the outcome of a position of this material, or of one that it leads to.
    ///
    /// # Errors
    /// If the tablebase does not hold the position's material, or its file can no longer be read.
    pub fn probe(&self, position: &Position) -> Result<Outcome, ProbeError> {
        Probe::probe(self, position)
    }

    /// Returns the outcome of a position of this material, or of one that it leads to, for work on many
    /// positions: a draw if it can no longer be read, and then [`Tablebase::intact`] returns the error.
    ///
    /// # Panics
    /// If the tablebase does not hold the position's material.
    #[inline]
    pub fn outcome(&self, position: &Position) -> Outcome {
        match Probe::probe(self, position) {
            Ok(outcome) => outcome,
            Err(ProbeError::File(error)) => self.noting(Err(error)).unwrap_or(Outcome::Draw),
            Err(ProbeError::Unknown(error)) => panic!("{error}"),
        }
    }

    /// Returns what [`Tablebase::probe_moves`] does, for work on many positions: nothing if the tablebase does
    /// not hold the position's material, or if an outcome can no longer be read; in that case
    /// [`Tablebase::intact`] returns the error.
    pub fn outcomes(&self, position: &Position) -> Vec<(Move, Position, Outcome)> {
        match self.probe_moves(position) {
            Ok(moves) => moves,
            Err(ProbeError::File(error)) => self.noting(Err(error)).unwrap_or_default(),
            Err(ProbeError::Unknown(_)) => Vec::new(),
        }
    }

    /// Returns the legal moves, each with the position after it and its outcome from the point of view of
    /// the opponent, who is then to move. The best move comes first, ties in the order of [`Position::moves`].
    ///
    /// # Errors
    /// If the tablebase does not hold the position's material, or a file can no longer be read.
    pub fn probe_moves(
        &self,
        position: &Position,
    ) -> Result<Vec<(Move, Position, Outcome)>, ProbeError> {
        Probe::outcome(self, position)?;
        Probe::probe_moves(self, position)
    }

    /// Returns the outcome for the side to move if it makes a step that leads to another material.
    pub(super) fn after_departure(&self, position: &Position, step: Step) -> Outcome {
        let after = position.after(step);
        let outcome = self.noting(self.tables[&after.material()].outcome(&after));
        outcome.unwrap_or(Outcome::Draw).before_move()
    }
}
