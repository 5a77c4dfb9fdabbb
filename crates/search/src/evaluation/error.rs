use super::mop_up_term::MopUpTerm;
use super::part::Part;
use lucena_base::named::Named;

/// Why weights cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseWeightsError {
    /// It is no JSON, or not that of weights.
    #[error(
        "these are no weights: {0}; \"lucena evolve parts --generations 1 --out FILE\" writes some, to be edited"
    )]
    Json(#[from] serde_json::Error),
    /// It does not say what the weights are for, or something else.
    #[error(
        "the weights are for {}: say \"evaluation\": \"{expected}\"",
        found.as_ref().map_or("nothing that is named".into(), |found| format!("{found:?}"))
    )]
    Evaluation {
        /// What it says.
        found: Option<String>,
        /// What it could say.
        expected: &'static str,
    },
    /// A part is missing.
    #[error(
        "the weights say nothing of {0}: add a line for it, three numbers for opening, middle game and endgame"
    )]
    Missing(Part),
    /// There is no such part.
    #[error("the weights speak of {0:?}, which is no part: the parts are {known}", known = names::<Part>())]
    Unknown(String),
    /// A term is missing, or has too few numbers or too many.
    #[error("{term} has {found} numbers and not {}: {}", term.values(), term.legend())]
    Values {
        /// The term.
        term: MopUpTerm,
        /// How many numbers there are.
        found: usize,
    },
    /// There is no such term.
    #[error("the weights speak of {0:?}, which is no term: the terms are {known}", known = names::<MopUpTerm>())]
    UnknownTerm(String),
    /// A number is too large to be added up.
    #[error(
        "{0} is given as {1}: values of men go from 0 to 2000 and weights from -10000 to 10000"
    )]
    TooLarge(String, i32),
}

fn names<N: Named>() -> String {
    N::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}
