use super::Failure;
use crate::cli::output::{Bar, Report, write};
use lucena::report;
use lucena::train::{Trial, TrialsError};
use std::path::PathBuf;

/// Run the published study of TD(λ) in games of chess many times, with controls that it lacked
///
/// A network of 768 inputs, 27 hidden units and one output plays White against random moves and learns from
/// each game. Both interpretations of its inputs are tried, one ply and two plies ahead, each also with
/// learning off. With --keep, an interrupted experiment continues where it stopped.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena experiment td
  lucena experiment td --runs 3 --svg td.svg --csv td.csv
  lucena experiment td --keep td.runs.csv --format json")]
pub(super) struct ExperimentTd {
    /// Number of runs of each trial
    #[arg(long, value_name = "N", default_value_t = 20)]
    runs: u64,
    /// Number of games of each run [default: as published, 1000 and 100]
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// The seed of the first run; each further run adds one
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Save each run to this file when it ends, and skip the runs that the file holds
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Also write the rows as csv
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Also draw the share of games won in the course of a run
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    report: Report,
}

impl ExperimentTd {
    pub(super) fn run(self) -> Result<(), Failure> {
        let all = Trial::all().into_iter();
        let trials: Vec<Trial> =
            all.map(|trial| Trial { games: self.games.unwrap_or(trial.games), ..trial }).collect();
        let keep = self.keep.as_deref();
        let told = report::experiment_td(&trials, self.seed, self.runs, keep, &Bar::new())?;
        if let Some(path) = &self.csv {
            write(path, &told.to_csv())?;
        }
        if let Some(path) = &self.svg {
            write(path, told.chart().to_svg().as_bytes())?;
        }
        self.report.write(&told, |out| told.write_text(out))
    }
}

impl From<TrialsError> for Failure {
    fn from(error: TrialsError) -> Self {
        match error {
            TrialsError::Stopped(stopped) => stopped.into(),
            TrialsError::Load(_) | TrialsError::Write(_) => Self::InputOutput(error.into()),
            error => Self::Usage(error.into()),
        }
    }
}
