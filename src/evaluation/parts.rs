use super::material::to_mover;
use super::points::points;
use super::{Evaluation, Part, Phase, Weights};
use crate::chess::Board;
use crate::named::Named;

/// Eight parts, each by its weight in the phase of the game.
///
/// ```
/// use lucena::chess::Game;
/// use lucena::evaluation::{EightParts, Evaluation, Weights};
///
/// let evaluation = EightParts(Weights::default());
/// assert_eq!(evaluation.evaluate(Game::new().board()), 0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EightParts(pub Weights);

/// What one part adds to the value of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartValue {
    /// Which part.
    pub part: Part,
    /// White's points less Black's.
    pub points: i32,
    /// What a point weighs in this phase: 100 for a hundredth of a pawn.
    pub weight: i32,
    /// Points by weight, in hundredths of a pawn, White's point of view. The value of a board is
    /// rounded once, so the parts may add up to one more or less for each of them.
    pub value: i32,
}

impl EightParts {
    /// What the board is worth to White, part by part.
    pub fn parts(&self, board: &Board) -> Vec<PartValue> {
        let phase = Phase::of(board.occupied().len());
        let points = points(board, &self.0.men);
        let parts = Part::ALL.iter().zip(points).map(|(&(_, part), points)| {
            let weight = self.0.of(part, phase);
            PartValue { part, points, weight, value: points * weight / 100 }
        });
        parts.collect()
    }
}

impl Evaluation for EightParts {
    fn name(&self) -> String {
        "parts".into()
    }

    fn evaluate(&self, board: &Board) -> i32 {
        let phase = Phase::of(board.occupied().len());
        let points = points(board, &self.0.men);
        let parts = Part::ALL.iter().zip(points);
        let sum: i32 = parts.map(|(&(_, part), points)| points * self.0.of(part, phase)).sum();
        // Division goes towards nothing, so that the value of a mirrored board is the negated one.
        to_mover(board, sum / 100)
    }
}
