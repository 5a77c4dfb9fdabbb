use super::material::{MenValues, to_mover};
use super::mop_up_term::{MopUpPoints, MopUpTerm, TERMS};
use super::{Evaluation, ParseWeightsError, TermValue, read_weights, write_weights};
use lucena_base::named::Named;
use lucena_chess::{Board, Color};
use serde::Deserialize;

/// The name of the evaluation in a file.
pub(super) const EVALUATION: &str = "mop-up";

/// The largest sum of all terms, far below the value of a mate.
const MAX_SCORE: i32 = 15_000;

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
        let mut by_term = [const { Vec::new() }; TERMS];
        let men = read_weights(json, EVALUATION, "term", |term: MopUpTerm, written| {
            let weights = match written {
                None => Vec::new(),
                Some(OneOrMore::One(weight)) => vec![weight],
                Some(OneOrMore::More(weights)) => weights,
            };
            if weights.len() != term.values() {
                return Err(ParseWeightsError::Values { term, found: weights.len() });
            }
            by_term[term as usize].clone_from(&weights);
            Ok(weights)
        })?;
        Ok(Self { men, weights: MopUpWeights { by_term } })
    }

    /// Writes the weights as readable JSON.
    pub fn to_json(&self) -> String {
        write_weights(EVALUATION, &self.men, |term| match self.weights.of(term) {
            [weight] => weight.to_string(),
            weights => format!("{weights:?}"),
        })
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
    pub fn value(&self, more: i32, points: &MopUpPoints) -> i32 {
        more + self.weights.sum(points).clamp(-MAX_SCORE, MAX_SCORE)
    }
}

impl Default for MopUp {
    fn default() -> Self {
        Self { men: MenValues::DEFAULT, weights: MopUpWeights::default() }
    }
}

impl Evaluation for MopUp {
    fn name(&self) -> String {
        EVALUATION.into()
    }

    fn evaluate(&self, board: &Board) -> i32 {
        let Some(strong) = self.strong(board) else { return 0 };
        let more = self.men.balance(board).abs();
        let worth = self.value(more, &MopUpPoints::new(board, strong));
        to_mover(board, if strong == Color::White { worth } else { -worth })
    }

    fn terms(&self, board: &Board) -> Vec<TermValue> {
        let more = self.men.balance(board);
        let mut terms =
            vec![TermValue { name: "material", points: more, weight: 100, value: more }];
        let Some(strong) = self.strong(board) else { return terms };
        let sign = if strong == Color::White { 1 } else { -1 };
        let points = MopUpPoints::new(board, strong);
        terms.extend(MopUpTerm::ALL.iter().map(|&(name, term)| {
            let (points, weight) = self.weights.counted(term, &points);
            let points = sign * points;
            TermValue { name, points, weight: 100 * weight, value: points * weight }
        }));
        terms
    }
}

/// The weights of the terms of a mop-up, in hundredths of a pawn.
///
/// The JSON form has a number for each term that counts points, and a list for each term with a
/// weight for each of its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MopUpWeights {
    /// The weights by term.
    by_term: [Vec<i32>; TERMS],
}

/// The weights of a term in a file.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(i32),
    More(Vec<i32>),
}

impl MopUpWeights {
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
            term.legend().0.map(move |value| match term.values() {
                1 => name.to_owned(),
                _ => format!("{name} {value}"),
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
