use super::Failure;
use crate::cli::output::{Bar, Report, write};
use crate::cli::tables::Tables;
use lucena::chess::Material;
use lucena::report;
use lucena::roster::{LoadedPlayer, PlayerName};
use std::path::PathBuf;

/// Prove players that search, learn and know against every defence, and compare the work that a move takes
///
/// Each player is proved on all positions of the endgame, as "lucena prove" does. If none is named:
/// searches of one to --depth plies with material and mop-up evaluations (with all refinements, and with
/// none), and the generated code of this build.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena experiment truth
  lucena experiment truth KRvK --depth 9 --svg truth.svg --csv truth.csv
  lucena experiment truth KQvK --player theory --player search:depth=3,eval=mop-up")]
pub(super) struct ExperimentTruth {
    /// The endgame
    #[arg(default_value = "KRvK")]
    material: Material,
    /// A player to prove; may be given several times
    #[arg(long, value_name = "PLAYER")]
    player: Vec<PlayerName>,
    /// The maximum depth of the searches, in plies, if no player is named
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=64))]
    depth: u8,
    /// Also write the rows as csv
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Also draw positions won against work for a move
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

impl ExperimentTruth {
    pub(super) fn run(self) -> Result<(), Failure> {
        let names = if self.player.is_empty() { self.usual()? } else { self.player.clone() };
        let players: Vec<LoadedPlayer> =
            names.iter().map(PlayerName::load).collect::<Result<_, _>>()?;
        let tablebase = self.tables.solve_quick(self.material)?;
        let told = report::experiment_truth(&players, &tablebase, &Bar::new())?;
        if let Some(path) = &self.csv {
            write(path, &told.to_csv())?;
        }
        if let Some(path) = &self.svg {
            write(path, told.chart().to_svg().as_bytes())?;
        }
        self.report.write(&told, |out| told.write_text(out))
    }

    fn usual(&self) -> Result<Vec<PlayerName>, Failure> {
        let mut names: Vec<String> = Vec::new();
        let kinds = ["eval=material", "eval=mop-up", "algorithm=alpha-beta,off=all,eval=mop-up"];
        for kind in kinds {
            names.extend((1..=self.depth).map(|depth| format!("search:depth={depth},{kind}")));
        }
        names.extend(lucena::roster::kinds_for(self.material).map(|kind| kind.to_string()));
        names.iter().map(|name| Ok(name.parse()?)).collect()
    }
}
