use super::Failure;
use crate::cli::output::{Bar, Report, write};
use lucena::experiment::{Positions, SearchExperiment};
use lucena::report;
use lucena::roster::EvaluationName;
use lucena_files::load;
use std::path::{Path, PathBuf};

/// Measure what each part of a search is worth: nodes and time with it and without it
///
/// Compares four plain algorithms, alpha-beta with each refinement alone, with all of them, and with all
/// but one. Nodes are the same on every machine. Each setting is searched as deep as --most-nodes allows.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena experiment search
  lucena experiment search --depth 6 --most-nodes 1000000000 --csv search.csv --svg search.svg
  lucena experiment search --positions endgames --format json")]
pub(super) struct ExperimentSearch {
    /// bratko-kopec: 24 positions of whole games; endgames: ten of few men; or a file with an EPD or FEN in
    /// each line
    #[arg(long, value_name = "NAME", default_value = "bratko-kopec")]
    positions: String,
    /// The maximum depth, in plies
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64))]
    depth: u8,
    /// A setting goes no deeper if that would take more nodes over all positions
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    most_nodes: u64,
    /// The evaluation at the leaves: material, parts, mop-up, complete, or a file of weights
    #[arg(long, value_name = "EVAL", default_value = "complete")]
    eval: EvaluationName,
    /// Also write the rows as csv
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Also draw nodes by depth
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    report: Report,
}

impl ExperimentSearch {
    pub(super) fn run(self) -> Result<(), Failure> {
        let positions = match self.positions.as_str() {
            "bratko-kopec" => Positions::bratko_kopec(),
            "endgames" => Positions::endgames(),
            file => load(Path::new(file), |bytes| {
                Positions::parse(file, &String::from_utf8_lossy(bytes))
            })?,
        };
        let experiment = SearchExperiment {
            positions,
            evaluation: self.eval.load()?,
            depth: self.depth,
            most_nodes: self.most_nodes,
        };
        let measured = report::experiment_search(&experiment, &Bar::new())?;
        if let Some(path) = &self.csv {
            write(path, &measured.to_csv())?;
        }
        if let Some(path) = &self.svg {
            write(path, measured.chart().to_svg().as_bytes())?;
        }
        self.report.write(&measured, |out| measured.write_text(out))
    }
}
