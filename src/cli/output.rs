//! Output of reports and progress, for people and for programs.

use super::terminal::{is_silent, note};
use super::{Failure, Result, among, interrupt, job_output};
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use lucena::chart::Chart;
use lucena::progress::{Observer, Point, Progress};
use lucena::report::csv_of;
use lucena_files::{
    WriteError, check_writable, is_same_file, is_standard_output, is_stream, write_file_with,
};
use serde::Serialize;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub(super) use lucena::report::{count, grouped};

/// True if an option names standard output. A report then goes to standard error, so that both can be read.
static IS_STDOUT_TAKEN: AtomicBool = AtomicBool::new(false);

/// Returns true if an option names standard output.
pub(super) fn is_stdout_taken() -> bool {
    IS_STDOUT_TAKEN.load(Ordering::Relaxed)
}

/// The format of a report.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    /// Text for people.
    Text,
    /// One JSON object, for programs.
    Json,
    /// A game as PGN, for chess programs.
    Pgn,
}

const REPORT_FORMATS: &[(&str, Format)] = &[("text", Format::Text), ("json", Format::Json)];

const GAME_FORMATS: &[(&str, Format)] =
    &[("text", Format::Text), ("json", Format::Json), ("pgn", Format::Pgn)];

/// Options of every verb that reports.
#[derive(clap::Args)]
pub(super) struct ReportArgs {
    /// The form of the report: text or json
    #[arg(long, default_value = "text", hide_possible_values = true, value_parser = among(REPORT_FORMATS))]
    format: Format,
}

impl ReportArgs {
    /// Writes a report to standard output, as text by `text` or `object` as JSON, or sends both to the
    /// program that runs this job.
    pub(super) fn write(
        &self,
        object: &impl Serialize,
        text: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        if job_output::is_job() {
            let mut summary = Vec::new();
            text(&mut summary)?;
            let summary = String::from_utf8_lossy(&summary).into_owned();
            let data = serde_json::to_string(object).and_then(|json| serde_json::from_str(&json));
            let data = data.expect("a report becomes JSON");
            job_output::send(|| lucena_serve::OutputLine::Report { summary, data });
            return Ok(());
        }
        let stream: Box<dyn Write> = match is_stdout_taken() {
            false => Box::new(anstream::stdout()),
            true if is_silent() => return Ok(()),
            true => Box::new(anstream::stderr()),
        };
        let mut out = BufWriter::new(stream);
        let written = self.write_to(&mut out, object, text);
        Ok(unless_closed(written.and_then(|()| out.flush()))?)
    }

    fn write_to(
        &self,
        out: &mut dyn Write,
        object: &impl Serialize,
        text: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        match self.format {
            Format::Json => {
                serde_json::to_writer_pretty(&mut *out, object)?;
                writeln!(out)
            }
            Format::Text | Format::Pgn => text(out),
        }
    }

    pub(super) fn is_text(&self) -> bool {
        self.format == Format::Text
    }
}

/// Options of a verb whose report is all that it writes.
#[derive(clap::Args)]
pub(super) struct FileReportArgs {
    #[command(flatten)]
    report: ReportArgs,
    #[command(flatten)]
    file: OutArgs,
}

/// The option that names a file in place of standard output.
#[derive(clap::Args)]
pub(super) struct OutArgs {
    /// Write to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl OutArgs {
    /// The file that the option names; `None` for standard output.
    fn file(&self) -> Option<&Path> {
        file_of(self.out.as_deref())
    }

    /// Returns true if the option names a file.
    pub(super) fn is_named(&self) -> bool {
        self.file().is_some()
    }

    /// Checks that the file can be written, as [`check_outputs`] does.
    pub(super) fn check(&self) -> Result<()> {
        check_outputs(&[("--out", self.file())])
    }

    /// Writes text to the file, or else to standard output.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<()> {
        write_out(self.file(), bytes)
    }

    /// Writes a report as [`ReportArgs::write`] does, or to the file.
    pub(super) fn write_report(
        &self,
        report: &ReportArgs,
        object: &impl Serialize,
        text: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        let Some(path) = self.file() else { return report.write(object, text) };
        Ok(write_with(path, |file| report.write_to(file, object, text))?)
    }
}

impl FileReportArgs {
    pub(super) fn is_text(&self) -> bool {
        self.report.is_text()
    }

    /// The file in place of standard output.
    pub(super) fn file(&self) -> &OutArgs {
        &self.file
    }

    /// Writes a report to the file, or else as [`ReportArgs::write`] does.
    pub(super) fn write(
        &self,
        object: &impl Serialize,
        text: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        self.file.write_report(&self.report, object, text)
    }
}

/// The option of a verb whose --format is that of its data.
#[derive(clap::Args)]
pub(super) struct ComparisonArgs {
    /// The form of the comparison: text or json
    #[arg(long, value_name = "FORMAT", hide_possible_values = true, default_value = "text", requires = "against", value_parser = among(REPORT_FORMATS))]
    report: Format,
}

impl ComparisonArgs {
    pub(super) fn report(&self) -> ReportArgs {
        ReportArgs { format: self.report }
    }
}

/// Options of every verb whose report has rows and a chart.
#[derive(clap::Args)]
pub(super) struct ChartArgs {
    /// Also write the rows as csv
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Also draw them as a chart, in SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
}

impl ChartArgs {
    /// Checks the files that are asked for, as [`check_outputs`] does.
    pub(super) fn check_outputs(&self) -> Result<()> {
        self.check_outputs_and(&[])
    }

    /// Checks these files too.
    pub(super) fn check_outputs_and(&self, others: &[FileOption<'_>]) -> Result<()> {
        let own = [("--csv", self.csv.as_deref()), ("--svg", self.svg.as_deref())];
        check_outputs(&[&own, others].concat())
    }

    /// Writes the files that are asked for, then a report as [`ReportArgs::write`] does.
    pub(super) fn write(
        &self,
        object: &impl Serialize,
        rows: &[impl Serialize],
        chart: impl FnOnce() -> Chart,
        text: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        write_if(&self.csv, || csv_of(rows))?;
        write_if(&self.svg, || chart().to_svg())?;
        self.report.write(object, text)
    }
}

/// Options of every verb that reports or writes games.
#[derive(clap::Args)]
pub(super) struct GameReportArgs {
    /// The form of the report: text, json or, for games, pgn
    #[arg(long, default_value = "text", hide_possible_values = true, value_parser = among(GAME_FORMATS))]
    format: Format,
}

impl GameReportArgs {
    /// Returns true if the format is PGN.
    pub(super) fn is_game(&self) -> bool {
        self.format == Format::Pgn
    }

    /// The options for everything but a game. Callers check [`Self::is_game`] first.
    pub(super) fn report(&self) -> ReportArgs {
        ReportArgs { format: self.format }
    }

    /// Writes a report as [`ReportArgs::write`] does. Callers check [`Self::is_game`] first.
    pub(super) fn write(
        &self,
        object: &impl Serialize,
        text: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        self.report().write(object, text)
    }
}

/// Ignores a closed pipe: if the reader of a report has gone, the work goes on and the exit code still
/// tells how it ended.
pub(super) fn unless_closed(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// A file format that is not text.
#[derive(Debug, Clone, Copy)]
pub(super) struct BinaryFormat {
    /// The name of the format.
    pub(super) name: &'static str,
    /// The option that names a file instead of standard output.
    pub(super) file_option: &'static str,
}

impl BinaryFormat {
    /// Returns an error if standard output is a terminal. A verb calls this before any long work.
    pub(super) fn check_stdout(self) -> Result<()> {
        if !io::stdout().is_terminal() {
            return Ok(());
        }
        let Self { name, file_option } = self;
        Err(Failure::usage(format!(
            "{name} is not text, and standard output is a terminal: name a file with {file_option}, or redirect it to a file, as in > FILE"
        )))
    }
}

/// The file that an option in place of standard output names; `None` if it is standard output itself.
pub(super) fn file_of(out: Option<&Path>) -> Option<&Path> {
    out.filter(|path| !is_standard_output(path))
}

/// Writes text to standard output as it is.
pub(super) fn write_data(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// Writes text to the file of --out, or else to standard output as it is.
pub(super) fn write_out(out: Option<&Path>, bytes: &[u8]) -> Result<()> {
    match file_of(out) {
        Some(path) => Ok(write(path, bytes)?),
        None => write_data(bytes),
    }
}

/// An option that names a file, and the file if it is given.
pub(super) type FileOption<'p> = (&'static str, Option<&'p Path>);

/// Checks that the files that options name can be written and are all different. A verb calls this before any long
/// work. If one of them is standard output, reports go to standard error from now on.
pub(super) fn check_outputs(options: &[FileOption<'_>]) -> Result<()> {
    check_different(options)?;
    for path in options.iter().filter_map(|&(_, path)| path) {
        check_writable(path)?;
        if is_standard_output(path) {
            IS_STDOUT_TAKEN.store(true, Ordering::Relaxed);
        }
    }
    Ok(())
}

/// Checks that the file of an option can be written and read back, so that work can continue from it.
pub(super) fn check_resumable((option, path): FileOption<'_>) -> Result<()> {
    let Some(path) = path.filter(|path| is_stream(path)) else { return Ok(()) };
    let path = path.display();
    Err(Failure::usage(format!(
        "{path} is no file, and {option} reads back what it has written: name a file"
    )))
}

/// Checks that no two options name the same file, so that none is written over.
pub(super) fn check_different(options: &[FileOption<'_>]) -> Result<()> {
    let given: Vec<(&str, &Path)> =
        options.iter().filter_map(|&(option, path)| Some((option, path?))).collect();
    for (at, (option, path)) in given.iter().enumerate() {
        if let Some((before, _)) = given[..at].iter().find(|(_, other)| is_same_file(path, other)) {
            let happens = match is_stream(path) {
                true => "its reader could not tell one from the other",
                false => "one would replace the other",
            };
            let path = path.display();
            return Err(Failure::usage(format!(
                "{before} and {option} both name {path}, and {happens}: name two files"
            )));
        }
    }
    Ok(())
}

/// Writes a file that was requested in addition to the report, and notes its path.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write_with(path, |file| file.write_all(bytes))
}

/// Like [`write()`], if the path is given.
pub(super) fn write_if<B: AsRef<[u8]>>(
    path: &Option<PathBuf>,
    bytes: impl FnOnce() -> B,
) -> Result<(), WriteError> {
    path.as_ref().map_or(Ok(()), |path| write(path, bytes().as_ref()))
}

/// Like [`write()`], with content that is written piece by piece.
pub(super) fn write_with(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    write_file_with(path, content)?;
    note_written(path);
    Ok(())
}

/// Notes the path of a file that was written.
pub(super) fn note_written(path: &Path) {
    // The program that runs a job chose the path itself.
    if job_output::is_job() || is_standard_output(path) {
        return;
    }
    note(&format!("wrote {}", path.display()));
}

/// Says on standard error what was noticed in a file.
pub(super) fn note_about(path: &Path, sentences: &[String]) {
    for sentence in sentences {
        note(&format!("{}: {sentence}", path.display()));
    }
}

/// A progress bar, which appears on terminals after a delay. Elsewhere long work is reported by a line now and then.
/// Ctrl-C stops the work.
pub(super) struct ProgressDisplay {
    bar: ProgressBar,
    begun: Instant,
    /// The second at which the next line is due where there is no bar.
    due: AtomicU64,
}

/// The seconds of work before the first line where there is no bar. Each further line is due after half as long again.
const FIRST_LINE: u64 = 30;

impl ProgressDisplay {
    /// Creates a bar for work that has not reported progress yet.
    pub(super) fn new() -> Self {
        let bar = if is_silent() { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        // Where nothing is drawn, no thread need draw it.
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Self { bar, begun: Instant::now(), due: AtomicU64::new(FIRST_LINE) }
    }

    /// Creates no bar and writes no lines, for work in which a person takes part.
    pub(super) fn quiet() -> Self {
        let due = AtomicU64::new(u64::MAX);
        Self { bar: ProgressBar::hidden(), begun: Instant::now(), due }
    }

    fn style(total: Option<u64>) -> ProgressStyle {
        let template = match total {
            Some(_) => "{spinner} {msg} {bar:32} {done} of {total}{left}",
            None => "{spinner} {msg}, {elapsed}",
        };
        let number = |of: fn(&ProgressState) -> u64| {
            move |state: &ProgressState, text: &mut dyn fmt::Write| {
                let _ = text.write_str(&grouped(of(state)));
            }
        };
        let (done, total) = (number(ProgressState::pos), number(|of| of.len().unwrap_or_default()));
        let style = ProgressStyle::with_template(template).expect("the template is right");
        let left = |state: &ProgressState, text: &mut dyn fmt::Write| {
            // The first steps of the first second say little about the rest.
            let least = Duration::from_secs(1);
            if state.pos() > 0 && state.elapsed() >= least && state.eta() >= least {
                let _ = write!(text, ", {:#} left", HumanDuration(state.eta()));
            }
        };
        style.with_key("done", done).with_key("total", total).with_key("left", left)
    }

    /// Writes a line on standard error if one is due and no bar is shown.
    fn write_line(&self, Progress { what, done, total }: Progress<'_>) {
        let (now, due) = (self.begun.elapsed().as_secs(), self.due.load(Ordering::Relaxed));
        if now < due || !self.bar.is_hidden() || job_output::is_job() {
            return;
        }
        let next = now + now / 2;
        if self.due.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            let time = HumanDuration(Duration::from_secs(now));
            let so_far = match (done, total) {
                // Nothing is counted.
                (_, Some(0)) | (0, None) => ", still at it".into(),
                (done, Some(total)) => format!(": {} of {}", grouped(done), grouped(total)),
                (done, None) => format!(": {}", grouped(done)),
            };
            note(&format!("{what}{so_far} after {time}"));
        }
    }

    /// Hides the bar while something else is printed.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Observer for ProgressDisplay {
    fn report(&self, progress: Progress<'_>) {
        job_output::progress(progress);
        self.write_line(progress);
        let Progress { what, done, total } = progress;
        if total != self.bar.length() {
            self.bar.set_style(Self::style(total));
            total.map_or_else(|| self.bar.unset_length(), |total| self.bar.set_length(total));
        }
        self.bar.set_position(done);
        if self.bar.message() != what {
            self.bar.set_message(what.to_owned());
        }
    }

    fn warn(&self, warning: &str) {
        self.bar.suspend(|| note(warning));
    }

    fn point(&self, point: Point<'_>) {
        job_output::point(point);
    }

    fn is_stopped(&self) -> bool {
        interrupt::is_requested()
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        job_output::end();
        self.bar.finish_and_clear();
    }
}
