//! Serves a page on this machine: its files, an API, and jobs that run beside it.
//!
//! This crate handles HTTP, and knows nothing of chess. A [`Site`] answers queries: it maps a path and a
//! query to a [`Reply`]. A job is a separate process, so that a long computation neither slows the
//! answers down nor crashes the server; a [`JobPlan`] is its command line. It writes lines of JSON to
//! its standard output ([`OutputLine`]), and stops when its standard input ends.
//!
//! | subject | protection |
//! |---|---|
//! | access | the host name of a request must be this machine's, and its origin must be our page |
//! | content of the page | only its own files |
//! | jobs | started by POST only, a few at a time; a job without listeners is stopped |
//! | bodies, queries | of bounded length |
//!
//! The server is behind the feature `server`. Without it the crate has the page's files ([`part`]) and the
//! types of jobs, and needs neither axum nor tokio.

mod assets;
mod job;
#[cfg(feature = "server")]
mod server;

pub use assets::part;
pub use job::{JobPlan, OutputLine, Points, Progress};
#[cfg(feature = "server")]
pub use server::{BindError, BoundServer, ResultsFolder, paths};

use std::collections::BTreeMap;
use std::path::Path;

/// Answers queries and plans jobs.
pub trait Site: Send + Sync + 'static {
    /// Answers a query, given the path and the query string of a URL. It may take a while, and is called
    /// from any thread.
    fn answer(&self, path: &str, query: &str) -> Reply;

    /// Plans a job of a given kind, whose files go to a folder.
    ///
    /// # Errors
    /// If the request makes no sense: the reason, in a sentence.
    fn plan(
        &self,
        verb: &str,
        fields: &BTreeMap<String, String>,
        folder: &Path,
    ) -> Result<JobPlan, String>;

    /// Called when there is a player that a job has made, or when its title changes. The title is what people called it.
    fn offer(&self, player: &str, title: &str);

    /// Called after a player was deleted.
    fn withdraw(&self, player: &str);

    /// Called with a sentence about something that the server could not do.
    fn warn(&self, what: &str);
}

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status code.
    pub status: u16,
    /// The media type of the body.
    pub media_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
}
