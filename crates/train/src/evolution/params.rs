use super::error::EvolutionError;
use lucena_base::named::named;
use serde::Deserialize;

/// How a population evolves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvolutionParams {
    /// How many genomes there are: at least two.
    pub population: usize,
    /// After how many generations it ends: at least one.
    pub generations: u64,
    /// With which probability each gene of a child is changed, from 0 to 1.
    pub mutation: f64,
    /// Where the first generation stands.
    pub start: Start,
    /// The seed of everything that is drawn by lot.
    pub seed: u64,
}

/// Where the first generation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Anywhere: every gene has any of its values.
    Random,
    /// Every gene of the first genome is as near to 0 as it can be; the others are mutants of it.
    Nothing,
    /// The first genome has the usual values; the others are mutants of it.
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
    /// Checks that something can evolve.
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
