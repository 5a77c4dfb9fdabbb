use super::super::error::TrainingMismatch;
use super::inputs::ValueFunction;
use super::value_graph::value;
use super::weights::EndgameWeights;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, Position, Side, Step};
use lucena_proof::policy::{Policy, choose_canonically};
use lucena_tablebase::{Index, Tablebase};
use rayon::prelude::*;

/// Plays an endgame by learned weights, looking one ply ahead: the move with the highest value.
/// Captures and promotions are valued by a table, mates and stalemates by the rules. Among equal
/// moves it plays the first in the order of [`Position::moves`] on the canonical board, so that the
/// choice is the same on symmetric boards.
///
/// ```
/// use lucena_proof::policy::Policy;
/// use lucena_tablebase::Tablebase;
/// use lucena_train::{EndgameParams, EndgameWeights, ModelKind, LearnedPolicy};
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let weights = EndgameWeights::new("KRvK".parse()?, EndgameParams::new(ModelKind::Linear))?;
/// let policy = LearnedPolicy::new(&weights, &tablebase)?;
/// // It knows nothing, but a mate is a mate.
/// let position = "7R/8/8/8/8/1K6/8/1k6 w - - 0 1".parse()?;
/// assert_eq!(policy.choose(&position).unwrap().to_string(), "h8h1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LearnedPolicy<'t> {
    name: String,
    tablebase: &'t Tablebase,
    index: Index,
    discount: f32,
    /// By number, with the weak side to move: the value for the strong side.
    values: Vec<f32>,
}

impl<'t> LearnedPolicy<'t> {
    /// The policy that plays by the given weights.
    ///
    /// # Errors
    /// If the table is of another endgame.
    pub fn new(
        weights: &EndgameWeights,
        tablebase: &'t Tablebase,
    ) -> Result<Self, TrainingMismatch> {
        let (material, table) = (weights.material(), tablebase.material());
        if material != table {
            return Err(TrainingMismatch::Endgame { material, table });
        }
        let index = Index::new(material, Group::new(material));
        let discount = weights.params.discount as f32;
        let value = |set: &mut Vec<u32>, at| match index.position(at, Side::Weak) {
            None => 0.0,
            Some(position) if position.is_checkmate() => 1.0,
            Some(position) if position.is_stalemate() => 0.0,
            Some(position) => {
                weights.inputs.set(&weights.inputs.row(&position), set);
                weights.function.predict(set)
            }
        };
        let values = (0..index.len()).into_par_iter().map_init(Vec::new, value).collect();
        let name = match weights.function {
            ValueFunction::Linear(_) => "learned weights",
            ValueFunction::Network(_) => "learned network",
        };
        Ok(Self { name: name.into(), tablebase, index, discount, values })
    }

    /// The value of each move of the strong side in the order of [`Position::moves`]: 1 for mate at once, less the
    /// longer it takes, 0 for no mate. Empty in other positions.
    pub fn predictions(&self, position: &Position) -> Vec<(Move, f32)> {
        let mut predictions = Vec::new();
        if position.turn() == Side::Strong && position.material() == self.material() {
            position.visit_steps(|step| {
                let value = self.value(step, &position.after(step));
                predictions.push((position.to_move(step), value));
            });
        }
        predictions
    }

    /// The value after a step.
    fn value(&self, step: Step, after: &Position) -> f32 {
        if step.converts() {
            let outcome = self.tablebase.outcome(after);
            // It is the opponent's turn, no matter which side is called strong there.
            return value(outcome, Side::Weak, self.discount);
        }
        self.values[self.index.of(after)]
    }
}

impl Policy for LearnedPolicy<'_> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn material(&self) -> Material {
        self.tablebase.material()
    }

    fn symmetries(&self) -> Group {
        Group::new(self.material())
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        if position.turn() != Side::Strong || position.material() != self.material() {
            return None;
        }
        choose_canonically(self.symmetries(), position, |position| {
            let mut best: Option<(f32, Step)> = None;
            position.visit_steps(|step| {
                let value = self.value(step, &position.after(step));
                if best.is_none_or(|(most, _)| value > most) {
                    best = Some((value, step));
                }
            });
            best.map(|(_, step)| position.to_move(step))
        })
    }
}
