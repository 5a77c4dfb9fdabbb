//! Lines on standard error, and their verbosity. Errors in writing them are ignored.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::time::uptime;
use tracing_subscriber::prelude::*;

static IS_SILENT: AtomicBool = AtomicBool::new(false);

/// Returns true if only errors are shown.
pub(super) fn is_silent() -> bool {
    IS_SILENT.load(Ordering::Relaxed)
}

/// Writes a line that is left out if --quiet is given.
pub(super) fn note(message: &str) {
    if !is_silent() {
        say(message);
    }
}

/// Writes a line that is shown even if --quiet is given.
pub(super) fn say(message: &str) {
    if super::job_output::send(|| lucena_serve::OutputLine::Note(message.into())) {
        return;
    }
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// Clears what a progress bar has left on the line.
pub(super) fn clear_line() {
    // The stream drops escape codes if the output cannot show them.
    let _ = write!(anstream::stderr(), "\r\x1b[K");
}

/// Options of every verb.
#[derive(clap::Args)]
pub(super) struct Verbosity {
    /// Log what is done, on standard error; -vv logs more. RUST_LOG allows finer control:
    /// RUST_LOG=lucena::tablebase=debug
    #[arg(short, long, global = true, action = clap::ArgAction::Count, display_order = 1000)]
    verbose: u8,
    /// Print nothing but errors: no progress, no notes
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 1001)]
    quiet: bool,
}

impl Verbosity {
    /// Applies the options from now on.
    pub(super) fn set(&self) -> Result<(), String> {
        if self.quiet {
            IS_SILENT.store(true, Ordering::Relaxed);
            return Ok(());
        }
        let directives = std::env::var("RUST_LOG").ok().filter(|directives| !directives.is_empty());
        let targets = match (self.verbose, directives) {
            (0, None) => return Ok(()),
            (0, Some(directives)) => directives.parse::<Targets>().map_err(|error| {
                format!("RUST_LOG={directives} cannot be read: {error}; write it as lucena=debug")
            })?,
            (1, _) => lucena_at(LevelFilter::INFO),
            (2, _) => lucena_at(LevelFilter::DEBUG),
            _ => lucena_at(LevelFilter::TRACE),
        };
        let events = tracing_subscriber::fmt::layer()
            .with_writer(std::io::stderr)
            .with_ansi(false)
            .with_timer(uptime());
        // A second command line in the same process keeps the settings of the first.
        let _ = tracing_subscriber::registry().with(events).with(targets).try_init();
        Ok(())
    }
}

/// The log targets of this project, down to a level.
fn lucena_at(level: LevelFilter) -> Targets {
    Targets::new().with_target("lucena", level)
}
