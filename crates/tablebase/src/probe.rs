//! Probing positions: the steps common to tablebases and folders.

use super::{Metric, Outcome, TableFileError, Tablebase};
use lucena_base::progress::Stopped;
use lucena_chess::{Material, Move, Position, Square, Step};
use std::sync::Arc;

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

/// An error in probing a position.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The tables do not hold this endgame.
    #[error(transparent)]
    Unknown(#[from] UnknownMaterial),
    /// The file of a table cannot be read.
    #[error(transparent)]
    File(#[from] TableFileError),
}

impl PartialEq for ProbeError {
    /// Two errors are equal if they say the same.
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl From<ProbeError> for Stopped {
    fn from(error: ProbeError) -> Self {
        match error {
            ProbeError::File(error) => error.into(),
            error @ ProbeError::Unknown(_) => Self::Unreadable(Arc::new(error)),
        }
    }
}

/// Returns the outcome of a position, given a function that ignores en passant squares.
#[inline]
pub(super) fn probe<E>(
    position: &Position,
    metric: Metric,
    outcome: impl Fn(&Position) -> Result<Outcome, E>,
) -> Result<Outcome, E> {
    let without = outcome(position)?;
    match position.en_passant() {
        None => Ok(without),
        Some(passed) => with_en_passant(position, passed, without, metric, outcome),
    }
}

/// Returns the outcome of a position with an en passant capture, given the outcome without that move.
#[cold]
fn with_en_passant<E>(
    position: &Position,
    passed: Square,
    without: Outcome,
    metric: Metric,
    outcome: impl Fn(&Position) -> Result<Outcome, E>,
) -> Result<Outcome, E> {
    let has_others = position.without_en_passant().has_moves();
    let mut best = has_others.then_some(without);
    try_steps(position, |step| {
        if step.to == passed && step.captured.is_some() {
            let taken = outcome(&position.after(step))?;
            best = best.max(Some(metric.before_move(taken, true)));
        }
        Ok(())
    })?;
    Ok(best.unwrap_or(without))
}

/// Returns the legal moves with the positions after them and their outcomes, the best first, given a
/// function that ignores en passant squares.
pub(super) fn probe_moves<E>(
    position: &Position,
    metric: Metric,
    outcome: impl Fn(&Position) -> Result<Outcome, E>,
) -> Result<Vec<(Move, Position, Outcome)>, E> {
    let mut moves = Vec::new();
    try_steps(position, |step| {
        let after = position.after(step);
        moves.push((position.to_move(step), after, probe(&after, metric, &outcome)?));
        Ok(())
    })?;
    moves.sort_by_key(|&(.., outcome)| outcome);
    Ok(moves)
}

/// Calls `visit` for every legal step until it fails.
pub(super) fn try_steps<E>(
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

impl Tablebase {
    /// The entry of a position, which ignores its en passant square.
    #[inline]
    fn entry_of(&self, position: &Position) -> Result<Outcome, ProbeError> {
        let unknown = || UnknownMaterial { material: position.material(), table: self.material };
        Ok(self.tables.get(&position.material()).ok_or_else(unknown)?.outcome(position)?)
    }

    /// Returns the outcome of a position of this material, or of one that it leads to.
    ///
    /// # Errors
    /// If the tablebase does not hold the position's material, or its file can no longer be read.
    #[inline]
    pub fn probe(&self, position: &Position) -> Result<Outcome, ProbeError> {
        probe(position, self.metric, |position| self.entry_of(position))
    }

    /// Returns the outcome of a position of this material, or of one that it leads to, for work on many
    /// positions: a draw if it can no longer be read, and then [`Tablebase::check_readable`] returns the error.
    ///
    /// # Panics
    /// If the tablebase does not hold the position's material.
    #[inline]
    pub fn outcome(&self, position: &Position) -> Outcome {
        match self.probe(position) {
            Ok(outcome) => outcome,
            Err(ProbeError::File(error)) => self.noting(Err(error)).unwrap_or(Outcome::Draw),
            Err(ProbeError::Unknown(error)) => panic!("{error}"),
        }
    }

    /// Returns what [`Tablebase::probe_moves`] does, for work on many positions: nothing if the tablebase does
    /// not hold the position's material, or if an outcome can no longer be read; in that case
    /// [`Tablebase::check_readable`] returns the error.
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
        self.entry_of(position)?;
        probe_moves(position, self.metric, |position| self.entry_of(position))
    }

    /// The outcome of a position of a material that the tablebase holds, which ignores its en passant square. A draw
    /// if it can no longer be read, and then [`Tablebase::check_readable`] returns the error.
    pub(super) fn entry_outcome(&self, position: &Position) -> Outcome {
        let outcome = self.noting(self.tables[&position.material()].outcome(position));
        outcome.unwrap_or(Outcome::Draw)
    }
}
