use super::Result;
use super::number::{number, number_of};
use super::output::{FileReportArgs, ProgressDisplay};
use super::tables::TableArgs;
use lucena::chess::Material;
use lucena::report;

/// Repeat the published study: compare the play of trees that fit all their training data
///
/// The first row is the published set-up: ID3 on one position of each orbit, applied to the board as it
/// stands. The next rows turn the board first, learn on the full board, or use the location attributes;
/// then cart replaces id3. Answers are counted on all positions with Black (the weak side) to move; proofs
/// cover all positions with White to move. Games are played as in validate.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena experiment study
  lucena experiment study KQvK --games 1000
  lucena experiment study --seed 7 --format json")]
pub(super) struct Study {
    /// The endgame
    #[arg(default_value = "KRvK")]
    material: Material,
    /// The number of games of each tree against each defence, and with its ties drawn by lot
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = number_of::<u64>("games", 1..))]
    games: u64,
    /// The seed of the starting positions and the defenders
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: FileReportArgs,
}

impl Study {
    pub(super) fn run(self) -> Result<()> {
        self.report.file().check()?;
        let tablebase = self.tables.solve_quick(self.material)?;
        let studied = report::study(&tablebase, self.games, self.seed, &ProgressDisplay::new())?;
        self.report.write(&studied, |out| studied.write_text(out))
    }
}
