use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// The largest change of a gene by a mutation, up or down.
pub const LARGEST_STEP: i32 = 50;

/// A gene: a number that evolves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gene {
    /// The name, such as `rook` or `kings 3`.
    pub name: String,
    /// The default value, from which a population starts unless it starts at random.
    pub usual: i32,
    /// The smallest value.
    pub least: i32,
    /// The largest value. A fixed gene has the default value for both.
    pub most: i32,
}

impl Gene {
    /// A gene that can change.
    pub fn new(name: impl Into<String>, usual: i32, least: i32, most: i32) -> Self {
        Self { name: name.into(), usual, least, most }
    }

    /// A gene that keeps its value.
    pub fn fixed(name: impl Into<String>, value: i32) -> Self {
        Self::new(name, value, value, value)
    }

    /// Returns true if the gene is fixed.
    pub fn is_fixed(&self) -> bool {
        self.least == self.most
    }

    /// A random value in range.
    pub(super) fn random(&self, rng: &mut ChaCha8Rng) -> i32 {
        rng.gen_range(self.least..=self.most)
    }

    /// A random value near another one.
    fn near(&self, value: i32, rng: &mut ChaCha8Rng) -> i32 {
        let step = rng.gen_range(-LARGEST_STEP..=LARGEST_STEP);
        value.saturating_add(step).clamp(self.least, self.most)
    }
}

/// One-point crossover: a child with the genes of `one` before `point`, and those of `other` from
/// there on.
pub fn crossover(one: &[i32], other: &[i32], point: usize) -> Vec<i32> {
    one.iter().take(point).chain(other.iter().skip(point)).copied().collect()
}

/// Adds a random number from −50 to 50 to each gene that is not fixed, with the given probability.
pub(super) fn mutate(genome: &mut [i32], genes: &[Gene], probability: f64, rng: &mut ChaCha8Rng) {
    for (value, gene) in genome.iter_mut().zip(genes) {
        if !gene.is_fixed() && rng.gen_bool(probability) {
            *value = gene.near(*value, rng);
        }
    }
}
