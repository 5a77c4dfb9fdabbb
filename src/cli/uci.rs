use super::Result;
use super::syzygy::SyzygyArgs;
use super::tables::TableArgs;
use lucena::roster::PlayerName;
use lucena::uci::{Settings, run};
use std::io;

/// Run as a UCI engine for chess programs
///
/// In a graphical chess program, choose lucena as an engine: without arguments it is the same. It plays whole games by
/// searching. In endgames of up to four men, and in those that it has tables or Syzygy files of, it tells the exact score
/// and the line to the mate for either side, resists for longest in lost positions, and makes drawn ones hard to hold;
/// where a mined player makes one of the best moves, it gives the reason. The options of the engine are listed by "uci".
/// Threads and Ponder change nothing: the search has a single thread, and Ponder only states that pondering is supported.
/// --tables and --syzygy are the initial values of Tables and SyzygyPath.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena uci
  lucena uci --player strategy
  lucena uci --player measure:room.json
  lucena uci --syzygy tables/3-4-5
  printf 'position fen 8/8/8/3k4/8/8/8/K6R w - - 0 1\\ngo\\n' | lucena uci --player exact")]
pub(super) struct Uci {
    /// The initial value of the option Player: see "lucena help players"
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerName>,
    #[command(flatten)]
    syzygy: SyzygyArgs,
    #[command(flatten)]
    tables: TableArgs,
}

impl Uci {
    pub(super) fn run(self) -> Result<()> {
        let usual = Settings::default();
        let settings = Settings {
            player: self.player.unwrap_or(usual.player),
            tables: self.tables.path(),
            syzygy: self.syzygy.paths(),
            ..usual
        };
        Ok(run(io::stdin(), &mut io::stdout().lock(), settings)?)
    }
}
