//! The experiments of the published studies.

use super::Result;
use super::file_kind::{load_player, read_as};
use super::number::{number, number_of};
use super::output::{ChartArgs, ProgressDisplay, check_resumable};
use super::tables::TableArgs;
use lucena::chess::Material;
use lucena::experiment::{Positions, SearchExperiment};
use lucena::policy::GeneratedKind;
use lucena::report;
use lucena::roster::{EvaluationName, LoadedPlayer, PlayerName, SearchName, generated_kinds};
use lucena::train::{DuelParams, EvolutionParams, Trial};
use lucena_files::load;
use lucena_model::FileKind;
use std::path::{Path, PathBuf};

/// Repeat published studies with controls, and compare learners, players and searches
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena experiment study
  lucena experiment curve KQvK --svg curve.svg
  lucena experiment search --depth 5
  lucena experiment truth KRvK --svg truth.svg
  lucena experiment td --runs 3")]
pub(super) struct Experiment {
    #[command(subcommand)]
    which: ExperimentVerb,
}

verbs! { ExperimentVerb []:
    Study(super::study::Study),
    Curve(super::curve::Curve),
    Frontier(super::frontier::Frontier),
    Search(ExperimentSearch),
    Truth(ExperimentTruth),
    Td(ExperimentTd),
    Evolve(ExperimentEvolve),
}

impl Experiment {
    pub(super) fn run(self) -> Result<()> {
        self.which.run()
    }

    /// Checks the experiment, without solving anything.
    #[cfg(feature = "serve")]
    pub(super) fn check(&self) -> Result<()> {
        match &self.which {
            ExperimentVerb::Frontier(frontier) => frontier.check(),
            _ => Ok(()),
        }
    }
}

/// Measure the effect of each part of a search: nodes and time with it and without it
///
/// Compares four plain algorithms, alpha-beta with each refinement alone, with all of them, and with all
/// but one. The numbers of nodes are the same on every machine. Each setting is searched as deep as
/// --max-nodes allows.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena experiment search
  lucena experiment search --depth 6 --max-nodes 1000000000 --csv search.csv --svg search.svg
  lucena experiment search --positions endgames --format json")]
struct ExperimentSearch {
    /// bratko-kopec: 24 positions of whole games; endgames: ten of few men; or a file with an EPD or FEN in
    /// each line
    #[arg(long, value_name = "NAME", default_value = "bratko-kopec")]
    positions: String,
    /// The maximum depth, in plies
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number_of::<u8>("plies", 1..=64))]
    depth: u8,
    /// The maximum number of nodes over all positions: a setting is searched no deeper if that would take
    /// more
    #[arg(long = "max-nodes", alias = "most-nodes", value_name = "N", default_value_t = 50_000_000, value_parser = number_of::<u64>("nodes", ..))]
    most_nodes: u64,
    /// The evaluation at the leaves: material, parts, mop-up, complete, or a file of weights
    #[arg(long, value_name = "EVAL", default_value = "complete")]
    eval: EvaluationName,
    #[command(flatten)]
    report: ChartArgs,
}

impl ExperimentSearch {
    fn run(self) -> Result<()> {
        self.report.check_outputs()?;
        let positions = match self.positions.as_str() {
            "bratko-kopec" => Positions::bratko_kopec(),
            "endgames" => Positions::endgames(),
            file => {
                let path = Path::new(file);
                let read = || load(path, |bytes| Positions::parse(file, bytes));
                read_as(path, &[FileKind::Positions], read)?
            }
        };
        let (depth, most_nodes) = (self.depth, self.most_nodes);
        let evaluation = self.eval.load()?;
        let experiment = SearchExperiment { positions, evaluation, depth, most_nodes };
        let measured = report::experiment_search(&experiment, &ProgressDisplay::new())?;
        let (rows, chart) = (&measured.rows, || measured.chart());
        self.report.write(&measured, rows, chart, |out| measured.write_text(out))
    }
}

/// Prove how strong searching, trained and mined players are, and compare the work that they need for a
/// move
///
/// Each player is proved on all positions of the endgame, as by "lucena prove". If none is named, the
/// players are searches of one to --depth plies with material and mop-up evaluations (with all refinements,
/// and with none), and the generated code of this build.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena experiment truth
  lucena experiment truth KRvK --depth 9 --svg truth.svg --csv truth.csv
  lucena experiment truth KRvK --eval mop-up --eval measure:room.json --depth 6
  lucena experiment truth KQvK --player theory --player search:depth=3,eval=mop-up")]
struct ExperimentTruth {
    /// The endgame
    #[arg(default_value = "KRvK")]
    material: Material,
    /// A player to prove; may be given several times
    #[arg(long, value_name = "PLAYER")]
    player: Vec<PlayerName>,
    /// An evaluation to prove at each depth by plain alpha-beta, without refinements: material, parts, mop-up,
    /// complete, a file of weights, or measure:FILE; may be given several times
    #[arg(long, value_name = "EVAL")]
    eval: Vec<EvaluationName>,
    /// The maximum depth of the searches, in plies; players that are named have their own
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number_of::<u8>("plies", 1..=64))]
    depth: u8,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ChartArgs,
}

impl ExperimentTruth {
    fn run(self) -> Result<()> {
        self.report.check_outputs()?;
        let names = match self.player.is_empty() && self.eval.is_empty() {
            true => self.usual()?,
            false => self.by_evaluation().chain(self.player.iter().cloned()).collect(),
        };
        let players: Vec<LoadedPlayer> = names.iter().map(load_player).collect::<Result<_, _>>()?;
        let tablebase = self.tables.solve_quick(self.material)?;
        let report = report::experiment_truth(&players, &tablebase, &ProgressDisplay::new())?;
        let (rows, chart) = (&report.rows, || report.chart());
        self.report.write(&report, rows, chart, |out| report.write_text(out))
    }

    /// Plain alpha-beta with each evaluation that is named, at each depth.
    fn by_evaluation(&self) -> impl Iterator<Item = PlayerName> {
        self.eval.iter().flat_map(|eval| {
            let depths = 1..=self.depth;
            depths.map(|depth| PlayerName::Search(SearchName::plain(depth, eval.clone())))
        })
    }

    fn usual(&self) -> Result<Vec<PlayerName>> {
        let mut names: Vec<String> = Vec::new();
        let kinds = ["eval=material", "eval=mop-up", "algorithm=alpha-beta,off=all,eval=mop-up"];
        for kind in kinds {
            names.extend((1..=self.depth).map(|depth| format!("search:depth={depth},{kind}")));
        }
        // The tree as learned plays as the exact one does.
        let kinds = generated_kinds(self.material);
        let kinds = kinds.filter(|kind| *kind != GeneratedKind::Learned);
        names.extend(kinds.map(|kind| kind.to_string()));
        names.iter().map(|name| Ok(name.parse()?)).collect()
    }
}

/// Run the published study of TD(λ) in games of chess many times, with the controls that it lacked
///
/// A network of 768 inputs, 27 hidden units and one output plays White against random moves and learns from
/// each game. Both interpretations of its inputs are tried, one ply and two plies ahead, each also with
/// learning off. With --resume, an interrupted experiment continues where it stopped.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena experiment td
  lucena experiment td --runs 3 --svg td.svg --csv td.csv
  lucena experiment td --resume td.runs.csv --format json")]
struct ExperimentTd {
    /// The number of runs of each trial
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number_of::<u64>("runs", 1..))]
    runs: u64,
    /// The number of games of each run [default: as published, 1000 and 100]
    #[arg(long, value_name = "N", value_parser = number_of::<u64>("games", 1..))]
    games: Option<u64>,
    /// The seed of the first run; each further run adds one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    /// Save each run to this file when it ends, and skip the runs that the file holds
    #[arg(long = "resume", alias = "keep", value_name = "FILE")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    report: ChartArgs,
}

impl ExperimentTd {
    fn run(self) -> Result<()> {
        let keep = ("--resume", self.keep.as_deref());
        check_resumable(keep)?;
        self.report.check_outputs_and(&[keep])?;
        let all = Trial::all().into_iter();
        let trials: Vec<Trial> =
            all.map(|trial| Trial { games: self.games.unwrap_or(trial.games), ..trial }).collect();
        let keep = self.keep.as_deref();
        let bar = ProgressDisplay::new();
        let run = || report::experiment_td(&trials, self.seed, self.runs, keep, &bar);
        let report = match keep {
            Some(path) => read_as(path, &[FileKind::Runs], run)?,
            None => run()?,
        };
        drop(bar);
        let (rows, chart) = (&report.rows, || report.chart());
        self.report.write(&report, rows, chart, |out| report.write_text(out))
    }
}

/// Evolve piece values from several seeds, and compare them with the values of the textbooks
///
/// Each population starts from random values, with pawn and queen fixed. The best member of each then plays
/// against the usual values.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena experiment evolve
  lucena experiment evolve --seeds 10 --generations 60 --csv men.csv --svg men.svg
  lucena experiment evolve --format json")]
struct ExperimentEvolve {
    /// The number of seeds, from --seed on
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number_of::<u64>("seeds", 1..))]
    seeds: u64,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    /// The number of members of each population
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number_of::<usize>("members", 2..))]
    population: usize,
    /// The number of generations
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = number_of::<u64>("generations", 1..))]
    generations: u64,
    /// The depth of the searches in games, in plies
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_of::<u8>("plies", 1..=64))]
    depth: u8,
    /// The number of games that the best member of each population plays against the usual values
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number_of::<u32>("games", ..))]
    games: u32,
    #[command(flatten)]
    report: ChartArgs,
}

impl ExperimentEvolve {
    fn run(self) -> Result<()> {
        self.report.check_outputs()?;
        let Self { seeds, seed, population, generations, depth, games, .. } = self;
        let usual = EvolutionParams::default();
        let params = EvolutionParams { population, generations, seed, ..usual };
        let duels = DuelParams { depth, ..DuelParams::default() };
        let repeated =
            report::experiment_evolve(&params, duels, seeds, games, &ProgressDisplay::new())?;
        let (rows, chart) = (&repeated.rows, || repeated.chart());
        self.report.write(&repeated, rows, chart, |out| repeated.write_text(out))
    }
}
