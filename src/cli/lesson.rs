use super::output::{ProgressDisplay, write, write_data};
use super::tables::TableArgs;
use super::{Failure, Result};
use lucena::chess::Material;
use lucena::page::{ApiError, PageState, lesson_file, lesson_markdown};
use lucena::progress::{Observer, Progress};
use lucena::roster::PlayerName;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

/// Write a lesson on an endgame in stages, or on a tree, a strategy or a measure, with boards, games and exercises
///
/// KQvK, KRvK, KPvK, KBBvK and KBNvK have stages: each with an aim, a board, what is proved and what is advice, an
/// exercise and a game.
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
    /// The player that teaches: strategy, theory, measure, tree:FILE, strategy:FILE or measure:FILE [default: the
    /// endgame's stages, if it has any, then measure for KBBvK and KBNvK, otherwise strategy]
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
        if let Some(player) = &self.player {
            state.offer(player).map_err(|error| Failure::InputOutput(error.into()))?;
        }
        let name = self.player.as_ref().map(ToString::to_string);
        let name = name.as_deref();
        let bar = ProgressDisplay::new();
        let text = waited(&bar, || match &self.html {
            Some(_) => lesson_file(&state, name, self.material, &lucena_serve::part),
            None => lesson_markdown(&state, name, self.material),
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
