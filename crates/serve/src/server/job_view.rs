//! A job as the page shows it: its command and its output so far.

use crate::job::{OutputLine, Points, Progress};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The state of a job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JobState {
    /// The job is running.
    #[default]
    Running,
    /// The job has ended with a report.
    Done,
    /// The job has failed.
    Failed,
    /// The job was stopped.
    Stopped,
}

/// A job.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Job")]
#[serde(default)]
pub(crate) struct JobView {
    /// The id in paths.
    pub(crate) id: String,
    /// The name that people know it by.
    pub(crate) name: String,
    /// The time at which it began, in seconds since 1970 (UTC).
    pub(crate) begun: u64,
    /// The experiment.
    pub(crate) verb: String,
    /// The title of the experiment.
    pub(crate) title: String,
    /// The equivalent command line.
    pub(crate) command: String,
    /// The values of the form.
    pub(crate) fields: BTreeMap<String, String>,
    /// The state.
    pub(crate) state: JobState,
    /// The progress; null before the first report of it.
    pub(crate) progress: Option<Progress>,
    /// Messages for people.
    pub(crate) notes: Vec<String>,
    /// The reason why it failed; null if it has not.
    pub(crate) error: Option<String>,
    /// Seconds since the start, or in all once it has ended.
    pub(crate) seconds: f64,
    /// The picture; null if there is none.
    pub(crate) chart: Option<Chart>,
    /// The results so far, as a table.
    pub(crate) points: Option<Points>,
    /// The state at the moment, as data; null if the experiment shows none.
    pub(crate) live: Option<Value>,
    /// The report in sentences; null before the end.
    pub(crate) summary: Option<String>,
    /// The report as data; null before the end.
    pub(crate) report: Option<Value>,
    /// The files that it has written.
    pub(crate) files: Vec<File>,
    /// True if it makes a player, which can be saved as soon as there is a first version of it.
    pub(crate) makes_player: bool,
    /// The player that it has made; null if it has made none.
    pub(crate) player: Option<String>,
}

/// A picture that changes while the job runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Chart {
    /// A number that changes with the picture.
    pub(crate) version: u64,
}

/// A file that a job has written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct File {
    /// The name.
    pub(crate) name: String,
    /// The size in bytes.
    pub(crate) bytes: u64,
}

/// The most notes that are kept, so that a program with endless warnings does not fill the memory.
const MAX_NOTES: usize = 100;

impl JobView {
    /// The job without what can be long: for the list of all jobs.
    pub(crate) fn without_results(self) -> Self {
        Self { points: None, live: None, summary: None, report: None, ..self }
    }

    /// Takes in a line of the job's output.
    pub(crate) fn apply(&mut self, line: OutputLine) {
        match line {
            OutputLine::Progress(progress) => self.progress = Some(progress),
            OutputLine::Note(note) if self.notes.len() < MAX_NOTES => self.notes.push(note),
            OutputLine::Note(_) => {}
            OutputLine::Live(live) => self.live = Some(live),
            OutputLine::Points(points) => self.points = Some(points),
            OutputLine::Report { summary, data } => {
                (self.summary, self.report) = (Some(summary), Some(data));
            }
            OutputLine::Error(error) => self.error = Some(error),
        }
    }
}
