use super::error::ParseWeightsError;
use super::material::MenValues;
use super::mop_up_term::{MopUpPoints, MopUpTerm, TERMS};
use lucena_base::named::Named;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The weights of the terms of a mop-up, in hundredths of a pawn.
///
/// The JSON form has a number for each term that counts points, and a list for each term with a
/// weight for each of its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MopUpWeights {
    /// The weights by term.
    by_term: [Vec<i32>; TERMS],
}

/// The contents of a file, with terms by name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    evaluation: Option<String>,
    men: MenValues,
    weights: BTreeMap<String, OneOrMore>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(i32),
    More(Vec<i32>),
}

impl MopUpWeights {
    /// The name of the evaluation in a file.
    pub(super) const EVALUATION: &str = "mop-up";

    /// The weights of a term, [`MopUpTerm::values`] of them.
    pub fn of(&self, term: MopUpTerm) -> &[i32] {
        &self.by_term[term as usize]
    }

    /// The points of a term on a board, and the weight of each point.
    pub(super) fn counted(&self, term: MopUpTerm, points: &MopUpPoints) -> (i32, i32) {
        let points = i32::from(points.0[term as usize]);
        match self.of(term) {
            [weight] => (points, *weight),
            weights => (1, weights[points as usize]),
        }
    }

    /// The weighted sum of the terms of a board.
    pub fn sum(&self, points: &MopUpPoints) -> i32 {
        let terms = MopUpTerm::ALL.iter().map(|&(_, term)| self.counted(term, points));
        terms.map(|(points, weight)| points * weight).sum()
    }

    /// All weights in one list, term by term, as evolution needs them.
    pub fn numbers(&self) -> Vec<i32> {
        self.by_term.concat()
    }

    /// The names of [`MopUpWeights::numbers`], such as `approach` or `kings 3`.
    pub fn names() -> Vec<String> {
        let names = MopUpTerm::ALL.iter().flat_map(|&(name, term)| {
            (0..term.values()).map(move |at| match term.values() {
                1 => name.to_owned(),
                _ => format!("{name} {}", at + term.first_value()),
            })
        });
        names.collect()
    }

    /// The weights from such a list; `None` if its length is wrong.
    pub fn from_numbers(numbers: &[i32]) -> Option<Self> {
        let mut left = numbers;
        let mut by_term = [const { Vec::new() }; TERMS];
        for (weights, (_, term)) in by_term.iter_mut().zip(MopUpTerm::ALL) {
            let (own, others) = left.split_at_checked(term.values())?;
            *weights = own.to_vec();
            left = others;
        }
        left.is_empty().then_some(Self { by_term })
    }

    /// Reads weights and the values of the men.
    pub(super) fn from_json(json: &[u8]) -> Result<(MenValues, Self), ParseWeightsError> {
        let mut written: Written = serde_json::from_slice(json)?;
        if written.evaluation.as_deref() != Some(Self::EVALUATION) {
            let (found, expected) = (written.evaluation, Self::EVALUATION);
            return Err(ParseWeightsError::Evaluation { found, expected });
        }
        written.men.check()?;
        let mut by_term = [const { Vec::new() }; TERMS];
        for &(name, term) in MopUpTerm::ALL {
            let weights = match written.weights.remove(name) {
                None => Vec::new(),
                Some(OneOrMore::One(weight)) => vec![weight],
                Some(OneOrMore::More(weights)) => weights,
            };
            if weights.len() != term.values() {
                return Err(ParseWeightsError::Values { term, found: weights.len() });
            }
            if let Some(&large) = weights.iter().find(|weight| weight.unsigned_abs() > 10_000) {
                return Err(ParseWeightsError::TooLarge(name.into(), large));
            }
            by_term[term as usize] = weights;
        }
        match written.weights.into_keys().next() {
            Some(unknown) => Err(ParseWeightsError::UnknownTerm(unknown)),
            None => Ok((written.men, Self { by_term })),
        }
    }

    /// Writes weights and the values of the men as readable JSON.
    pub(super) fn to_json(&self, men: &MenValues) -> String {
        let lines = MopUpTerm::ALL.iter().map(|&(name, term)| match self.of(term) {
            [weight] => format!("    \"{name}\": {weight}"),
            weights => format!("    \"{name}\": {weights:?}"),
        });
        let lines: Vec<String> = lines.collect();
        format!("{}{}\n  }}\n}}\n", men.head_of_json(Self::EVALUATION), lines.join(",\n"))
    }
}

impl Default for MopUpWeights {
    /// These weights were found by evolution, selected by the positions of KRvK that a search of
    /// one ply wins, then pruned and rounded while it still won all of them.
    fn default() -> Self {
        let by_term: [&[i32]; TERMS] = [
            &[900, 800, 650, 450, 200, 0],
            &[95],
            &[300],
            &[340],
            &[30],
            &[0, 520, 0, 0, 0, -300, -220, 0, -250],
            &[0, 200, 150, 100, 0, -50, 0, -400],
            &[100],
            &[100],
            &[200],
            &[-80, 0, 0, 0, 0, 0, 100],
            &[-1350],
        ];
        Self { by_term: by_term.map(<[i32]>::to_vec) }
    }
}
