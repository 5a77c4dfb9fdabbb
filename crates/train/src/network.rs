use super::sums::add_up;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A network of two layers over binary inputs: inputs, hidden units, one output. There are no
/// biases; every unit, hidden or not, is 1 / (1 + e^(−βx)) of the weighted sum x of its inputs. The
/// output, between 0 and 1, is the *prediction* of a game's outcome.
///
/// ```
/// use lucena_train::{Network, Shape};
///
/// let mut network = Network::new(Shape { inputs: 768, hidden: 27 }, 1.0, 1);
/// let set = [3, 17, 500];
/// let before = network.predict(&set);
/// network.learn(&set, 0.1);
/// assert!(network.predict(&set) > before);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    shape: Shape,
    beta: f32,
    weights: Weights,
}

/// The size of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The number of inputs.
    pub inputs: usize,
    /// The number of hidden units, from 1 to [`Shape::MAX_HIDDEN`].
    pub hidden: usize,
}

impl Shape {
    /// The largest number of hidden units.
    pub const MAX_HIDDEN: usize = 64;
}

/// The weights of a network, or a change to add to them.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// From input 0 to all hidden units, from input 1 to all hidden units, ...
    pub hidden: Vec<f32>,
    /// From each hidden unit to the output.
    pub output: Vec<f32>,
}

/// A number for each hidden unit.
type Units = [f32; Shape::MAX_HIDDEN];

/// The weighted sums of the hidden units for the active inputs. Setting or clearing an input costs
/// one addition per hidden unit.
#[derive(Debug, Clone)]
pub struct HiddenSums(Units);

/// The change for the weights that an input takes part in.
struct Gradient {
    hidden: Units,
    output: Units,
}

impl Network {
    /// A network with small random weights, uniform between −0.1 and 0.1, drawn from a seed.
    ///
    /// # Panics
    /// If the shape has no hidden units, or more than [`Shape::MAX_HIDDEN`].
    pub fn new(shape: Shape, beta: f32, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut draw = |count: usize| (0..count).map(|_| rng.gen_range(-0.1..0.1)).collect();
        let hidden = draw(shape.inputs * shape.hidden);
        Self::from_weights(shape, beta, Weights { hidden, output: draw(shape.hidden) })
    }

    /// The network with these weights.
    ///
    /// # Panics
    /// If the number of weights does not match the shape, or the number of hidden units is out of
    /// range.
    pub fn from_weights(shape: Shape, beta: f32, weights: Weights) -> Self {
        let Shape { inputs, hidden } = shape;
        assert!((1..=Shape::MAX_HIDDEN).contains(&hidden), "{hidden} hidden units");
        assert_eq!(weights.hidden.len(), inputs * hidden, "weights from the inputs");
        assert_eq!(weights.output.len(), hidden, "weights to the output");
        Self { shape, beta, weights }
    }

    /// The numbers of inputs and hidden units.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The steepness β of the units.
    pub fn beta(&self) -> f32 {
        self.beta
    }

    /// The weights of the network.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The prediction for the active inputs.
    ///
    /// # Panics
    /// If an input is out of range.
    #[inline]
    pub fn predict(&self, set: &[u32]) -> f32 {
        self.output(&self.sums(set))
    }

    /// The sums of the hidden units for the active inputs.
    ///
    /// # Panics
    /// If an input is out of range.
    #[inline]
    pub fn sums(&self, set: &[u32]) -> HiddenSums {
        let mut sums = HiddenSums([0.0; Shape::MAX_HIDDEN]);
        for &input in set {
            self.set(&mut sums, input);
        }
        sums
    }

    /// Sets an input that was not set.
    #[inline]
    pub fn set(&self, sums: &mut HiddenSums, input: u32) {
        for (sum, weight) in sums.0.iter_mut().zip(self.row(input)) {
            *sum += weight;
        }
    }

    /// Clears an input that was set.
    #[inline]
    pub fn clear(&self, sums: &mut HiddenSums, input: u32) {
        for (sum, weight) in sums.0.iter_mut().zip(self.row(input)) {
            *sum -= weight;
        }
    }

    /// The prediction from the sums of the hidden units.
    #[inline]
    pub fn output(&self, sums: &HiddenSums) -> f32 {
        let mut units = sums.0;
        self.activate(&mut units)
    }

    /// Moves the weights by `step` times the gradient of the prediction for the active inputs.
    ///
    /// # Panics
    /// If an input is out of range.
    pub fn learn(&mut self, set: &[u32], step: f32) {
        let slopes = self.slopes(set, step);
        self.weights.add_slopes(self.shape, set, &slopes);
    }

    /// Learns from a game by TD(λ). The game is given by the active inputs at each prediction, and
    /// by its outcome. With P for a prediction, P' for the next one (or the outcome after the last)
    /// and ∇P for the gradient, the published rule is, for each prediction in turn,
    ///
    /// > e ← λe + ∇P, Δw ← Δw + α(P' − P)e.
    ///
    /// The weights do not change before the game has ended, so the total change is the sum over all
    /// predictions of α∇P times the sum of the later differences P' − P, each discounted by another
    /// factor λ. This is computed from the last prediction to the first.
    ///
    /// # Panics
    /// If an input is out of range.
    pub fn learn_game(&mut self, game: &[Vec<u32>], outcome: f32, alpha: f32, lambda: f32) {
        let mut change = Weights::zero(self.shape);
        let (mut next, mut differences) = (outcome, 0.0);
        for set in game.iter().rev() {
            let prediction = self.predict(set);
            differences = next - prediction + lambda * differences;
            next = prediction;
            change.add_slopes(self.shape, set, &self.slopes(set, alpha * differences));
        }
        self.weights.add(&change);
    }

    /// `step` times the gradient of the prediction for the active inputs.
    fn slopes(&self, set: &[u32], step: f32) -> Gradient {
        let mut units = self.sums(set).0;
        let prediction = self.activate(&mut units);
        let slope = step * self.beta * prediction * (1.0 - prediction);
        let mut slopes = Gradient { hidden: units, output: units };
        for (at, unit) in units.iter().enumerate().take(self.shape.hidden) {
            slopes.output[at] = slope * unit;
            slopes.hidden[at] = slope * self.weights.output[at] * self.beta * unit * (1.0 - unit);
        }
        slopes
    }

    /// Turns sums into units, in place, and returns the prediction.
    #[inline]
    fn activate(&self, units: &mut Units) -> f32 {
        let units = &mut units[..self.shape.hidden];
        sigmoid(self.beta, units);
        let terms = units.iter().zip(&self.weights.output).map(|(unit, weight)| unit * weight);
        let mut output = [terms.sum()];
        sigmoid(self.beta, &mut output);
        output[0]
    }

    /// The weights from an input to all hidden units.
    #[inline]
    fn row(&self, input: u32) -> &[f32] {
        let first = input as usize * self.shape.hidden;
        &self.weights.hidden[first..first + self.shape.hidden]
    }
}

impl Weights {
    /// All zero.
    fn zero(Shape { inputs, hidden }: Shape) -> Self {
        Self { hidden: vec![0.0; inputs * hidden], output: vec![0.0; hidden] }
    }

    /// Returns true if all weights are numbers that can be added up.
    pub(super) fn have_numbers(&self) -> bool {
        add_up(&self.hidden) && add_up(&self.output)
    }

    fn add(&mut self, change: &Self) {
        add(&mut self.hidden, &change.hidden);
        add(&mut self.output, &change.output);
    }

    /// Adds to the weights that the active inputs take part in.
    fn add_slopes(&mut self, shape: Shape, set: &[u32], slopes: &Gradient) {
        add(&mut self.output, &slopes.output);
        for &input in set {
            let first = input as usize * shape.hidden;
            add(&mut self.hidden[first..first + shape.hidden], &slopes.hidden);
        }
    }
}

/// Adds a change to each of the weights.
#[inline]
fn add(weights: &mut [f32], change: &[f32]) {
    for (weight, by) in weights.iter_mut().zip(change) {
        *weight += by;
    }
}

/// Replaces every value x by 1 / (1 + e^(−βx)).
///
/// The exponential is computed here, by a shift and a polynomial, so that it is the same on every
/// machine and vectorises; it is accurate to six digits.
#[inline]
pub(super) fn sigmoid(beta: f32, values: &mut [f32]) {
    for value in values {
        *value = 1.0 / (1.0 + exp(-beta * *value));
    }
}

/// e to the power of x, to six digits; clamped where a sigmoid is 0 or 1 anyway.
#[inline]
fn exp(x: f32) -> f32 {
    /// Adding this to a number and subtracting it again rounds to the nearest integer.
    const ROUND: f32 = 12_582_912.0;
    /// The Taylor series of 2 to the power of x, the highest power first.
    const SERIES: [f32; 7] = [
        0.000_154_035_3,
        0.001_333_355_8,
        0.009_618_129,
        0.055_504_11,
        0.240_226_5,
        std::f32::consts::LN_2,
        1.0,
    ];
    let power = (x * std::f32::consts::LOG2_E).clamp(-120.0, 120.0);
    let shifted = power + ROUND;
    let rest = power - (shifted - ROUND);
    let series = SERIES.into_iter().fold(0.0, |sum, term| sum * rest + term);
    // The integer part stands in the last bits; it is added to the exponent.
    f32::from_bits(series.to_bits().wrapping_add(shifted.to_bits() << 23))
}

#[cfg(test)]
mod tests {
    use super::{exp, sigmoid};

    #[test]
    fn the_exponential_is_right_to_six_digits() {
        for step in -8_000..=8_000 {
            let x = f64::from(step) / 100.0;
            let error = f64::from(exp(x as f32)) / (f64::from(x as f32)).exp() - 1.0;
            assert!(error.abs() < 1e-6 * x.abs().max(1.0), "{x}: {error}");
        }
    }

    #[test]
    fn the_sigmoid_ends_at_0_and_1() {
        let mut values = [f32::MIN, -1e3, 0.0, 1e3, f32::MAX];
        sigmoid(5.0, &mut values);
        assert_eq!(values[2..], [0.5, 1.0, 1.0]);
        assert!(values[..2].iter().all(|&value| (0.0..1e-30).contains(&value)));
    }
}
