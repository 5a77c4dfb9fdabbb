//! A job: a program that runs beside the server, and what it has told of itself.

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// What is being done, in words.
    pub what: String,
    /// How many steps of it are done.
    pub done: u64,
    /// How many there are; null where nobody can know.
    pub total: Option<u64>,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Points {
    /// What its columns are called.
    pub columns: Vec<String>,
    /// Its rows, texts and numbers; null where there is none.
    pub rows: Vec<Vec<Value>>,
}

/// Whether a job goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Standing {
    Running,
    Done,
    Failed,
    Stopped,
}

/// A job as the page sees it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Shown {
    pub(crate) id: String,
    pub(crate) verb: String,
    pub(crate) title: String,
    pub(crate) command: String,
    pub(crate) fields: BTreeMap<String, String>,
    pub(crate) state: Standing,
    pub(crate) progress: Option<Progress>,
    pub(crate) notes: Vec<String>,
    pub(crate) error: Option<String>,
    pub(crate) seconds: f64,
    pub(crate) chart: Option<Chart>,
    pub(crate) points: Option<Points>,
    pub(crate) summary: Option<String>,
    pub(crate) report: Option<Value>,
    pub(crate) files: Vec<File>,
    pub(crate) player: Option<String>,
}

/// A picture that grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Chart {
    /// It is another one when this is.
    pub(crate) version: u64,
}

/// A file that a job has written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct File {
    pub(crate) name: String,
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
