//! The reports of the verbs, as data: a documented type for each, which states its units.
//!
//! A function makes a report from a tablebase, a policy or a plan. A report is serialised as it
//! stands, describes itself by a JSON Schema ([`SCHEMAS`]) and is written in sentences
//! (`write_text`), as CSV or as a chart. The command line parses, calls and prints; the page and
//! other languages call the same functions.
//!
//! ```
//! use lucena_play::Resistance;
//! use lucena_proof::policy::TablebasePlayer;
//! use lucena_tablebase::Tablebase;
//! use lucena_base::work::Unwatched;
//!
//! let tablebase = Tablebase::solve("KRvK".parse()?);
//! let mut player = TablebasePlayer(&tablebase);
//! let report = lucena_report::validate(&mut player, &tablebase, Resistance::Best, 20, 1, &Unwatched)?;
//! assert_eq!(report.win_rate, 1.0);
//! assert!(serde_json::to_string(&report)?.starts_with(r#"{"games":20,"won":20,"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adviser;
mod annotated;
mod arena;
mod arena_strong;
mod attribute_chapter;
mod attributes;
mod book;
mod check;
mod curve;
mod distil;
mod evolve;
mod experiment;
mod experiment_evolve;
mod experiment_search;
mod experiment_td;
mod experiment_truth;
mod explain;
mod explain_strategy;
mod explained;
mod field;
mod frontier;
mod frontier_chart;
mod judged;
mod judged_chart;
mod learn;
mod mainline;
mod mine;
mod printed;
mod probe;
mod prove;
mod ruled_out;
mod rules_used;
mod searched;
mod solve;
mod standing;
mod strategy;
mod study;
mod train;
mod verify;
mod weighed;

use lucena_base::work::timed;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde::Serialize;

pub use adviser::{Advice, Adviser};
pub use annotated::{AnnotatedGame, AnnotatedGames, AnnotatedMove, SideAnnotated};
pub use arena::{Contested, ContestedEnd, ContestedFault, ContestedPair, ContestedPlayer, arena};
pub use arena_strong::ContestedStrong;
pub use attribute_chapter::attribute_chapter;
pub use attributes::{
    Listed, ListedAttribute, ListedClash, ListedClass, ListedSubset, Part, Sufficed,
    SufficiencyError, SufficiencyParams, attributes,
};
pub use book::{Booked, BookedMove, MakeBookError, make_book};
pub use check::{CompareError, Compared, check};
pub use curve::{Curved, CurvedPoint, curve};
pub use distil::Found;
pub use evolve::{Evolved, EvolvedGene, EvolvedGeneration, SelectedBy, evolve};
pub use experiment::Experimented;
pub use experiment_evolve::{EvolutionRepeated, EvolutionsRepeated, ManEvolved, experiment_evolve};
pub use experiment_search::{SearchMeasured, SearchesMeasured, experiment_search};
pub use experiment_td::{TdRow, TdTold, experiment_td};
pub use experiment_truth::{TruthTold, TruthsTold, experiment_truth};
pub use explain::{Explained, ExplainedOther, ExplainedStep, Parting};
pub use explain_strategy::{ExplainedKey, PassedRule, StrategyExplained};
pub use explained::ExplainedMove;
pub use frontier::{Explored, ExploredPoint, ExploredSeries, frontier};
pub use judged::{Judged, JudgedClass};
pub use learn::{CrossValidated, Learned, learn};
pub use lucena_base::words::{count, grouped, percent};
pub use lucena_play::validation::{Validation, validate};
pub use mainline::Mainline;
pub use mine::{CODE_LEAVES, MineError, MineParams, Mined, MinedStrategy, Step, mine};
pub use printed::Layout;
pub use probe::{Probed, ProbedBesides, ProbedMove, probe, probe_lines};
pub use prove::{Besides, Checked, Followed, Proved, ProvedError, Worth, prove, write_moves};
pub use ruled_out::{KeyParting, RuledOut};
pub use rules_used::RuleUsed;
pub use searched::{JudgedPart, Searched, searched};
pub use solve::{SideCounts, Solved};
pub use standing::{Category, Standing, dtm};
pub use strategy::{ListTold, ListsTried, PartTold, StrategyFound, StrategyTold};
pub use study::{Studied, StudiedRow, study};
pub use train::{GamesTold, TrainedError, TrainedTold, train_chess, train_endgame};
pub use verify::{Verified, VerifiedEndgame};
pub use weighed::{ChosenMove, MoveWorth};

/// A function that makes a JSON Schema.
pub type MakeSchema = fn() -> Schema;

/// The verbs that report, each with the function that makes the JSON Schema of its report.
pub const SCHEMAS: &[(&str, MakeSchema)] = &[
    ("mine", schema::<Mined>),
    ("solve", schema::<Solved>),
    ("verify", schema::<Verified>),
    ("probe", schema::<Probed>),
    ("explain", schema::<ExplainedMove>),
    ("check", schema::<Compared>),
    ("attributes", schema::<Listed>),
    ("learn", schema::<Learned>),
    ("prove", schema::<Proved>),
    ("validate", schema::<Validation>),
    ("study", schema::<Studied>),
    ("curve", schema::<Curved>),
    ("distil", schema::<Found>),
    ("strategy", schema::<StrategyTold>),
    ("frontier", schema::<Explored>),
    ("match", schema::<Contested>),
    ("book", schema::<Booked>),
    ("train", schema::<TrainedTold>),
    ("evolve", schema::<Evolved>),
    ("experiment", schema::<Experimented>),
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

/// Writes `rows` as CSV with a header line.
fn csv_of<T: Serialize>(rows: &[T]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let in_memory = "writing to memory does not fail";
    for row in rows {
        writer.serialize(row).expect(in_memory);
    }
    writer.into_inner().expect(in_memory)
}
