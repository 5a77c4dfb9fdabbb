//! The experiments of the published studies, one file each.

mod evolve;
mod search;
mod td;
mod truth;

use super::Failure;
use clap::Subcommand;

/// Repeat experiments of published studies, and add the comparisons that they lacked
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena experiment search --depth 5
  lucena experiment truth KRvK --svg truth.svg
  lucena experiment td --runs 3")]
pub(super) struct Experiment {
    #[command(subcommand)]
    which: Which,
}

#[derive(Subcommand)]
enum Which {
    Search(search::ExperimentSearch),
    Truth(truth::ExperimentTruth),
    Td(td::ExperimentTd),
    Evolve(evolve::ExperimentEvolve),
}

impl Experiment {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self.which {
            Which::Search(experiment) => experiment.run(),
            Which::Truth(experiment) => experiment.run(),
            Which::Td(experiment) => experiment.run(),
            Which::Evolve(experiment) => experiment.run(),
        }
    }
}
