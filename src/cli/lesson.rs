use super::output::{ProgressDisplay, write, write_data};
use super::tables::TableArgs;
use super::{Failure, Result};
use lucena::chess::Material;
use lucena::page::{ApiError, PageState, lesson_file, lesson_markdown, teacher};
use lucena::progress::{Observer, Progress};
use lucena::roster::PlayerName;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

/// Write a lesson on a tree, a strategy or a measure, with boards, a game and exercises
///
/// Markdown is for printing. HTML is one file with boards to play on. It opens in any browser, and needs
/// neither a server nor a network.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena lesson KRvK > lesson.md
  lucena lesson KRvK --html lesson.html
  lucena lesson KQvK --player theory --html lesson.html
  lucena lesson KBBvK --player measure > lesson.md")]
pub(super) struct Lesson {
    /// The endgame; if left out, that of the player, or KRvK
    material: Option<Material>,
    /// The player that teaches: strategy, theory, measure, tree:FILE, strategy:FILE or measure:FILE [default: measure for
    /// KBBvK and KBNvK, otherwise strategy]
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerName>,
    /// Write one HTML file with boards to play on
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
}

/// The time between two checks for a table.
const BETWEEN: Duration = Duration::from_millis(20);

impl Lesson {
    pub(super) fn run(self) -> Result<()> {
        let state = PageState::new(self.tables.folder());
        let usual = || teacher(self.material).parse::<PlayerName>();
        let player = self.player.clone().map_or_else(usual, Ok)?;
        state.offer(&player).map_err(|error| Failure::InputOutput(error.into()))?;
        let name = player.to_string();
        let bar = ProgressDisplay::new();
        let text = waited(&bar, || match &self.html {
            Some(_) => lesson_file(&state, &name, self.material, &lucena_serve::part),
            None => lesson_markdown(&state, &name, self.material),
        })?;
        drop(bar);
        match &self.html {
            Some(path) => Ok(write(path, text.as_bytes())?),
            None => write_data(text.as_bytes()),
        }
    }
}

/// Repeats `ask` until no table has to be solved first.
fn waited<T>(bar: &ProgressDisplay, ask: impl Fn() -> Result<T, ApiError>) -> Result<T> {
    loop {
        match ask() {
            Ok(answer) => return Ok(answer),
            Err(ApiError::Solving(told)) => {
                let (what, progress) = (told.progress.what.as_str(), &told.progress);
                bar.report(Progress { what, done: progress.done, total: progress.total });
            }
            Err(refusal) => return Err(Failure::Usage(refusal.into())),
        }
        bar.check()?;
        sleep(BETWEEN);
    }
}
