//! How reports and progress reach people and programs.

use super::{Failure, interrupt};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use lucena::work::{Progress, Watch};
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Text,
    /// One object, for programs.
    Json,
}

/// Options of every verb that reports.
#[derive(clap::Args)]
pub(super) struct Report {
    /// Sentences for people, or one JSON object for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Report {
    /// Writes a report to standard output: the object as JSON, or what `text` makes of it.
    pub(super) fn write<T: Serialize>(
        &self,
        object: &T,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let write = || {
            let mut out = BufWriter::new(anstream::stdout());
            match self.format {
                Format::Text => text(&mut out)?,
                Format::Json => {
                    serde_json::to_writer_pretty(&mut out, object)?;
                    writeln!(out)?;
                }
            }
            out.flush()
        };
        Ok(unless_closed(write())?)
    }

    pub(super) fn is_text(&self) -> bool {
        self.format == Format::Text
    }
}

/// A report is for whoever wants to hear it: if that one has gone away, the work goes on and the
/// exit code still says how it ended.
pub(super) fn unless_closed(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Writes bytes to standard output as they are.
pub(super) fn write_data(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// A line on standard error.
pub(super) fn note(message: &str) {
    // Nobody may be listening; that is no reason to stop.
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// A bar for work that is watched: seen on terminals only, and not at once; Ctrl-C stops the work.
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// A bar for work that has not said anything yet.
    pub(super) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    fn style(total: Option<u64>) -> ProgressStyle {
        let template = match total {
            Some(_) => "{spinner} {msg} {bar:32} {human_pos} of {human_len}, {eta} left",
            None => "{spinner} {msg}, {elapsed}",
        };
        ProgressStyle::with_template(template).expect("the template is right")
    }
}

impl Watch for Bar {
    fn tell(&self, progress: Progress<'_>) {
        let Progress { what, done, total } = progress;
        if total != self.0.length() {
            self.0.set_style(Self::style(total));
            total.map_or_else(|| self.0.unset_length(), |total| self.0.set_length(total));
        }
        self.0.set_position(done);
        if self.0.message() != what {
            self.0.set_message(what.to_owned());
        }
    }

    fn warn(&self, warning: &str) {
        self.0.suspend(|| note(warning));
    }

    fn is_stopped(&self) -> bool {
        interrupt::is_requested()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A sign of life for work of unknown length; seen on terminals only, and not at once.
pub(super) fn waiting(what: String) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
    let bar = ProgressBar::new_spinner().with_style(style.expect("the template is right"));
    bar.set_message(what);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A bar for work of known length; seen on terminals only.
pub(super) fn progress(what: &'static str, length: u64) -> ProgressBar {
    let template = "{msg} {bar:32} {human_pos} of {human_len}, {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is right");
    ProgressBar::new(length).with_style(style).with_message(what)
}

/// Runs something and says how many seconds it took.
pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

/// A number of things: "1 ply", "2 plies".
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// A number with a comma after every three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share as a percentage that never rounds up to all or down to nothing.
pub(super) fn percent(share: f64) -> String {
    match share {
        1.0 => "100 %".into(),
        0.0 => "0 %".into(),
        share => format!("{:.2} %", (100.0 * share).clamp(0.01, 99.99)),
    }
}
