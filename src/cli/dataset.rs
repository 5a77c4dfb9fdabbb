use super::output::write_with;
use super::tables::Tables;
use super::{Failure, one_of};
use lucena::attributes::{AttributeSet, Selection};
use lucena::chess::Material;
use lucena::dataset::{self, Positions};
use std::path::PathBuf;

/// Write positions with their attributes and depth as csv
///
/// A row for each position with Black (the weak side) to move; the last column, optimalDepth, is
/// draw, lost (Black mates), or the number of moves to mate in words. Files are letters, all else is
/// numbers.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena dataset > KRvK.csv
  lucena dataset KQvK --positions full --attributes all --out KQvK.csv")]
pub(super) struct Dataset {
    /// The endgame
    #[arg(default_value = "KRvK")]
    material: Material,
    /// One position of each orbit, or the full board
    #[arg(long, default_value = "canonical", value_parser = one_of::<Positions>())]
    positions: Positions,
    /// Which attributes: where the men stand (location), how they stand to one another (geometric), both
    /// (published), turned towards a corner (oriented), what a player thinks of (strategic), all of
    /// these, or what plans speak of (concepts)
    #[arg(long, default_value = "geometric", value_parser = one_of::<Selection>())]
    attributes: Selection,
    #[command(flatten)]
    tables: Tables,
    /// Write to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Dataset {
    pub(super) fn run(self) -> Result<(), Failure> {
        let tablebase = self.tables.solve(self.material)?;
        let attributes = AttributeSet::new(self.material, self.attributes);
        let dataset = dataset::Dataset::new(&tablebase, &attributes, self.positions)?;
        match &self.out {
            None => Ok(dataset.write_csv(std::io::stdout().lock())?),
            Some(path) => Ok(write_with(path, |file| dataset.write_csv(file))?),
        }
    }
}
