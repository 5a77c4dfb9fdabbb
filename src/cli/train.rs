mod given;
mod human;
mod series;

use super::file_kind::{WEIGHTS, load_as, read_as};
use super::number::{number, number_of};
use super::output::{ProgressDisplay, ReportArgs, check_outputs, note_written};
use super::tables::TableArgs;
use super::{Failure, Result, one_of};
use given::first_given;
use lucena::attributes::Selection;
use lucena::chess::Material;
use lucena::report;
use lucena::train::{
    ChessParams, ChessWeights, DecayingRate, EndgameParams, EndgameWeights, ModelKind,
};
use series::{NetworkKind, SeriesArgs, SeriesCall};
use std::path::PathBuf;
use std::str::FromStr;

/// Train a player on the results of its own games, by TD(λ)
///
/// In an endgame it learns from games against the best defence, and is proved at the end, looking one ply ahead. In
/// chess it learns from games against itself and against random moves, or, with --network, from a series of games
/// against an opponent, which can be you. With the same options and --out, an interrupted run continues where it
/// stopped, and a larger --games of a series adds more. The same seed gives the same file on any machine.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena train KRvK --out krvk.safetensors
  lucena train KRvK --kind pairs --games 300000 --out krvk.json
  lucena train chess --out chess.json
  lucena train chess --network published --opponent random --games 200 --svg td.svg
  lucena train chess --network improved --opponent human --out mine.json
  lucena prove --player trained:krvk.json")]
pub(super) struct Train {
    /// An endgame, or chess
    #[arg(default_value = "KRvK")]
    what: TrainSubject,
    /// Endgame: linear, pairs (of values) or network [default: network]
    #[arg(long, hide_possible_values = true, value_parser = one_of::<ModelKind>())]
    kind: Option<ModelKind>,
    /// Endgame: the sets of attributes [default: all; for pairs strategic]
    #[arg(long, value_delimiter = ',', hide_possible_values = true, value_parser = one_of::<Selection>())]
    attributes: Vec<Selection>,
    /// For a network, the number of hidden units [default: 32]
    #[arg(long, value_name = "N", value_parser = number_of::<usize>("units", ..))]
    hidden: Option<usize>,
    /// The number of games [default: 400000, chess 20000, series 1000]
    #[arg(long, value_name = "N", value_parser = number_of::<u64>("games", 1..))]
    games: Option<u64>,
    /// α: the learning rate at the start; in a series it stays the same
    #[arg(long, alias = "alpha", value_name = "X", value_parser = number::<f64>(..))]
    rate: Option<f64>,
    /// The learning rate at the end
    #[arg(long, value_name = "X", value_parser = number::<f64>(..))]
    last_rate: Option<f64>,
    /// λ: from 0, only the next prediction counts, to 1, only the result
    #[arg(long, value_name = "X", value_parser = number::<f64>(..))]
    lambda: Option<f64>,
    /// The share of random moves [default: 0.1, in a series 0]
    #[arg(long, value_name = "X", value_parser = number::<f64>(..))]
    explore: Option<f64>,
    /// Endgame: the discount of a move [default: 0.93]
    #[arg(long, value_name = "X", value_parser = number::<f64>(..))]
    discount: Option<f64>,
    /// Endgame: the share of replies by the learner, not the best defence
    #[arg(long, value_name = "X", value_parser = number::<f64>(..))]
    doubt: Option<f64>,
    /// Chess: the share of games against random moves
    #[arg(long, value_name = "X", value_parser = number::<f64>(..))]
    random: Option<f64>,
    /// Chess: the number of test games against random moves [default: 1000]
    #[arg(long = "test-games", alias = "tried", value_name = "N", value_parser = number_of::<u64>("games", ..))]
    tried: Option<u64>,
    /// The seed of the games and the first weights
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    /// Start from these weights
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Write the weights regularly and at the end, and continue from them
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ReportArgs,
    // Its heading would hold for what follows.
    #[command(flatten)]
    series: Box<SeriesArgs>,
}

/// The number of test games, if none is given.
const TRIED: u64 = 1_000;

/// The model of an endgame if none is chosen.
const DEFAULT_KIND: ModelKind = ModelKind::Network;

/// The subject of the training.
#[derive(Clone, Copy)]
enum TrainSubject {
    Endgame(Material),
    Chess,
}

impl FromStr for TrainSubject {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "chess" {
            return Ok(Self::Chess);
        }
        let material = text.parse::<Material>();
        material
            .map(Self::Endgame)
            .map_err(|error| format!("{error}; or write chess for whole games"))
    }
}

impl Train {
    pub(super) fn run(self) -> Result<()> {
        if let Some(network) = self.series.network {
            return match self.what {
                TrainSubject::Chess => self.series(network)?.play(),
                TrainSubject::Endgame(_) => Err(of_chess("--network")),
            };
        }
        let out = self.out.as_deref();
        check_outputs(&[("--out", out)])?;
        let report = match self.what {
            TrainSubject::Endgame(material) => {
                let weights = self.endgame(material)?;
                let tablebase = self.tables.solve_quick(material)?;
                report::train_endgame(weights, &tablebase, out, &ProgressDisplay::new())
            }
            TrainSubject::Chess => report::train_chess(
                self.chess()?,
                self.tried.unwrap_or(TRIED),
                out,
                &ProgressDisplay::new(),
            ),
        };
        let report = match out {
            Some(path) => read_as(path, WEIGHTS, || report)?,
            None => report?,
        };
        if let Some(path) = out {
            note_written(path);
        }
        self.report.write(&report, |out| report.write_text(out))
    }

    /// The values of options that are left out, by id.
    #[cfg(feature = "serve")]
    pub(super) fn defaults(&self) -> Vec<(&'static str, String)> {
        if let Some(network) = self.series.network {
            return self.series(network).map_or_else(|_| Vec::new(), |series| series.defaults());
        }
        let (rate, mut defaults) = match self.what {
            TrainSubject::Endgame(_) => {
                let kind = self.kind.unwrap_or(DEFAULT_KIND);
                let usual = EndgameParams::new(kind);
                let defaults = vec![
                    ("kind", kind.to_string()),
                    ("attributes", usual.attributes.to_string()),
                    ("hidden", usual.hidden.to_string()),
                    ("games", usual.games.to_string()),
                    ("lambda", usual.lambda.to_string()),
                    ("explore", usual.explore.to_string()),
                    ("discount", usual.discount.to_string()),
                    ("doubt", usual.doubt.to_string()),
                ];
                (usual.rate, defaults)
            }
            TrainSubject::Chess => {
                let usual = ChessParams::default();
                let defaults = vec![
                    ("games", usual.games.to_string()),
                    ("lambda", usual.lambda.to_string()),
                    ("explore", usual.explore.to_string()),
                    ("random", usual.random.to_string()),
                ];
                (usual.rate, defaults)
            }
        };
        defaults.extend([("rate", rate.first.to_string()), ("last_rate", rate.last.to_string())]);
        defaults
    }

    /// Checks the parameters.
    #[cfg(feature = "serve")]
    pub(super) fn check(&self) -> Result<()> {
        match (self.what, self.series.network) {
            (TrainSubject::Chess, Some(network)) => self.series(network)?.check(),
            (TrainSubject::Endgame(material), _) => self.endgame(material).map(drop),
            (TrainSubject::Chess, None) => self.chess().map(drop),
        }
    }

    /// The initial weights of an endgame.
    fn endgame(&self, material: Material) -> Result<EndgameWeights> {
        let of_games =
            [("--random", self.random.is_some()), ("--test-games", self.tried.is_some())];
        if let Some(option) = first_given(of_games) {
            return Err(of_chess(option));
        }
        let read = |path| load_as(path, WEIGHTS, EndgameWeights::from_bytes);
        let from = self.from.as_deref().map(read).transpose()?;
        let kind = self.kind.unwrap_or(match &from {
            Some(weights) => weights.params().kind,
            None => DEFAULT_KIND,
        });
        let usual = EndgameParams::new(kind);
        let shape = from.as_ref().map_or(&usual, EndgameWeights::params);
        let params = EndgameParams {
            kind,
            attributes: match self.attributes.as_slice() {
                [] => shape.attributes,
                selections => selections.iter().copied().collect(),
            },
            hidden: self.hidden.unwrap_or(shape.hidden),
            rate: self.rate(usual.rate),
            lambda: self.lambda.unwrap_or(usual.lambda),
            discount: self.discount.unwrap_or(usual.discount),
            explore: self.explore.unwrap_or(usual.explore),
            doubt: self.doubt.unwrap_or(usual.doubt),
            games: self.games.unwrap_or(usual.games),
            seed: self.seed,
        };
        match from {
            Some(weights) if weights.material() != material => {
                let trained = weights.material();
                Err(Failure::usage(format!(
                    "the weights to begin with are for {trained}, not {material}: train {trained}, or leave --from out"
                )))
            }
            Some(weights) => Ok(weights.trained_on(params)?),
            None => Ok(EndgameWeights::new(material, params)?),
        }
    }

    /// The initial weights of whole games.
    fn chess(&self) -> Result<ChessWeights> {
        if let Some(option) = first_given(self.of_endgames()) {
            return Err(Failure::usage(format!(
                "{option} is for endgames: leave it out, or train an endgame"
            )));
        }
        let usual = ChessParams::default();
        let params = ChessParams {
            rate: self.rate(usual.rate),
            lambda: self.lambda.unwrap_or(usual.lambda),
            explore: self.explore.unwrap_or(usual.explore),
            random: self.random.unwrap_or(usual.random),
            games: self.games.unwrap_or(usual.games),
            seed: self.seed,
        };
        let read = |path| load_as(path, WEIGHTS, ChessWeights::from_bytes);
        match self.from.as_deref().map(read).transpose()? {
            Some(weights) => Ok(weights.trained_on(params)?),
            None => Ok(ChessWeights::new(params)?),
        }
    }

    /// The series of games that is asked for.
    fn series(&self, network: NetworkKind) -> Result<SeriesCall<'_>> {
        let idle = self.of_endgames().into_iter().chain([
            ("--last-rate", self.last_rate.is_some()),
            ("--random", self.random.is_some()),
            ("--test-games", self.tried.is_some()),
        ]);
        if let Some(option) = first_given(idle) {
            return Err(Failure::usage(format!(
                "{option} does not apply to a series of games against an opponent: leave it out, or leave --network out"
            )));
        }
        Ok(SeriesCall {
            args: &self.series,
            network,
            games: self.games,
            rate: self.rate,
            lambda: self.lambda,
            explore: self.explore,
            seed: self.seed,
            from: self.from.as_deref(),
            out: self.out.as_deref(),
            tables: &self.tables,
            report: &self.report,
        })
    }

    /// The options for endgames, each with true if it is given.
    fn of_endgames(&self) -> [(&'static str, bool); 5] {
        [
            ("--kind", self.kind.is_some()),
            ("--attributes", !self.attributes.is_empty()),
            ("--hidden", self.hidden.is_some()),
            ("--discount", self.discount.is_some()),
            ("--doubt", self.doubt.is_some()),
        ]
    }

    fn rate(&self, usual: DecayingRate) -> DecayingRate {
        let DecayingRate { first, last } = usual;
        DecayingRate { first: self.rate.unwrap_or(first), last: self.last_rate.unwrap_or(last) }
    }
}

/// The refusal of an option of chess for an endgame.
fn of_chess(option: &str) -> Failure {
    Failure::usage(format!("{option} is for chess: leave it out, or train chess"))
}
