use super::labels::{Labels, PartArgs, RowArgs, any_endgame};
use super::number::{number, number_of};
use super::output::{ProgressDisplay, ReportArgs, check_outputs, grouped, write_if};
use super::tables::TableArgs;
use super::{Failure, Result, one_of};
use lucena::attributes::{AttributeSet, Selection, Selections};
use lucena::chess::Material;
use lucena::dataset::{Dataset, Positions};
use lucena::learn::{Criterion, LearnerKind, Limits, cross_validate};
use lucena::progress::{Observer, Progress};
use lucena::report::{self, ReportLayout};
use std::path::PathBuf;

/// Learn a decision tree from an endgame, and report its quality
///
/// A learner grows its tree until it is exact, unless --learner says otherwise, or --max-depth, --min-rows or --max-leaves
/// limits it. The cross-validation splits orbits, not rows: a position and its mirror images are always in the same part.
/// Its mean error is in plies, over the rows for which both the tree and the table give a mate. The classes wdl and dtz
/// are known for up to five men, and from Syzygy files for up to seven.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena learn
  lucena learn KRvK --learner id3 --out id3.json
  lucena learn KBNvK --attributes all,concepts
  lucena learn --max-depth 8 --report scikit-learn --svg confusion.svg
  lucena learn KQvK --learner cart --criterion gini --positions full --folds 0
  lucena learn KBBvKN --sample 200000 --folds 0 --out KBBvKN.json
  lucena learn KPvK --class wdl --turn white --attributes all,concepts --folds 0
  lucena learn KRPvKR@d7 --class wdl --sample 200000 --max-leaves 100   from one square of the pawn
  lucena learn KRPvKR --class wdl --syzygy tables --sample 200000 --max-leaves 100")]
pub(super) struct Learn {
    /// The endgame; with --syzygy of up to seven men
    #[arg(default_value = "KRvK", value_parser = any_endgame)]
    material: Material,
    #[arg(long, default_value = "cart", value_parser = one_of::<LearnerKind>(), help = learners())]
    learner: LearnerKind,
    /// The sets of attributes that the tree may test, separated by commas
    #[arg(long, default_value = "geometric", value_delimiter = ',', value_parser = one_of::<Selection>())]
    attributes: Vec<Selection>,
    /// Learn from one position of each orbit, or from the full board
    #[arg(long, default_value = "canonical", value_parser = one_of::<Positions>())]
    positions: Positions,
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    part: PartArgs,
    /// The measure by which tests are rated; id3 always uses entropy
    #[arg(long, default_value = "entropy", value_parser = one_of::<Criterion>())]
    criterion: Criterion,
    /// The maximum number of tests on a path
    #[arg(long, value_name = "N", value_parser = number_of::<u32>("tests", 1..))]
    max_depth: Option<u32>,
    /// The maximum number of leaves: the tree is pruned to the subtree that gets the most rows right
    #[arg(long, value_name = "N", value_parser = number_of::<u32>("leaves", 1..))]
    max_leaves: Option<u32>,
    /// The minimum number of rows of a node that is split
    #[arg(long, value_name = "N", default_value_t = Limits::default().min_rows, value_parser = number_of::<u32>("rows", 2..))]
    min_rows: u32,
    /// The number of folds of the cross-validation, which splits the orbits; 0 for none
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number_of::<usize>("folds", ..))]
    folds: usize,
    /// The seed of --sample and of the cross-validation
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    /// Write the tree to a JSON file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Also print the precision and recall of each class in the form of another program
    #[arg(long = "report", value_name = "PROGRAM", value_parser = one_of::<ReportLayout>())]
    layout: Option<ReportLayout>,
    /// Draw the confusion matrix of the cross-validation, or else of the training rows
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// The help of --learner.
fn learners() -> String {
    format!("The learner: {}", LearnerKind::list(|_| true))
}

impl Learn {
    /// Checks what needs no table: the limits of the learner, that this program has it, the folds, and that the rows are
    /// not too many.
    pub(super) fn check(&self) -> Result<()> {
        self.learner.learner(self.criterion, self.limits())?;
        if self.folds == 1 {
            return Err(Failure::usage(
                "one fold leaves no rows to learn from: choose 2 or more, or 0 for no cross-validation",
            ));
        }
        if !self.rows.is_sample() {
            TableArgs::check_in_memory(self.material)?;
        }
        self.rows.check(self.material)
    }

    fn limits(&self) -> Limits {
        let &Self { max_depth, min_rows, max_leaves, .. } = self;
        Limits { max_depth, min_rows, max_leaves }
    }

    pub(super) fn run(self) -> Result<()> {
        self.check()?;
        let learner = self.learner.learner(self.criterion, self.limits())?;
        check_outputs(&[("--out", self.out.as_deref()), ("--svg", self.svg.as_deref())])?;
        let turn = self.rows.turn();
        let part = self.part.part(self.material)?;
        let Labels { source, sample } =
            self.rows.labels(self.material, part.as_ref(), &self.tables, self.seed)?;
        let attributes = AttributeSet::new(self.material, Selections::from_iter(self.attributes));
        let dataset = match sample {
            None => Dataset::with_turn(&*source, &attributes, self.positions, turn)?,
            Some(sample) => Dataset::sampled(&*source, &attributes, self.positions, turn, sample)?,
        };
        drop(source);

        let bar = ProgressDisplay::new();
        let begin = |what: &str| bar.report(Progress { what, done: 0, total: None });
        begin(&format!("learning from {} rows", grouped(dataset.rows() as u64)));
        let (tree, mut learned) = report::learn(&*learner, &dataset)?;
        begin("cross-validating");
        if self.folds > 0 {
            let validation = cross_validate(&*learner, &dataset, self.folds, self.seed)?;
            learned.cross_validation = Some(validation.into());
        }
        drop(bar);
        write_if(&self.out, || tree.to_json())?;
        write_if(&self.svg, || learned.chart().to_svg())?;
        self.report.write(&learned, |out| {
            learned.write_text(out)?;
            self.layout.map_or(Ok(()), |layout| learned.write_metrics(out, layout))
        })
    }
}
