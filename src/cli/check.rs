use super::Result;
use super::dataset::Comparison;
use super::output::ReportArgs;
use super::tables::TableArgs;
use lucena::chess::Material;
use std::path::PathBuf;

/// The old name of dataset --format krkopt --against FILE; without a file, of --against published
#[derive(clap::Args)]
pub(super) struct Check {
    /// The endgame, of three men
    #[arg(default_value = "KRvK")]
    material: Material,
    /// The file to compare, in the format of krkopt.data
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ReportArgs,
}

impl Check {
    pub(super) fn run(self) -> Result<()> {
        let Self { material, against, tables, report } = &self;
        Comparison { material: *material, file: against.as_deref(), tables, report }.run()
    }
}
