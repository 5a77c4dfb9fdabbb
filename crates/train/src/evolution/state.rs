use super::error::EvolutionError;
use super::gene::Gene;
use super::params::{EvolutionParams, Start};
use super::population::Member;
use super::record::Record;
use lucena_files::{read_file, write_file};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of the file.
const FORMAT: u32 = 1;

/// The settings that identify an evolution. The number of generations is not one of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    format: u32,
    what: String,
    population: usize,
    mutation: f64,
    start: Start,
    seed: u64,
    pub(super) genes: Vec<Gene>,
}

impl Settings {
    pub(super) fn new(what: String, genes: Vec<Gene>, params: &EvolutionParams) -> Self {
        let EvolutionParams { population, mutation, start, seed, .. } = *params;
        Self { format: FORMAT, what, population, mutation, start, seed, genes }
    }

    /// The first difference from other settings; `None` if they are the same.
    fn difference(&self, other: &Self) -> Option<&'static str> {
        let differences = [
            (self.format != other.format, "format"),
            (self.what != other.what, "aim"),
            (self.population != other.population, "population"),
            (self.mutation.to_bits() != other.mutation.to_bits(), "mutation"),
            (self.start != other.start, "start"),
            (self.seed != other.seed, "seed"),
            (self.genes != other.genes, "list of genes"),
        ];
        differences.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what)
    }
}

/// The state of an evolution: everything needed to resume it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    pub(super) settings: Settings,
    pub(super) members: Vec<Member>,
    /// One record for each generation, including the first.
    pub(super) records: Vec<Record>,
}

impl State {
    /// The number of the last generation.
    pub(super) fn generation(&self) -> u64 {
        self.records.len() as u64 - 1
    }

    pub(super) fn read(path: &Path, settings: &Settings) -> Result<Self, EvolutionError> {
        let damaged = |reason: String| EvolutionError::Damaged { path: path.into(), reason };
        let bytes = read_file(path)?;
        let state: Self =
            serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        if let Some(what) = settings.difference(&state.settings) {
            return Err(EvolutionError::Other { path: path.into(), what });
        }
        state.check().map_err(|reason| damaged(reason.into()))?;
        Ok(state)
    }

    /// Checks that an evolution can resume from this state.
    fn check(&self) -> Result<(), &'static str> {
        let Settings { population, genes, .. } = &self.settings;
        let fits = |genome: &Vec<i32>| {
            let has = |(value, gene): (&i32, &Gene)| (gene.least..=gene.most).contains(value);
            genome.len() == genes.len() && genome.iter().zip(genes).all(has)
        };
        if self.members.len() != *population {
            return Err("the number of members differs from its population");
        }
        if !self.members.iter().all(|member| fits(&member.genome)) {
            return Err("the genes of a member are invalid");
        }
        let numbered = (0..).zip(&self.records);
        if self.records.is_empty() || numbered.clone().any(|(at, record)| at != record.generation) {
            return Err("its generations are not numbered from 0");
        }
        let is_whole = |record: &Record| {
            fits(&record.best)
                && record.mean.len() == genes.len()
                && record.spread.len() == genes.len()
        };
        if self.members.iter().any(|member| member.born > self.generation()) {
            return Err("a member was born after the last generation");
        }
        if self.records.iter().all(is_whole) {
            Ok(())
        } else {
            Err("the genes of a generation are invalid")
        }
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), EvolutionError> {
        let json = serde_json::to_vec(self).expect("numbers and texts become JSON");
        write_file(path, &json)?;
        Ok(())
    }
}
