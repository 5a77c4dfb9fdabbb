use super::output::{Bar, Report, write};
use super::tables::Tables;
use super::{Failure, one_of};
use lucena::attributes::Selection;
use lucena::chess::Material;
use lucena::frontier::{FrontierParams, NamedStrategy, NamedTree};
use lucena::report;
use lucena_files::load;
use lucena_tree::{DecisionTree, Strategy};
use std::path::{Path, PathBuf};

/// How little will do: trees of all sizes, strategies, searches, and what each is proved to be worth
///
/// Trees that cart learns to one depth after another, up to the exact one; theories, which are
/// searched for so that they win everywhere, with few moves over the optimum or with many; the trees
/// and strategies that this build carries, and those from files; plain searches with a mop-up
/// evaluation; and what has been published. Of the theories those are kept that no other beats in both
/// leaves and moves over the optimum. The same command line finds the same on every machine.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena frontier
  lucena frontier --csv frontier.csv --svg frontier.svg
  lucena frontier KQvK --candidates 20000 --seed 7
  lucena frontier --tree mine.json --tree yours.json --svg frontier.svg
  lucena frontier --strategy rook.json --candidates 0")]
pub(super) struct Frontier {
    /// The endgame
    #[arg(default_value = "KRvK")]
    material: Material,
    /// Which attributes the learned trees may ask about
    #[arg(long, default_value = "geometric", value_parser = one_of::<Selection>())]
    attributes: Selection,
    /// Which attributes the theories may ask about
    #[arg(long, default_value = "all", value_parser = one_of::<Selection>())]
    theory_attributes: Selection,
    /// How many candidates are looked at for each guarantee; with 0 nothing is searched for
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    candidates: u64,
    /// The seed of the searches
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// A tree to set beside them and those that this build carries; may be given again
    #[arg(long = "tree", value_name = "FILE")]
    trees: Vec<PathBuf>,
    /// A strategy to set beside them and those that this build carries; may be given again
    #[arg(long = "strategy", value_name = "FILE")]
    strategies: Vec<PathBuf>,
    /// Searches of one ply, two plies and so on up to so many are set beside them; with 0 none is
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(..=8))]
    search_plies: u8,
    /// Also write the points as csv
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Also draw them as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

impl Frontier {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut trees = NamedTree::built_in(self.material)?;
        for path in &self.trees {
            trees.push(NamedTree { name: name(path), tree: load(path, DecisionTree::from_json)? });
        }
        let mut strategies = NamedStrategy::built_in(self.material);
        for path in &self.strategies {
            let strategy = load(path, Strategy::from_json)?;
            strategies.push(NamedStrategy { name: name(path), strategy });
        }
        let params = FrontierParams {
            learned: self.attributes,
            theories: self.theory_attributes,
            candidates: self.candidates,
            seed: self.seed,
            trees,
            strategies,
            search_plies: self.search_plies,
        };
        let tablebase = self.tables.solve_quick(self.material)?;
        let explored = report::frontier(&tablebase, &params, &Bar::new())?;
        if let Some(path) = &self.csv {
            write(path, &explored.to_csv())?;
        }
        if let Some(path) = &self.svg {
            write(path, explored.chart().to_svg().as_bytes())?;
        }
        self.report.write(&explored, |out| explored.write_text(out))
    }
}

/// A file's name without its ending.
fn name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
