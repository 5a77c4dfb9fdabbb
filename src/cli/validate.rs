use super::number::{number, number_of};
use super::output::{FileReportArgs, ProgressDisplay};
use super::player_args::PlayerArgs;
use super::{Result, one_of};
use lucena::arena::Entrant;
use lucena::player::Resistance;
use lucena::report;

/// Play games from random positions against a defender, and report the win rate
///
/// Games start from legal positions with White to move, each equally likely; the same seed gives the same
/// games. A game without a mate after fifty moves is drawn. The interval is Wilson's, at 95 %.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena validate --games 10000
  lucena validate --player tree:id3.json --defence random --seed 7 --format json")]
pub(super) struct Validate {
    #[command(flatten)]
    choice: PlayerArgs,
    /// The number of games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number_of::<u64>("games", 1..))]
    games: u64,
    /// The seed of the starting positions and the defender
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    /// The defender: best resists longest; random plays any move; central keeps its king near the centre
    #[arg(long, default_value = "best", value_parser = one_of::<Resistance>())]
    defence: Resistance,
    #[command(flatten)]
    report: FileReportArgs,
}

impl Validate {
    /// The values of options that are left out, by id.
    #[cfg(feature = "serve")]
    pub(super) fn defaults(&self) -> Vec<(&'static str, String)> {
        self.choice.defaults()
    }

    /// Checks that there is such a player, without solving anything.
    #[cfg(feature = "serve")]
    pub(super) fn check(&self) -> Result<()> {
        self.choice.check()
    }

    pub(super) fn run(self) -> Result<()> {
        self.report.file().check()?;
        let ready = self.choice.load(|_, _| Ok(()))?;
        let Self { defence, games, seed, .. } = self;
        let (entry, table, bar) = (ready.entry()?, &ready.tablebase, ProgressDisplay::new());
        let mut player = entry.seat(seed)?;
        let params = report::ValidationParams { resistance: defence, games, seed };
        let validated = report::validate(&mut *player, table, params, &bar)?;
        drop(bar);
        self.report.write(&validated, |out| validated.write_text(out))
    }
}
