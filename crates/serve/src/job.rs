//! A job is a separate process: its command, and the lines that it writes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ffi::OsString;

/// The command of a job.
#[derive(Debug, Clone)]
pub struct JobPlan {
    /// The title.
    pub title: String,
    /// A name for this job among others: the title, and what sets the job apart.
    pub name: String,
    /// The command line, as a person would write it.
    pub command: String,
    /// The words after the program's name.
    pub arguments: Vec<OsString>,
    /// The file of the job that is a picture of its results.
    pub chart: Option<String>,
    /// The player that a file of the job makes: the text before the file in the player's name, and the file.
    pub player: Option<(String, String)>,
}

/// A line of a job's output.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputLine {
    /// The progress.
    Progress(Progress),
    /// A message for people.
    Note(String),
    /// The results so far, as a table.
    Points(Points),
    /// The state at the moment, as data that only the page for this experiment understands.
    Live(Value),
    /// The final report.
    Report {
        /// The report in sentences.
        summary: String,
        /// The report as data.
        data: Value,
    },
    /// The reason why the job failed.
    Error(String),
}

/// The progress of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// The current step, in words.
    pub what: String,
    /// The number of units done.
    pub done: u64,
    /// The total number of units; null if it is unknown.
    pub total: Option<u64>,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Points {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, with texts and numbers; null for a missing value.
    pub rows: Vec<Vec<Value>>,
}
