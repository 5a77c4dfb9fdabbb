//! Asking somebody outside about many positions: in batches, and some of them twice.

use lucena_base::work::{Progress, Stopped, Watch};
use lucena_chess::{IllegalMove, Material, Position};
use lucena_tree::Class;

/// How many positions are asked about at a time.
const BATCH: usize = 1 << 14;

/// About how many positions are asked about a second time.
const TWICE: usize = 1 << 10;

/// Why no policy came of what a player outside was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError<E> {
    /// It failed to answer.
    #[error(transparent)]
    Failed(E),
    /// It has answered more or fewer questions than there were.
    #[error(
        "asked about {asked} positions, the player has given {answered} answers: it must give one for each, in the same order"
    )]
    Unequal {
        /// How many positions it was asked about.
        asked: usize,
        /// How many answers came.
        answered: usize,
    },
    /// It names a class that there is not.
    #[error(
        "in {position} the player answers with class {class}, and there are {classes}, numbered from 0: it must be taught with the classes of this endgame"
    )]
    UnknownClass {
        /// The position that it was asked about.
        position: Position,
        /// What it has said.
        class: Class,
        /// How many classes there are.
        classes: usize,
    },
    /// It plays against the rules.
    #[error("the player has answered with what cannot be played: {0}")]
    Illegal(#[from] IllegalMove),
    /// It does not answer twice alike.
    #[error(
        "asked twice about {position}, the player has answered first {first}, then {then}: it is no function of the position, so nothing can be proved of it; take away what is random in it, or fix the seed"
    )]
    Unsteady {
        /// The position that it was asked about.
        position: Position,
        /// What it said first.
        first: String,
        /// What it said then.
        then: String,
    },
    /// The attributes that it goes by are another material's.
    #[error("the attributes are for {attributes}, the table for {table}")]
    OtherMaterial {
        /// The material of the attributes.
        attributes: Material,
        /// The material of the table.
        table: Material,
    },
    /// Whoever watched did not want to wait.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The answers to questions about all the positions, in their order.
pub(super) fn ask_all<A: Answer, E>(
    positions: &[Position],
    watch: &dyn Watch,
    mut ask: impl FnMut(&[Position]) -> Result<Vec<A>, E>,
) -> Result<Vec<A>, AskError<E>> {
    let mut ask = |positions: &[Position]| {
        watch.go_on()?;
        let answers = ask(positions).map_err(AskError::Failed)?;
        match (positions.len(), answers.len()) {
            (asked, answered) if asked == answered => Ok(answers),
            (asked, answered) => Err(AskError::Unequal { asked, answered }),
        }
    };
    let total = Some(positions.len() as u64);
    let mut answers = Vec::with_capacity(positions.len());
    for batch in positions.chunks(BATCH) {
        watch.tell(Progress { what: "asking the player", done: answers.len() as u64, total });
        answers.extend(ask(batch)?);
    }
    let step = positions.len().div_ceil(TWICE).max(1);
    let again: Vec<Position> = positions.iter().copied().step_by(step).collect();
    if again.is_empty() {
        return Ok(answers);
    }
    let second = ask(&again)?;
    for ((position, first), then) in again.iter().zip(answers.iter().step_by(step)).zip(second) {
        if *first != then {
            let (first, then) = (first.told(), then.told());
            return Err(AskError::Unsteady { position: *position, first, then });
        }
    }
    Ok(answers)
}

/// What somebody may answer.
pub(super) trait Answer: PartialEq {
    /// The answer in words.
    fn told(&self) -> String;
}

impl Answer for Class {
    fn told(&self) -> String {
        format!("class {self}")
    }
}

impl Answer for Option<String> {
    fn told(&self) -> String {
        self.clone().unwrap_or_else(|| "nothing".into())
    }
}
