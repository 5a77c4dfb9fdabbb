use super::file_kind::read_as;
use super::number::{number, number_of, seconds};
use super::output::{ProgressDisplay, ReportArgs, check_outputs, check_resumable, write_if};
use super::tables::TableArgs;
use super::{Result, one_of};
use lucena::chess::Material;
use lucena::report::{self, SelectionCriterion};
use lucena::train::{
    DuelParams, EvolutionLimits, EvolutionParams, EvolvedWeights, InitialPopulation,
};
use lucena_model::FileKind;
use std::path::PathBuf;
use std::time::Duration;

/// Evolve the weights of an evaluation by duels and selection
///
/// The winner of each duel survives, and a child of winners replaces the loser. Piece values and the weights of the parts are
/// selected by duels: games between two searches, until one has won four. A mop-up evaluation is selected by the proved
/// number of positions of an endgame that a plain search wins with it. The same seed gives the same weights, whatever the
/// number of threads. With --resume, an interrupted run continues where it stopped.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena evolve men --generations 50 --out men.json --svg men.svg
  lucena evolve mop-up --generations 2000 --resume krvk.state --out krvk.json
  lucena prove --player search:depth=1,algorithm=alpha-beta,off=all,eval=krvk.json
  lucena evolve parts --start usual --seed 7 --format json")]
pub(super) struct Evolve {
    /// The weights to evolve: men (piece values), parts (all weights of the eight parts) or mop-up
    #[arg(value_parser = one_of::<EvolvedWeights>())]
    subject: EvolvedWeights,
    /// The endgame whose positions select a mop-up evaluation
    #[arg(long, default_value = "KRvK")]
    material: Material,
    /// The number of members of the population
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = number_of::<usize>("members", 2..))]
    population: usize,
    /// The number of generations [default: 20, without --seconds and --patience]
    #[arg(long, value_name = "N", value_parser = number_of::<u64>("generations", 1..))]
    generations: Option<u64>,
    /// Begin no generation after this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds())]
    seconds: Option<Duration>,
    /// End after N generations in a row without gain
    #[arg(long, value_name = "N", value_parser = number_of::<u64>("generations", 1..))]
    patience: Option<u64>,
    /// The probability with which each gene of a child is changed by −50 to 50
    #[arg(long, value_name = "P", default_value_t = 0.2, value_parser = number::<f64>(..))]
    mutation: f64,
    /// The first generation: random values, or the usual ones
    #[arg(long, default_value = "random", value_parser = one_of::<InitialPopulation>())]
    start: InitialPopulation,
    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    /// The depth of the searches, in plies [default: 2 in games, 1 for a mop-up]
    #[arg(long, value_name = "N", value_parser = number_of::<u8>("plies", 1..=64))]
    depth: Option<u8>,
    /// A duel ends after this many games, drawn ones included
    #[arg(long = "max-games", alias = "most-games", value_name = "N", default_value_t = DuelParams::default().most_games, value_parser = number_of::<u32>("games", 1..))]
    most_games: u32,
    /// Write the weights of the best member to a file, which players accept as eval=FILE
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Save the state to this file after each generation, and continue from it
    #[arg(long = "resume", alias = "state", value_name = "FILE")]
    state: Option<PathBuf>,
    /// Also draw the population over the generations
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Also write every gene of every generation as csv
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ReportArgs,
}

impl Evolve {
    /// The values of options that are left out, by id.
    #[cfg(feature = "serve")]
    pub(super) fn defaults(&self) -> Vec<(&'static str, String)> {
        let mut defaults = vec![("depth", self.usual_depth().to_string())];
        if self.seconds.is_none() && self.patience.is_none() {
            let usual = EvolutionParams::default().generations;
            defaults.push(("generations", usual.to_string()));
        }
        defaults
    }

    /// Checks the sizes and probabilities.
    #[cfg(feature = "serve")]
    pub(super) fn check(&self) -> Result<()> {
        self.params().check()?;
        Ok(())
    }

    fn params(&self) -> EvolutionParams {
        let Self { population, mutation, start, seed, patience, .. } = *self;
        let limits = EvolutionLimits { time: self.seconds, patience };
        let usual = match limits == EvolutionLimits::default() {
            true => EvolutionParams::default().generations,
            false => u64::MAX,
        };
        let generations = self.generations.unwrap_or(usual);
        EvolutionParams { population, generations, mutation, start, seed, limits }
    }

    /// The depth of searches if none is given, in plies.
    fn usual_depth(&self) -> u8 {
        match self.subject {
            EvolvedWeights::MopUp => 1,
            EvolvedWeights::Men | EvolvedWeights::Parts => DuelParams::default().depth,
        }
    }

    pub(super) fn run(self) -> Result<()> {
        check_resumable(("--resume", self.state.as_deref()))?;
        check_outputs(&[
            ("--resume", self.state.as_deref()),
            ("--out", self.out.as_deref()),
            ("--csv", self.csv.as_deref()),
            ("--svg", self.svg.as_deref()),
        ])?;
        let params = self.params();
        let depth = self.depth.unwrap_or_else(|| self.usual_depth());
        let tablebase;
        let selected_by = match self.subject {
            EvolvedWeights::MopUp => {
                tablebase = self.tables.solve_quick(self.material)?;
                SelectionCriterion::Positions(&tablebase, depth)
            }
            EvolvedWeights::Men | EvolvedWeights::Parts => {
                let most_games = self.most_games;
                SelectionCriterion::Duels(DuelParams { depth, most_games, ..DuelParams::default() })
            }
        };
        let state = self.state.as_deref();
        let bar = ProgressDisplay::new();
        let evolve = || report::evolve(self.subject, selected_by, &params, state, &bar);
        let evolved = match state {
            Some(path) => read_as(path, &[FileKind::Evolution], evolve)?,
            None => evolve()?,
        };
        drop(bar);
        write_if(&self.out, || &evolved.weights)?;
        write_if(&self.csv, || evolved.to_csv())?;
        write_if(&self.svg, || evolved.chart().to_svg())?;
        self.report.write(&evolved, |out| evolved.write_text(out))
    }
}
