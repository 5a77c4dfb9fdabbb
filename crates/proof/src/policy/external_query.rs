//! Queries to a player outside this library: in batches, and a sample twice.

use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::{IllegalMove, Material, Position};
use lucena_model::Class;

/// The number of positions in a batch.
const BATCH: usize = 1 << 14;

/// The most positions that are asked about a second time.
const TWICE: usize = 1 << 10;

/// An error in querying a player outside this library.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError<E> {
    /// The player failed to answer.
    #[error(transparent)]
    Failed(E),
    /// The number of answers differs from that of the positions.
    #[error(
        "the player gave {answered} answers for {positions} positions: it must give one answer for each, in the same order"
    )]
    WrongCount {
        /// The number of positions.
        positions: usize,
        /// The number of answers.
        answered: usize,
    },
    /// A class does not exist.
    #[error(
        "in {position} the player answers class {class}, but there are {classes} classes, numbered from 0: train it on the classes of this endgame"
    )]
    UnknownClass {
        /// The position.
        position: Position,
        /// The class that it answered.
        class: Class,
        /// The number of classes.
        classes: usize,
    },
    /// The player answered an illegal move.
    #[error("the player's answer cannot be played: {0}")]
    Illegal(#[from] IllegalMove),
    /// The player gave different answers to the same question.
    #[error(
        "the player answered {first} and then {then} for the same position {position}: its answer does not depend on the position alone, so nothing can be proved about it; make it deterministic, or fix its seed"
    )]
    Nondeterministic {
        /// The position.
        position: Position,
        /// The first answer.
        first: String,
        /// The second answer.
        then: String,
    },
    /// The attributes are for another material than the table.
    #[error("the attributes are for {attributes}, the table for {table}")]
    OtherMaterial {
        /// The material of the attributes.
        attributes: Material,
        /// The material of the table.
        table: Material,
    },
    /// The observer asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Returns the answers for all positions, in their order. `words` puts an answer into words.
pub(super) fn query_all<A: PartialEq, E>(
    positions: &[Position],
    observer: &dyn Observer,
    words: impl Fn(A) -> String,
    mut ask: impl FnMut(&[Position]) -> Result<Vec<A>, E>,
) -> Result<Vec<A>, QueryError<E>> {
    let mut ask = |positions: &[Position]| {
        observer.check()?;
        let answers = ask(positions).map_err(QueryError::Failed)?;
        match (positions.len(), answers.len()) {
            (positions, answered) if positions == answered => Ok(answers),
            (positions, answered) => Err(QueryError::WrongCount { positions, answered }),
        }
    };
    let total = Some(positions.len() as u64);
    let mut answers = Vec::with_capacity(positions.len());
    for batch in positions.chunks(BATCH) {
        observer.report(Progress { what: "asking the player", done: answers.len() as u64, total });
        answers.extend(ask(batch)?);
    }
    let step = positions.len().div_ceil(TWICE).max(1);
    let again: Vec<Position> = positions.iter().copied().step_by(step).collect();
    if again.is_empty() {
        return Ok(answers);
    }
    let second = ask(&again)?;
    for (number, then) in second.into_iter().enumerate() {
        if answers[number * step] != then {
            let (position, first) = (again[number], answers.swap_remove(number * step));
            let (first, then) = (words(first), words(then));
            return Err(QueryError::Nondeterministic { position, first, then });
        }
    }
    Ok(answers)
}
