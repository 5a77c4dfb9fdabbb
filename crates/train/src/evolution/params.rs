use lucena_base::named::named;
use lucena_base::progress::Stopped;
use lucena_files::{ReadError, WriteError};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

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
    pub start: InitialPopulation,
    /// The seed of all random choices.
    pub seed: u64,
    /// The limits beside the number of generations.
    pub limits: EvolutionLimits,
}

/// The limits of an evolution beside its number of generations. They do not change what evolves, only how long.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EvolutionLimits {
    /// The time after which no generation begins.
    pub time: Option<Duration>,
    /// The number of generations in a row without gain after which it ends: the best member is no fitter than before or,
    /// in duels, no younger member has won.
    pub patience: Option<u64>,
}

/// The limit that has ended an evolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EvolutionEnd {
    /// The number of generations.
    Generations,
    /// The time.
    Time,
    /// The number of generations without gain.
    NoGain,
}

named!(EvolutionEnd { "generations": Generations, "time": Time, "no-gain": NoGain });

/// The initial population of an evolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InitialPopulation {
    /// Every gene has a random value.
    Random,
    /// Every gene of the first genome is as near to 0 as possible; the others are mutants of it.
    Nothing,
    /// The first genome has the default values; the others are mutants of it.
    Usual,
}

named!(InitialPopulation { "random": Random, "nothing": Nothing, "usual": Usual });

impl<'de> Deserialize<'de> for InitialPopulation {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Default for EvolutionParams {
    fn default() -> Self {
        Self {
            population: 16,
            generations: 20,
            mutation: 0.2,
            start: InitialPopulation::Random,
            seed: 1,
            limits: EvolutionLimits::default(),
        }
    }
}

impl EvolutionParams {
    /// Checks that the parameters are valid.
    ///
    /// # Errors
    /// If the population is too small, there are no generations, or the mutation is not a probability.
    pub fn check(&self) -> Result<(), EvolutionError> {
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

/// An error in an evolution.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvolutionError {
    /// The population is too small for selection.
    #[error("a population of {0} is too small for selection: give it at least 2")]
    Population(usize),
    /// No generations were requested.
    #[error("in 0 generations nothing evolves: ask for at least 1")]
    Generations,
    /// The mutation rate is not a probability.
    #[error("a mutation of {0} is not a probability: give a number from 0 to 1")]
    Mutation(f64),
    /// All genes are fixed.
    #[error("none of the genes can change: leave at least one free")]
    NothingFree,
    /// The state cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The state is invalid.
    #[error(
        "{path}: this is not the state of an evolution, or it is damaged: {reason}; remove the file to start over"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The state belongs to another evolution.
    #[error(
        "{path}: this is the state of another evolution, its {what} differs: use the same settings, or name another file"
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// The setting that differs.
        what: &'static str,
    },
    /// The state cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
