use super::output::{Report, grouped, note, percent, timed, waiting};
use super::tables::Tables;
use super::{Failure, one_of};
use lucena::DecisionTree;
use lucena::attributes::{AttributeSet, Selection};
use lucena::chess::Material;
use lucena::dataset::{Dataset, Positions};
use lucena::learn::{
    self, CartParams, Criterion, Id3Params, LearnError, Learner, Limits, LinfaParams,
    cross_validate, training_accuracy,
};
use lucena_files::write_file_with;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Learn a decision tree from an endgame, and say how good it is
///
/// Every learner goes on until the tree is exact, unless --max-depth or --min-rows stops it. The
/// cross-validation divides orbits, never rows: a position and its mirror image are always on the
/// same side. Its mean error is in plies, over rows where tree and table both say mate.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena learn
  lucena learn KRvK --learner id3 --out id3.json
  lucena learn KQvK --learner cart --criterion gini --positions full --folds 0")]
pub(super) struct Learn {
    /// The endgame
    #[arg(default_value = "KRvK")]
    material: Material,
    /// id3: a child for each value; cart: thresholds; linfa: thresholds found by linfa-trees
    #[arg(long, default_value = "cart", value_parser = one_of(&Kind::NAMES))]
    learner: Kind,
    /// Which attributes the tree may ask about
    #[arg(long, default_value = "geometric", value_parser = one_of(&Selection::NAMES))]
    attributes: Selection,
    /// Learn from one position of each orbit, or from the full board
    #[arg(long, default_value = "canonical", value_parser = one_of(&Positions::NAMES))]
    positions: Positions,
    /// What cart and linfa judge a test by; id3 always takes entropy
    #[arg(long, default_value = "entropy", value_parser = one_of(&Criterion::NAMES))]
    criterion: Criterion,
    /// The most tests on a path
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// Do not divide fewer rows
    #[arg(long, value_name = "N", default_value_t = Limits::default().min_rows)]
    min_rows: u32,
    /// Into how many parts the cross-validation divides the orbits; 0 for none
    #[arg(long, value_name = "N", default_value_t = 10)]
    folds: usize,
    /// The seed of the cross-validation
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write the tree to a JSON file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Id3,
    Cart,
    Linfa,
}

impl Kind {
    const NAMES: [(&'static str, Self); 3] =
        [("id3", Self::Id3), ("cart", Self::Cart), ("linfa", Self::Linfa)];

    pub(super) fn learner(
        self,
        criterion: Criterion,
        limits: Limits,
    ) -> Result<Box<dyn Learner>, LearnError> {
        Ok(match self {
            Self::Id3 => Box::new(Id3Params::default().limits(limits).check()?),
            Self::Cart => {
                Box::new(CartParams::default().criterion(criterion).limits(limits).check()?)
            }
            Self::Linfa => {
                Box::new(LinfaParams::default().criterion(criterion).limits(limits).check()?)
            }
        })
    }
}

#[derive(Serialize)]
struct Learned {
    tests: usize,
    leaves: usize,
    empty_branches: usize,
    depth: usize,
    unused_attributes: Vec<String>,
    training_accuracy: f64,
    cross_validation: Option<CrossValidation>,
    tree_sha256: String,
    seconds: f64,
}

#[derive(Serialize)]
struct CrossValidation {
    folds: usize,
    accuracy: f64,
    mean_error_plies: Option<f64>,
}

impl From<learn::CrossValidation> for CrossValidation {
    fn from(result: learn::CrossValidation) -> Self {
        let learn::CrossValidation { folds, accuracy, mean_error_plies } = result;
        Self { folds, accuracy, mean_error_plies }
    }
}

impl Learn {
    pub(super) fn run(self) -> Result<(), Failure> {
        let limits = Limits { max_depth: self.max_depth, min_rows: self.min_rows };
        let learner = self.learner.learner(self.criterion, limits)?;
        let tablebase = self.tables.solve(self.material);
        let attributes = AttributeSet::new(self.material, self.attributes);
        let dataset = Dataset::new(&tablebase, &attributes, self.positions)?;

        let bar = waiting(format!("learning from {} rows", grouped(dataset.rows() as u64)));
        let (tree, seconds) = timed(|| learner.learn(&dataset));
        let tree = tree?;
        bar.set_message("cross-validating");
        let cross_validation = match self.folds {
            0 => None,
            folds => Some(cross_validate(&*learner, &dataset, folds, self.seed)?.into()),
        };
        bar.finish_and_clear();
        if let Some(path) = &self.out {
            write_file_with(path, |file| tree.write_json(file))?;
            note(&format!("wrote {}", path.display()));
        }

        let learned = Learned {
            tests: tree.tests(),
            leaves: tree.leaves(),
            empty_branches: tree.empty_branches(),
            depth: tree.depth(),
            unused_attributes: tree.unused_attributes().into_iter().map(Into::into).collect(),
            training_accuracy: training_accuracy(&tree, &dataset),
            cross_validation,
            tree_sha256: tree.sha256(),
            seconds,
        };
        self.report.write(&learned, |out| self.text(out, &learned, &tree, &dataset))
    }

    fn text(
        &self,
        out: &mut dyn Write,
        learned: &Learned,
        tree: &DecisionTree,
        dataset: &Dataset,
    ) -> io::Result<()> {
        let count = |n: usize| grouped(n as u64);
        let (rows, attributes) = (count(dataset.rows()), dataset.attributes().len());
        let head = tree.head();
        writeln!(
            out,
            "{} on {} rows x {attributes} attributes of {}",
            head.learner, rows, head.material
        )?;
        writeln!(
            out,
            "  {} tests, {} leaves, {} empty branches, depth {}",
            count(learned.tests),
            count(learned.leaves),
            count(learned.empty_branches),
            learned.depth
        )?;
        if !learned.unused_attributes.is_empty() {
            writeln!(out, "  never asked: {}", learned.unused_attributes.join(", "))?;
        }
        writeln!(
            out,
            "  right on the rows it was learned from: {}",
            percent(learned.training_accuracy)
        )?;
        if let Some(result) = &learned.cross_validation {
            write!(
                out,
                "  right on orbits it has not seen ({} folds): {}",
                result.folds,
                percent(result.accuracy)
            )?;
            match result.mean_error_plies {
                Some(plies) => writeln!(out, ", off by {plies:.2} plies on average")?,
                None => writeln!(out)?,
            }
        }
        writeln!(out, "  tree sha256 {}", learned.tree_sha256)?;
        writeln!(out, "  learned in {:.4} s", learned.seconds)?;
        Ok(())
    }
}
