//! Output of a job that another program runs: it is written to standard output as lines of JSON, and the
//! job stops when standard input ends. `lucena serve` runs its jobs this way.

use lucena::chart::{Axis, Chart, Panel, Series};
use lucena::progress::{CurveSample, Point, Progress};
use lucena_files::write_file;
use lucena_serve::{OutputLine, Points, Progress as ProgressLine};
use serde_json::Value;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

static ATTENDED: OnceLock<JobOutput> = OnceLock::new();

/// The shortest time between two progress lines.
const BETWEEN: Duration = Duration::from_millis(100);

/// The most points that are sent and drawn.
const MAX_POINTS: usize = 400;

struct JobOutput {
    /// The file to which the intermediate results are drawn.
    chart: PathBuf,
    state: Mutex<State>,
}

struct State {
    reported: Option<Instant>,
    /// The last progress, if it came too soon to be sent.
    untold: Option<ProgressLine>,
    drawn: Option<Instant>,
    columns: Vec<String>,
    points: CurveSample,
}

impl Default for State {
    fn default() -> Self {
        let points = CurveSample::new(MAX_POINTS);
        Self { reported: None, untold: None, drawn: None, columns: Vec::new(), points }
    }
}

/// Switches all output to lines of JSON, and draws the intermediate results to a file.
pub(super) fn begin(chart: PathBuf) {
    // A second command line in the same process keeps the settings of the first.
    let _ = ATTENDED.set(JobOutput { chart, state: Mutex::default() });
}

/// Returns true if another program runs this job.
pub(super) fn is_job() -> bool {
    ATTENDED.get().is_some()
}

/// Sends a line if another program runs this job, and returns true if so. Progress that was held back comes first.
pub(super) fn send(line: impl FnOnce() -> OutputLine) -> bool {
    let Some(attended) = ATTENDED.get() else { return false };
    let untold = attended.state.lock().unwrap_or_else(PoisonError::into_inner).untold.take();
    untold.into_iter().for_each(|progress| write(&OutputLine::Progress(progress)));
    write(&line());
    true
}

fn write(line: &OutputLine) {
    let mut text = serde_json::to_vec(line).expect("texts and numbers become JSON");
    text.push(b'\n');
    let mut out = io::stdout().lock();
    // If nobody reads the output, standard input has ended too, and the job stops.
    let _ = out.write_all(&text).and_then(|()| out.flush());
}

/// Sends the progress, at most once in [`BETWEEN`].
pub(super) fn progress(progress: Progress<'_>) {
    let Some(attended) = ATTENDED.get() else { return };
    let mut state = attended.state.lock().unwrap_or_else(PoisonError::into_inner);
    let Progress { what, done, total } = progress;
    let line = ProgressLine { what: what.into(), done, total };
    if is_due(&mut state.reported) {
        state.untold = None;
        drop(state);
        write(&OutputLine::Progress(line));
    } else {
        state.untold = Some(line);
    }
}

/// Takes in a point of the intermediate results; sends and draws them at most once in [`BETWEEN`].
pub(super) fn point(point: Point<'_>) {
    let Some(attended) = ATTENDED.get() else { return };
    let mut state = attended.state.lock().unwrap_or_else(PoisonError::into_inner);
    if !state.columns.iter().eq(point.iter().map(|(name, _)| name)) {
        state.columns = point.iter().map(|(name, _)| (*name).to_owned()).collect();
        state.points = CurveSample::new(MAX_POINTS);
    }
    state.points.add(point.iter().map(|&(_, figure)| figure).collect());
    if is_due(&mut state.drawn) {
        draw(attended, &state);
    }
}

/// Returns true, and takes the time, if the last time is long enough ago.
fn is_due(last: &mut Option<Instant>) -> bool {
    let is_due = last.is_none_or(|last| last.elapsed() >= BETWEEN);
    if is_due {
        *last = Some(Instant::now());
    }
    is_due
}

/// Sends and draws all points.
fn draw(attended: &JobOutput, state: &State) {
    if state.points.is_empty() {
        return;
    }
    // The points are sent even if the picture cannot be written.
    let _ = write_file(&attended.chart, chart(state).to_svg().as_bytes());
    let row = |figures: &Vec<f64>| figures.iter().map(|&figure| Value::from(figure)).collect();
    let rows = state.points.iter().map(row).collect();
    write(&OutputLine::Points(Points { columns: state.columns.clone(), rows }));
}

/// Sends and draws all points when the work is done. A verb may overwrite the file with its own picture
/// later.
pub(super) fn end() {
    if let Some(attended) = ATTENDED.get() {
        let state = attended.state.lock().unwrap_or_else(PoisonError::into_inner);
        draw(attended, &state);
    }
}

/// Draws the points, with a panel for each column but the first.
fn chart(state: &State) -> Chart {
    let across = |of: usize| state.points.iter().map(move |point| (point[0], point[of]));
    let axis = |of: usize, values: &mut dyn Iterator<Item = f64>| match &state.columns[of] {
        share if share.ends_with('%') => Axis::percent(share),
        name => Axis::from_zero(name, values),
    };
    let panel = |(of, name): (usize, &String)| Panel {
        y: axis(of, &mut across(of).map(|(_, up)| up)),
        series: vec![Series::line(name, across(of).collect())],
    };
    let panels = state.columns.iter().enumerate().skip(1).map(panel).collect();
    Chart { title: String::new(), x: axis(0, &mut across(0).map(|(x, _)| x)), panels }
}
