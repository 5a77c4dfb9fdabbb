use super::error::ParseWeightsError;
use super::material::MenValues;
use super::part::{PARTS, Part};
use lucena_base::named::{Named, named};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The phase of a game, from the number of men left, including kings and pawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// 25 to 32 men.
    Opening,
    /// 13 to 24 men.
    MiddleGame,
    /// Up to 12 men.
    Endgame,
}

named!(Phase { "opening": Opening, "middle-game": MiddleGame, "endgame": Endgame });

impl Phase {
    /// The phase with a number of men left.
    pub fn of(men: u32) -> Self {
        match men {
            25.. => Self::Opening,
            13.. => Self::MiddleGame,
            _ => Self::Endgame,
        }
    }
}

/// The weights of the terms of [`super::EightParts`] in each phase, and the values of the men.
///
/// With a weight of 100 a point is worth a hundredth of a pawn. Weights are read and written as
/// JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// The values of the men.
    pub men: MenValues,
    by_part: [[i32; 3]; PARTS],
}

/// The contents of a file, with terms by name.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    evaluation: Option<String>,
    men: MenValues,
    weights: BTreeMap<String, [i32; 3]>,
}

impl Weights {
    /// The name of the evaluation in a file.
    pub(super) const EVALUATION: &str = "parts";

    /// The length of [`Weights::numbers`].
    pub const NUMBERS: usize = 5 + 3 * PARTS;

    /// The weight of a term in a phase.
    pub fn of(&self, part: Part, phase: Phase) -> i32 {
        self.by_part[part as usize][phase as usize]
    }

    /// Replaces one weight.
    #[must_use]
    pub fn with(mut self, part: Part, phase: Phase, weight: i32) -> Self {
        self.by_part[part as usize][phase as usize] = weight;
        self
    }

    /// Reads weights.
    ///
    /// # Errors
    /// If the JSON does not have the right shape, a term is missing or unknown, or a number is out
    /// of range.
    pub fn from_json(json: &[u8]) -> Result<Self, ParseWeightsError> {
        let mut written: Written = serde_json::from_slice(json)?;
        if written.evaluation.as_deref() != Some(Self::EVALUATION) {
            let (found, expected) = (written.evaluation, Self::EVALUATION);
            return Err(ParseWeightsError::Evaluation { found, expected });
        }
        written.men.check()?;
        let mut by_part = [[0; 3]; PARTS];
        for &(name, part) in Part::ALL {
            let weights = written.weights.remove(name).ok_or(ParseWeightsError::Missing(part))?;
            if let Some(&large) = weights.iter().find(|weight| weight.abs() > 10_000) {
                return Err(ParseWeightsError::TooLarge(name.into(), large));
            }
            by_part[part as usize] = weights;
        }
        match written.weights.into_keys().next() {
            Some(unknown) => Err(ParseWeightsError::Unknown(unknown)),
            None => Ok(Self { men: written.men, by_part }),
        }
    }

    /// Writes the weights as readable JSON.
    pub fn to_json(&self) -> String {
        let mut json = self.men.head_of_json(Self::EVALUATION);
        let lines: Vec<String> = Part::ALL
            .iter()
            .map(|&(name, part)| {
                let [opening, middle, end] = self.by_part[part as usize];
                format!("    \"{name}\": [{opening}, {middle}, {end}]")
            })
            .collect();
        json += &lines.join(",\n");
        json + "\n  }\n}\n"
    }

    /// The values of the men and all weights in one list, term by term, as evolution needs them.
    pub fn numbers(&self) -> Vec<i32> {
        self.men.numbers().into_iter().chain(self.by_part.into_iter().flatten()).collect()
    }

    /// The weights from such a list.
    pub fn from_numbers(numbers: &[i32; Self::NUMBERS]) -> Self {
        let (men, weights) = numbers.split_at(5);
        let men = MenValues::from_numbers([men[0], men[1], men[2], men[3], men[4]]);
        let mut by_part = [[0; 3]; PARTS];
        for (of_part, weights) in by_part.iter_mut().zip(weights.chunks_exact(3)) {
            of_part.copy_from_slice(weights);
        }
        Self { men, by_part }
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            men: MenValues::USUAL,
            by_part: [
                [100, 100, 100],
                [300, 300, 200],
                [200, 150, 50],
                [200, 400, 900],
                [200, 250, 400],
                [1000, 800, 0],
                [100, 200, 500],
                [300, 300, 300],
            ],
        }
    }
}
