//! A job: a program that runs beside the server, and what it has told of itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// What is run for a job.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What it is called.
    pub title: String,
    /// The command line, as a person would write it.
    pub command: String,
    /// The words behind the program's name.
    pub arguments: Vec<OsString>,
    /// The file among its own that is a picture of what it has come to.
    pub chart: Option<String>,
    /// The player that its file makes: what stands before the path, and the file.
    pub player: Option<(&'static str, String)>,
}

/// A line in which a job tells of itself.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// How far it has come.
    Progress(Progress),
    /// Something that a person should know.
    Note(String),
    /// What it has come to so far, as a table.
    Points(Points),
    /// What it has come to in the end.
    Report {
        /// In sentences.
        summary: String,
        /// As data.
        data: Value,
    },
    /// Why it has not come to an end.
    Error(String),
}

/// How far a job has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// What is being done, in words.
    pub what: String,
    /// How many steps of it are done.
    pub done: u64,
    /// How many there are; null where nobody can know.
    pub total: Option<u64>,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Points {
    /// What its columns are called.
    pub columns: Vec<String>,
    /// Its rows, texts and numbers; null where there is none.
    pub rows: Vec<Vec<Value>>,
}

/// Whether a job goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Standing {
    /// It does.
    Running,
    /// It has come to its end.
    Done,
    /// It has broken off.
    Failed,
    /// Somebody has stopped it.
    Stopped,
}

/// A job as the page sees it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Job")]
pub(crate) struct Shown {
    /// What it is asked for by.
    pub(crate) id: String,
    /// Which experiment it is.
    pub(crate) verb: String,
    /// What people call that.
    pub(crate) title: String,
    /// The command line that does the same.
    pub(crate) command: String,
    /// What was set in the form.
    pub(crate) fields: BTreeMap<String, String>,
    /// Whether it goes on.
    pub(crate) state: Standing,
    /// How far it has come; null where it has not said.
    pub(crate) progress: Option<Progress>,
    /// What a person should know.
    pub(crate) notes: Vec<String>,
    /// Why it has broken off; null where it has not.
    pub(crate) error: Option<String>,
    /// Seconds since it began, or that it took.
    pub(crate) seconds: f64,
    /// Its picture; null where it has drawn nothing.
    pub(crate) chart: Option<Chart>,
    /// What it has come to so far, as a table.
    pub(crate) points: Option<Points>,
    /// Its report in sentences; null before the end.
    pub(crate) summary: Option<String>,
    /// Its report as data.
    pub(crate) report: Option<Value>,
    /// The files that it has written.
    pub(crate) files: Vec<File>,
    /// The player that it has made; null where it has made none.
    pub(crate) player: Option<String>,
}

/// A picture that grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Chart {
    /// It is another one when this is.
    pub(crate) version: u64,
}

/// A file that a job has written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct File {
    /// Its name.
    pub(crate) name: String,
    /// Its length.
    pub(crate) bytes: u64,
}

/// No more notes than these are kept: a program that warns without end fills no memory.
const MOST_NOTES: usize = 100;

impl Shown {
    /// Takes in what the job tells.
    pub(crate) fn hear(&mut self, line: Line) {
        match line {
            Line::Progress(progress) => self.progress = Some(progress),
            Line::Note(note) if self.notes.len() < MOST_NOTES => self.notes.push(note),
            Line::Note(_) => {}
            Line::Points(points) => self.points = Some(points),
            Line::Report { summary, data } => {
                (self.summary, self.report) = (Some(summary), Some(data));
            }
            Line::Error(error) => self.error = Some(error),
        }
    }
}
