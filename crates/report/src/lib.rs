//! The reports of the verbs, as data: each has a documented type, which states its units.
//!
//! A function makes a report from a tablebase, a policy or a plan. A report serialises to JSON, has
//! a JSON Schema ([`SCHEMAS`]) and can be written in sentences (`write_text`), as CSV or as a
//! chart. The command line parses, calls and prints; the page and other languages call the same
//! functions.
//!
//! ```
//! use lucena_play::Resistance;
//! use lucena_report::ValidationParams;
//! use lucena_proof::policy::TablebasePlayer;
//! use lucena_tablebase::Tablebase;
//! use lucena_base::progress::NoObserver;
//!
//! let tablebase = Tablebase::solve("KRvK".parse()?);
//! let mut player = TablebasePlayer(&tablebase);
//! let params = ValidationParams { resistance: Resistance::Best, games: 20, seed: 1 };
//! let report = lucena_report::validate(&mut player, &tablebase, params, &NoObserver)?;
//! assert_eq!(report.win_rate, 1.0);
//! assert!(serde_json::to_string(&report)?.starts_with(r#"{"games":20,"won":20,"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod annotated;
mod answer_line;
mod arena;
mod attributes;
mod book;
mod built_in_proofs;
mod check;
mod classifier_metrics;
mod curve;
mod distil;
mod error;
mod evolve;
mod experiment_search;
mod experiment_td;
mod experiment_truth;
mod explain_rules;
mod explain_search;
mod explain_trained;
mod frontier;
mod learn;
mod lichess_entry;
mod measure;
mod mine;
mod outcome_lesson;
mod probe;
mod probe_lines;
mod prove;
mod rule_record;
mod rules;
mod sample;
mod series;
mod solve;
mod strategy;
mod study;
mod thumb;
mod train;
mod verdicts;

use lucena_base::progress::timed;
use lucena_explain::{MeasureExplanation, StrategyExplanation, TableExplanation, TreeExplanation};
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde::Serialize;

pub use annotated::*;
pub use arena::*;
pub use attributes::*;
pub use book::*;
pub use built_in_proofs::*;
pub use check::*;
pub use classifier_metrics::*;
pub use curve::*;
pub use distil::*;
pub use error::ReportError;
pub use evolve::*;
pub use experiment_search::*;
pub use experiment_td::*;
pub use experiment_truth::*;
pub use explain_rules::*;
pub use explain_search::*;
pub use explain_trained::*;
pub use frontier::*;
pub use learn::*;
pub use lichess_entry::*;
pub use lucena_base::plural::{count, grouped, percent};
pub use lucena_play::validation::{Validation, ValidationParams, validate};
pub use measure::*;
pub use mine::*;
pub use outcome_lesson::*;
pub use probe::*;
pub use probe_lines::*;
pub use prove::*;
pub use rule_record::*;
pub use rules::*;
pub use sample::ProofSample;
pub use series::*;
pub use solve::*;
pub use strategy::*;
pub use study::*;
pub use thumb::*;
pub use train::*;
pub use verdicts::*;

/// The explanation of a move, by the kind of player, or of the moves of games.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ExplainReport {
    /// The explanation of a tree's move.
    Tree(Box<TreeExplanation>),
    /// The explanation of a strategy's move.
    Strategy(Box<StrategyExplanation>),
    /// The explanation of a measure's move.
    Measure(Box<MeasureExplanation>),
    /// The explanation of a move by the table, of either side.
    Table(Box<TableExplanation>),
    /// The explanation of a search's move.
    Search(Box<SearchMoveReport>),
    /// The explanation of a trained player's move.
    Trained(Box<TrainedMoveReport>),
    /// What rules say of a position whose table is not at hand.
    Rules(Box<RulesMoveReport>),
    /// Annotated games.
    Games(Box<AnnotatedGames>),
}

/// The report of an experiment, by its kind.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ExperimentReport {
    /// The value of each part of a search.
    Search(SearchAblationReport),
    /// The strength of players against their cost.
    Truth(ProofsReport),
    /// The published study of TD(λ), repeated.
    Td(TdReport),
    /// The results of evolution from several seeds.
    Evolve(EvolutionStudyReport),
}

/// The report of training, by its kind.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TrainingReport {
    /// Training in an endgame, or in games of chess against itself.
    Weights(Box<TrainReport>),
    /// A series of games against an opponent.
    Series(Box<SeriesReport>),
}

/// A function that makes a JSON Schema.
pub type MakeSchema = fn() -> Schema;

/// The verbs that report, as they are written after `lucena`, each with the function that makes the JSON Schema of its
/// report. That of a verb is also the one of the verbs below it that have none.
pub const SCHEMAS: &[(&str, MakeSchema)] = &[
    ("mine", schema::<MineReport>),
    ("solve", schema::<SolveReport>),
    ("verify", schema::<VerifyReport>),
    ("probe", schema::<ProbeAnswer>),
    ("explain", schema::<ExplainReport>),
    ("attributes", schema::<AttributesReport>),
    ("dataset", schema::<CheckReport>),
    ("learn", schema::<LearnReport>),
    ("prove", schema::<ProveReport>),
    ("validate", schema::<Validation>),
    ("experiment study", schema::<StudyReport>),
    ("experiment curve", schema::<CurveReport>),
    ("find tree", schema::<DistilReport>),
    ("find strategy", schema::<StrategyReport>),
    ("find measure", schema::<MeasureReport>),
    ("rules", schema::<RuleListReport>),
    ("experiment frontier", schema::<FrontierReport>),
    ("match", schema::<ArenaReport>),
    ("book", schema::<BookReport>),
    ("train", schema::<TrainingReport>),
    ("evolve", schema::<EvolveReport>),
    ("experiment", schema::<ExperimentReport>),
];

/// The schema of a report as it is serialised: absent values are written as null, and no other
/// properties are allowed.
fn schema<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(close).transform(&mut schema);
    schema
}

/// Forbids additional properties in objects whose properties are known.
fn close(schema: &mut Schema) {
    if schema.get("properties").is_some() {
        schema.insert("additionalProperties".into(), false.into());
    }
}

/// A share in per cent, with one decimal place; 100 and 0 are exact, never rounded.
fn tenths(share: f64) -> String {
    match share {
        1.0 => "100".into(),
        0.0 => "0".into(),
        share => format!("{:.1}", (100.0 * share).clamp(0.1, 99.9)),
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The sum of the squared deviations from the mean.
fn squares(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

/// Writes rows of a report as CSV with a header line.
pub fn csv_of<T: Serialize>(rows: &[T]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let in_memory = "writing to memory does not fail";
    for row in rows {
        writer.serialize(row).expect(in_memory);
    }
    writer.into_inner().expect(in_memory)
}
