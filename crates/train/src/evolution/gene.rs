use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// The most that a mutation adds to a number or takes from it.
pub const LARGEST_STEP: i32 = 50;

/// One of the numbers that evolve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gene {
    /// What it is, as `rook` or `kings 3`.
    pub name: String,
    /// What it is as usual: where a population starts that does not start anywhere.
    pub usual: i32,
    /// The least that it can be.
    pub least: i32,
    /// The most that it can be. A gene that cannot change has its usual value for both.
    pub most: i32,
}

impl Gene {
    /// A gene that changes.
    pub fn new(name: impl Into<String>, usual: i32, least: i32, most: i32) -> Self {
        Self { name: name.into(), usual, least, most }
    }

    /// A gene that keeps its value.
    pub fn fixed(name: impl Into<String>, value: i32) -> Self {
        Self::new(name, value, value, value)
    }

    /// Whether it keeps its value.
    pub fn is_fixed(&self) -> bool {
        self.least == self.most
    }

    /// Any value that it can have.
    pub(super) fn random(&self, rng: &mut ChaCha8Rng) -> i32 {
        rng.gen_range(self.least..=self.most)
    }

    /// A value not far from one that it has.
    fn near(&self, value: i32, rng: &mut ChaCha8Rng) -> i32 {
        let step = rng.gen_range(-LARGEST_STEP..=LARGEST_STEP);
        value.saturating_add(step).clamp(self.least, self.most)
    }
}

/// A child of two genomes: the first genes, up to a point, are those of the one, the others those of
/// the other.
///
/// ```
/// use lucena::train::crossover;
///
/// assert_eq!(crossover(&[1, 2, 3], &[4, 5, 6], 1), [1, 5, 6]);
/// ```
pub fn crossover(one: &[i32], other: &[i32], point: usize) -> Vec<i32> {
    one.iter().take(point).chain(other.iter().skip(point)).copied().collect()
}

/// Adds a number from −50 to 50 to each gene that can change, with some probability.
pub(super) fn mutate(genome: &mut [i32], genes: &[Gene], probability: f64, rng: &mut ChaCha8Rng) {
    for (value, gene) in genome.iter_mut().zip(genes) {
        if !gene.is_fixed() && rng.gen_bool(probability) {
            *value = gene.near(*value, rng);
        }
    }
}
