use super::Failure;
use crate::cli::output::{Bar, Report, write};
use lucena::report;
use lucena::train::{DuelParams, EvolutionParams};
use std::path::PathBuf;

/// Evolve piece values from several seeds, and compare them with the values of the textbooks
///
/// Each population starts from random values, with pawn and queen fixed. The best member of each then plays
/// against the usual values.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena experiment evolve
  lucena experiment evolve --seeds 10 --generations 60 --csv men.csv --svg men.svg
  lucena experiment evolve --format json")]
pub(super) struct ExperimentEvolve {
    /// Number of seeds, from --seed on
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of members of each population
    #[arg(long, value_name = "N", default_value_t = 8)]
    population: usize,
    /// Number of generations
    #[arg(long, value_name = "N", default_value_t = 15)]
    generations: u64,
    /// Depth of the searches in games, in plies
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    depth: u8,
    /// Number of games that the best member of each population plays against the usual values
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,
    /// Also write a row for each seed and man as csv
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Also draw the mean values by generation
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    report: Report,
}

impl ExperimentEvolve {
    pub(super) fn run(self) -> Result<(), Failure> {
        let params = EvolutionParams {
            population: self.population,
            generations: self.generations,
            seed: self.seed,
            ..EvolutionParams::default()
        };
        let duels = DuelParams { depth: self.depth, ..DuelParams::default() };
        let (seeds, games) = (self.seeds, self.games);
        let repeated = report::experiment_evolve(&params, duels, seeds, games, &Bar::new())?;
        if let Some(path) = &self.csv {
            write(path, &repeated.to_csv())?;
        }
        if let Some(path) = &self.svg {
            write(path, repeated.chart().to_svg().as_bytes())?;
        }
        self.report.write(&repeated, |out| repeated.write_text(out))
    }
}
