use super::file_kind::{of_model, read_as};
use super::number::{number, number_of};
use super::output::{ChartArgs, ProgressDisplay};
use super::tables::TableArgs;
use super::{Result, one_of};
use lucena::attributes::{Selection, Selections};
use lucena::chess::Material;
use lucena::frontier::{FrontierParams, NamedModel};
use lucena::report;
use lucena_files::load_text;
use lucena_model::{Model, ModelKind};
use std::path::{Path, PathBuf};

/// Show how small a winning player can be: prove trees of all sizes, strategies, measures and searches
///
/// The comparison includes the trees that cart learns at each depth up to the exact one; theories, found
/// by a search for trees that win everywhere with few or many moves over the optimum; the trees, strategies
/// and measures of this build, and those from files; plain searches with a mop-up evaluation; and published
/// results. A theory is left out if another beats it in both leaves and moves over the optimum. The same
/// command line gives the same result on every machine.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena experiment frontier
  lucena experiment frontier --csv frontier.csv --svg frontier.svg
  lucena experiment frontier KQvK --candidates 20000 --seed 7
  lucena experiment frontier --tree mine.json --tree yours.json --svg frontier.svg
  lucena experiment frontier --strategy rook.json --candidates 0")]
pub(super) struct Frontier {
    /// The endgame
    #[arg(default_value = "KRvK")]
    material: Material,
    /// The sets of attributes that the learned trees may test, separated by commas
    #[arg(long, default_value = "geometric", value_delimiter = ',', value_parser = one_of::<Selection>())]
    attributes: Vec<Selection>,
    /// The sets of attributes that the theories may test, separated by commas
    #[arg(long, default_value = "all", value_delimiter = ',', value_parser = one_of::<Selection>())]
    theory_attributes: Vec<Selection>,
    /// The number of candidates to try for each guarantee; 0 for no search
    #[arg(long, value_name = "N", default_value_t = 60_000, value_parser = number_of::<u64>("candidates", ..))]
    candidates: u64,
    /// The seed of the searches
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    /// A tree file to compare as well; may be given several times
    #[arg(long = "tree", value_name = "FILE")]
    trees: Vec<PathBuf>,
    /// A strategy file to compare as well; may be given several times
    #[arg(long = "strategy", value_name = "FILE")]
    strategies: Vec<PathBuf>,
    /// A measure file to compare as well; may be given several times
    #[arg(long = "measure", value_name = "FILE")]
    measures: Vec<PathBuf>,
    /// Also compare searches of 1 to N plies; 0 for none
    #[arg(long = "depth", alias = "search-plies", value_name = "N", default_value_t = 2, value_parser = number_of::<u8>("plies", 0..=8))]
    search_plies: u8,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ChartArgs,
}

impl Frontier {
    /// Checks that the endgame can be won.
    #[cfg(feature = "serve")]
    pub(super) fn check(&self) -> Result<()> {
        TableArgs::check_winnable(self.material)
    }

    /// The built-in models of a kind, and those of files.
    fn models(&self, kind: ModelKind, paths: &[PathBuf]) -> Result<Vec<NamedModel>> {
        let mut models: Vec<NamedModel> = NamedModel::built_in(kind, self.material).collect();
        for path in paths {
            let read = || load_text(path, |json: &[u8]| Model::from_json_as(kind, json));
            let model = read_as(path, of_model(kind), read)?;
            models.push(NamedModel { name: name(path), model });
        }
        Ok(models)
    }

    pub(super) fn run(self) -> Result<()> {
        self.report.check_outputs()?;
        let models = [
            self.models(ModelKind::Tree, &self.trees)?,
            self.models(ModelKind::Strategy, &self.strategies)?,
            self.models(ModelKind::Measure, &self.measures)?,
        ];
        let params = FrontierParams {
            learned: Selections::from_iter(self.attributes),
            theories: Selections::from_iter(self.theory_attributes),
            candidates: self.candidates,
            seed: self.seed,
            models: models.concat(),
            search_plies: self.search_plies,
        };
        let tablebase = self.tables.solve_quick(self.material)?;
        let explored = report::frontier(&tablebase, &params, &ProgressDisplay::new())?;
        let (rows, chart) = (&explored.points, || explored.chart());
        self.report.write(&explored, rows, chart, |out| explored.write_text(out))
    }
}

/// A file's name without its extension.
fn name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
