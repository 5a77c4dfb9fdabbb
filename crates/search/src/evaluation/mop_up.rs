use super::error::ParseWeightsError;
use super::material::{MenValues, to_mover};
use super::mop_up_term::{MopUpPoints, MopUpTerm};
use super::mop_up_weights::MopUpWeights;
use super::value::{Evaluation, Term};
use lucena_base::named::Named;
use lucena_chess::{Board, Color};

/// The largest sum of all terms, far below the value of a mate.
const MOST: i32 = 15_000;

/// Measures the progress in mating a bare king: material, and terms that drive the king into a
/// mate.
///
/// ```
/// use lucena_chess::Game;
/// use lucena_search::evaluation::{Evaluation, MopUp};
///
/// let near: Game = "8/8/8/8/8/2K5/1R6/k7 b - - 0 1".parse()?;
/// let far: Game = "8/8/8/3k4/8/8/1R6/K7 b - - 0 1".parse()?;
/// assert!(MopUp::default().evaluate(near.board()) < MopUp::default().evaluate(far.board()));
/// # Ok::<(), lucena_chess::FenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MopUp {
    /// The values of the men.
    pub men: MenValues,
    /// The weights of the terms.
    pub weights: MopUpWeights,
}

impl MopUp {
    /// Reads weights.
    ///
    /// # Errors
    /// If the JSON does not have the right shape, a term is missing or unknown, or a number is out
    /// of range.
    pub fn from_json(json: &[u8]) -> Result<Self, ParseWeightsError> {
        let (men, weights) = MopUpWeights::from_json(json)?;
        Ok(Self { men, weights })
    }

    /// Writes the weights as readable JSON.
    pub fn to_json(&self) -> String {
        self.weights.to_json(&self.men)
    }

    /// The side with more material; `None` if both have the same.
    pub fn strong(&self, board: &Board) -> Option<Color> {
        match self.men.balance(board) {
            0 => None,
            1.. => Some(Color::White),
            _ => Some(Color::Black),
        }
    }

    /// The value of a board for its strong side, from its material advantage and the points of its
    /// terms.
    pub fn worth(&self, more: i32, points: &MopUpPoints) -> i32 {
        more + self.weights.sum(points).clamp(-MOST, MOST)
    }
}

impl Default for MopUp {
    fn default() -> Self {
        Self { men: MenValues::USUAL, weights: MopUpWeights::default() }
    }
}

impl Evaluation for MopUp {
    fn name(&self) -> String {
        "mop-up".into()
    }

    fn evaluate(&self, board: &Board) -> i32 {
        let Some(strong) = self.strong(board) else { return 0 };
        let more = self.men.balance(board).abs();
        let worth = self.worth(more, &MopUpPoints::of(board, strong));
        to_mover(board, if strong == Color::White { worth } else { -worth })
    }

    fn terms(&self, board: &Board) -> Vec<Term> {
        let more = self.men.balance(board);
        let mut terms = vec![Term { name: "material", points: more, weight: 100, value: more }];
        let Some(strong) = self.strong(board) else { return terms };
        let sign = if strong == Color::White { 1 } else { -1 };
        let points = MopUpPoints::of(board, strong);
        terms.extend(MopUpTerm::ALL.iter().map(|&(name, term)| {
            let (points, weight) = self.weights.counted(term, &points);
            let points = sign * points;
            Term { name, points, weight: 100 * weight, value: points * weight }
        }));
        terms
    }
}
