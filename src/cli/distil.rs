use super::file_kind::{TREE, read_as};
use super::number::number_of;
use super::output::{ProgressDisplay, ReportArgs};
use super::player_args::resolve_endgame;
use super::search::{Effort, ModelFiles, finish};
use super::tables::TableArgs;
use super::terminal::note;
use super::{Failure, Result, among, interrupt, one_of};
use lucena::DecisionTree;
use lucena::attributes::{AttributeSet, Selection, Selections};
use lucena::chess::Material;
use lucena::policy::TreePolicy;
use lucena::report::DistilReport;
use lucena::theory::{self, FIFTY_MOVES, Guarantee, TheoryGraph, verify};
use lucena_files::{load_text, update_file};
use std::path::PathBuf;

/// Search for the smallest tree that keeps a guarantee, from every position against every defence
///
/// The search drops, moves and swaps tests, changes the grades of leaves, and grows subtrees again; after
/// every change it proves the guarantee again, and undoes a change that breaks it. Each result is proved
/// once more from the rules before it is written. The best tree so far is written whenever it improves,
/// so an interruption loses nothing.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena find tree --out win.json                              always mates, as few leaves as possible
  lucena find tree --keep win --longest 33 --excess 8.26 --out win33.json
  lucena find tree --keep optimal --attributes geometric --seconds 120 --out optimal.json
  lucena find tree --keep exact --from data/trees/KRvK.cart.json --candidates 100000 --format json
  lucena prove --player tree:win.json --certificate win.certificate.json")]
pub(super) struct Distil {
    /// The endgame; if left out, that of the tree to start from, or KRvK
    material: Option<Material>,
    /// exact: every distance; optimal: always an optimal move; win: always mates within fifty moves
    #[arg(long, default_value = "win", value_parser = among(KEPT))]
    keep: Guarantee,
    /// With --keep win: mate within this many moves
    #[arg(long, value_name = "N", value_parser = number_of::<u16>("moves", 1..=FIFTY_MOVES))]
    longest: Option<u16>,
    /// With --keep win: at most this many moves over the optimum, on average over all positions
    #[arg(long, value_name = "X", value_parser = number_of::<f64>("moves", 0.0..))]
    excess: Option<f64>,
    /// A tree to start from, which must keep the guarantee [default: the exact distances, or a single leaf]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The sets of attributes that the tree may test, separated by commas
    #[arg(long, default_value = "all", value_delimiter = ',', value_parser = one_of::<Selection>())]
    attributes: Vec<Selection>,
    #[command(flatten)]
    effort: Effort,
    /// Write the tree as JSON, whenever it gets smaller
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// The guarantees that a tree can keep, without further bounds.
const KEPT: &[(&str, Guarantee)] =
    &[("exact", Guarantee::Exact), ("optimal", Guarantee::Optimal), ("win", Guarantee::WIN)];

impl Distil {
    /// Runs the search and reports the best tree, even if Ctrl-C ends it.
    pub(super) fn run(self) -> Result<()> {
        let guarantee = self.guarantee()?;
        let read = |path| read_as(path, TREE, || load_text(path, DecisionTree::from_json));
        let start = self.from.as_deref().map(read).transpose()?;
        let played = start.as_ref().map(TreePolicy::endgame).transpose()?;
        let material = resolve_endgame(self.material, played)?;
        let files = ModelFiles { out: self.out.as_deref(), draft: None };
        files.check()?;
        if start.is_none() && self.effort.is_nothing() {
            note("no tree was found: search longer");
            return Err(Failure::Check);
        }
        let tablebase = self.tables.solve_quick(material)?;
        let bar = ProgressDisplay::new();
        interrupt::report_when_stopped();
        let attributes = AttributeSet::new(material, Selections::from_iter(self.attributes));
        let graph = TheoryGraph::new(&tablebase, &attributes, &bar)?;
        let (start, search) = (start.as_ref(), self.effort.search(&bar));
        let found = theory::distil(&graph, guarantee, start, search, |tree| {
            // Every theory of a search keeps its guarantee: one that does not is an error.
            if let Some(path) = files.out {
                verify(tree, guarantee, &tablebase)?;
                update_file(path, tree.to_json().as_bytes())?;
            }
            Ok::<_, Failure>(())
        })?;
        drop(bar);
        let tree =
            files.model(&found, DecisionTree::to_json, "no tree was found", "search longer")?;
        let proof = verify(tree, guarantee, &tablebase)?;
        let found = DistilReport::new(tree, &found, guarantee, &proof);
        self.report.write(&found, |out| found.write_text(out))?;
        finish(true)
    }

    /// The values of options that are left out, by id.
    #[cfg(feature = "serve")]
    pub(super) fn defaults(&self) -> Vec<(&'static str, String)> {
        match self.keep {
            Guarantee::Win { longest, .. } => vec![("longest", longest.to_string())],
            _ => Vec::new(),
        }
    }

    /// Checks that the endgame can be won.
    #[cfg(feature = "serve")]
    pub(super) fn check(&self) -> Result<()> {
        TableArgs::check_winnable(resolve_endgame(self.material, None)?)
    }

    fn guarantee(&self) -> Result<Guarantee> {
        match (self.keep, self.longest, self.excess) {
            (Guarantee::Win { longest: usual, .. }, longest, mean_excess) => {
                Ok(Guarantee::Win { longest: longest.unwrap_or(usual), mean_excess })
            }
            (keep, None, None) => Ok(keep),
            _ => Err(Failure::usage(
                "--longest and --excess are bounds for --keep win: optimal moves keep them anyway",
            )),
        }
    }
}
