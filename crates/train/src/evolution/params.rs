use super::error::EvolutionError;
use lucena_base::named::named;
use serde::Deserialize;

/// The parameters of an evolution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvolutionParams {
    /// The number of genomes, at least two.
    pub population: usize,
    /// The number of generations, at least one.
    pub generations: u64,
    /// The probability that a gene of a child mutates, from 0 to 1.
    pub mutation: f64,
    /// The initial population.
    pub start: Start,
    /// The seed of all random choices.
    pub seed: u64,
}

/// The initial population of an evolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Every gene has a random value.
    Random,
    /// Every gene of the first genome is as near to 0 as possible; the others are mutants of it.
    Nothing,
    /// The first genome has the default values; the others are mutants of it.
    Usual,
}

named!(Start { "random": Random, "nothing": Nothing, "usual": Usual });

impl<'de> Deserialize<'de> for Start {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Default for EvolutionParams {
    fn default() -> Self {
        Self { population: 16, generations: 20, mutation: 0.2, start: Start::Random, seed: 1 }
    }
}

impl EvolutionParams {
    /// Checks that the parameters are valid.
    pub(super) fn check(&self) -> Result<(), EvolutionError> {
        if self.population < 2 {
            return Err(EvolutionError::Population(self.population));
        }
        if self.generations == 0 {
            return Err(EvolutionError::Generations);
        }
        if !(0.0..=1.0).contains(&self.mutation) {
            return Err(EvolutionError::Mutation(self.mutation));
        }
        Ok(())
    }
}
