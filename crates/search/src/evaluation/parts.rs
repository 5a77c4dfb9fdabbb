use super::material::to_mover;
use super::points::points;
use super::{Evaluation, Part, Phase, Term, Weights};
use lucena_base::named::Named;
use lucena_chess::Board;

/// The largest value, whatever the weights, so that none is taken for a mate.
const MOST: i32 = 25_000;

/// Eight terms, each weighted by the phase of the game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EightParts(pub Weights);

impl Evaluation for EightParts {
    fn name(&self) -> String {
        "parts".into()
    }

    fn evaluate(&self, board: &Board) -> i32 {
        let phase = Phase::of(board.occupied().len());
        let points = points(board, &self.0.men);
        let parts = Part::ALL.iter().zip(points);
        let sum: i32 = parts.map(|(&(_, part), points)| points * self.0.of(part, phase)).sum();
        // Division rounds toward zero, so that the value of a mirrored board is exactly negated.
        to_mover(board, (sum / 100).clamp(-MOST, MOST))
    }

    fn terms(&self, board: &Board) -> Vec<Term> {
        let phase = Phase::of(board.occupied().len());
        let points = points(board, &self.0.men);
        let terms = Part::ALL.iter().zip(points).map(|(&(name, part), points)| {
            let weight = self.0.of(part, phase);
            Term { name, points, weight, value: points * weight / 100 }
        });
        terms.collect()
    }
}
