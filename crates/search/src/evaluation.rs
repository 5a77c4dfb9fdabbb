//! Static evaluation of boards, in hundredths of a pawn.
//!
//! All values are integers and symmetric: a board with the colours exchanged has the same value for
//! the side to move.

mod eight_terms;
mod material;
mod mop_up;
mod mop_up_term;

use cozy_chess::{get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves};
use lucena_base::named::Named;
use lucena_base::text::{EncodingError, decode};
use lucena_chess::{Bitboard, Board, Color, Role};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

pub use eight_terms::{EightTerms, EvaluationTerm, Phase, Weights};
pub use material::{Material, MenValues};
pub use mop_up::{MopUp, MopUpWeights};
pub use mop_up_term::{MopUpPoints, MopUpTerm, room};

/// A static evaluation of boards.
pub trait Evaluation: Send + Sync {
    /// A name for people.
    fn name(&self) -> String;

    /// The value of the board for the side to move, in hundredths of a pawn. The same board with
    /// the colours exchanged has the same value. Values stay below 29,000: scores above are known wins and mates.
    fn evaluate(&self, board: &Board) -> i32;

    /// The terms that add up to the value; empty if the evaluation has none. The value of a board is
    /// rounded only once, so the sum of the terms may differ slightly.
    fn terms(&self, _board: &Board) -> Vec<TermValue> {
        Vec::new()
    }
}

/// A term of the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "TermReport")]
pub struct TermValue {
    /// The name of the term.
    #[serde(rename = "part")]
    pub name: &'static str,
    /// White's points minus Black's.
    pub points: i32,
    /// The weight of a point in this phase of the game: at 100, a point is a centipawn.
    pub weight: i32,
    /// Points times weight, for White.
    pub value: i32,
}

/// The eight terms, or the mop-up once a king is bare and can be mated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CombinedEvaluation {
    /// The evaluation for all other boards.
    pub parts: EightTerms,
    /// The evaluation for a bare king.
    pub mop_up: MopUp,
}

impl Evaluation for CombinedEvaluation {
    fn name(&self) -> String {
        "complete".into()
    }

    fn evaluate(&self, board: &Board) -> i32 {
        self.chosen(board).evaluate(board)
    }

    fn terms(&self, board: &Board) -> Vec<TermValue> {
        self.chosen(board).terms(board)
    }
}

impl CombinedEvaluation {
    /// The evaluation for a board.
    fn chosen(&self, board: &Board) -> &dyn Evaluation {
        let is_bare = |color| board.colors(color).len() == 1;
        let has_bare_king = is_bare(Color::White) || is_bare(Color::Black);
        if has_bare_king && can_mate(board) { &self.mop_up } else { &self.parts }
    }
}

/// Returns true if the material can mate a bare king without promoting a pawn.
fn can_mate(board: &Board) -> bool {
    let has = |role| !board.pieces(role).is_empty();
    let minors = board.pieces(Role::Knight) | board.pieces(Role::Bishop);
    has(Role::Queen) || has(Role::Rook) || minors.len() > 1 && has(Role::Bishop)
}

/// The part of a weights file that names its evaluation; the rest is ignored.
#[derive(Deserialize)]
struct Head {
    evaluation: Option<String>,
}

/// Reads a weights file and returns its evaluation.
///
/// # Errors
/// If the file does not name a known evaluation, or its weights are invalid.
pub fn load_json(json: &[u8]) -> Result<Arc<dyn Evaluation>, ParseWeightsError> {
    let head: Head = serde_json::from_str(decode(json)?)?;
    match head.evaluation.as_deref() {
        Some(eight_terms::EVALUATION) => Ok(Arc::new(EightTerms(Weights::from_json(json)?))),
        Some(mop_up::EVALUATION) => Ok(Arc::new(MopUp::from_json(json)?)),
        _ => Err(ParseWeightsError::Evaluation {
            found: head.evaluation,
            expected: "parts\" or \"mop-up",
        }),
    }
}

/// An error in reading weights.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseWeightsError {
    /// The file is not text in UTF-8.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// The JSON is invalid, or not that of weights.
    #[error(
        "these are not valid weights: {0}; \"lucena evolve parts --generations 1 --out FILE\" writes a file to edit"
    )]
    Json(#[from] serde_json::Error),
    /// The file names no evaluation, or another one.
    #[error(
        "the weights are for {}: write \"evaluation\": \"{expected}\"",
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
    Missing(EvaluationTerm),
    /// The evaluation has no such term.
    #[error("the weights name {found:?}, which is not a {what}: the {what}s are {known}")]
    Unknown {
        /// The name found.
        found: String,
        /// The word for a term of the evaluation.
        what: &'static str,
        /// The known names.
        known: String,
    },
    /// A term of the mop-up has the wrong number of weights.
    #[error("{term} has {found} numbers and not {}: {}", term.values(), term.legend().1)]
    Values {
        /// The term.
        term: MopUpTerm,
        /// The number of weights found.
        found: usize,
    },
    /// A number is out of range.
    #[error(
        "{0} is given as {1}: values of men go from 0 to 2000 and weights from -10000 to 10000"
    )]
    TooLarge(String, i32),
}

/// A file of weights: the values of the men, and the weights of each term by name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawWeights<W> {
    evaluation: Option<String>,
    men: MenValues,
    weights: BTreeMap<String, W>,
}

/// Reads a file of weights. `term` receives the weights of each term in turn, if the file has any;
/// `what` is the word for a term. Returns the values of the men.
fn read_weights<T: Named, W: DeserializeOwned>(
    json: &[u8],
    evaluation: &'static str,
    what: &'static str,
    mut term: impl FnMut(T, Option<W>) -> Result<Vec<i32>, ParseWeightsError>,
) -> Result<MenValues, ParseWeightsError> {
    let RawWeights { evaluation: found, men, mut weights } = serde_json::from_str(decode(json)?)?;
    if found.as_deref() != Some(evaluation) {
        return Err(ParseWeightsError::Evaluation { found, expected: evaluation });
    }
    men.check()?;
    for &(name, value) in T::ALL {
        let weights = term(value, weights.remove(name))?;
        if let Some(&large) = weights.iter().find(|weight| weight.unsigned_abs() > 10_000) {
            return Err(ParseWeightsError::TooLarge(name.into(), large));
        }
    }
    match weights.into_keys().next() {
        Some(found) => {
            let known = T::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            Err(ParseWeightsError::Unknown { found, what, known })
        }
        None => Ok(men),
    }
}

/// Writes a file of weights as readable JSON, with a line for each term.
fn write_weights<T: Named>(
    evaluation: &str,
    men: &MenValues,
    weights: impl Fn(T) -> String,
) -> String {
    let MenValues { pawn, knight, bishop, rook, queen } = men;
    let lines = T::ALL.iter().map(|&(name, term)| format!("    \"{name}\": {}", weights(term)));
    let lines = lines.collect::<Vec<_>>().join(",\n");
    format!(
        "{{\n  \"evaluation\": \"{evaluation}\",\n  \"men\": {{ \"pawn\": {pawn}, \"knight\": {knight}, \"bishop\": {bishop}, \"rook\": {rook}, \"queen\": {queen} }},\n  \"weights\": {{\n{lines}\n  }}\n}}\n"
    )
}

/// The squares attacked by the men of a side other than pawns.
fn attacks(board: &Board, color: Color, occupied: Bitboard) -> Bitboard {
    let own = board.colors(color);
    let queens = board.pieces(Role::Queen);
    let mut attacked = get_king_moves(board.king(color));
    for square in own & board.pieces(Role::Knight) {
        attacked |= get_knight_moves(square);
    }
    for square in own & (board.pieces(Role::Bishop) | queens) {
        attacked |= get_bishop_moves(square, occupied);
    }
    for square in own & (board.pieces(Role::Rook) | queens) {
        attacked |= get_rook_moves(square, occupied);
    }
    attacked
}
