use super::mop_up_term::MopUpTerm;
use super::part::Part;
use lucena_base::named::Named;

/// An error in reading weights.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseWeightsError {
    /// The JSON is invalid, or not that of weights.
    #[error(
        "these are not valid weights: {0}; \"lucena evolve parts --generations 1 --out FILE\" writes a file to edit"
    )]
    Json(#[from] serde_json::Error),
    /// The file names no evaluation, or another one.
    #[error(
        "the weights are for {}: say \"evaluation\": \"{expected}\"",
        found.as_ref().map_or("an unnamed evaluation".into(), |found| format!("{found:?}"))
    )]
    Evaluation {
        /// The name found.
        found: Option<String>,
        /// The name expected.
        expected: &'static str,
    },
    /// A term of the eight is missing.
    #[error(
        "the weights have no line for {0}: add three numbers, for opening, middle game and endgame"
    )]
    Missing(Part),
    /// The term is not one of the eight.
    #[error("the weights name {0:?}, which is not a part: the parts are {known}", known = names::<Part>())]
    Unknown(String),
    /// A term of the mop-up has the wrong number of weights.
    #[error("{term} has {found} numbers and not {}: {}", term.values(), term.legend())]
    Values {
        /// The term.
        term: MopUpTerm,
        /// The number of weights found.
        found: usize,
    },
    /// The term is not one of the mop-up.
    #[error("the weights name {0:?}, which is not a term: the terms are {known}", known = names::<MopUpTerm>())]
    UnknownTerm(String),
    /// A number is out of range.
    #[error(
        "{0} is given as {1}: values of men go from 0 to 2000 and weights from -10000 to 10000"
    )]
    TooLarge(String, i32),
}

fn names<N: Named>() -> String {
    N::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}
