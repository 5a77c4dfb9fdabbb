//! Serves a page on this machine: its files, answers to its questions, and jobs that run beside it.
//!
//! This crate knows HTTP, and nothing of chess. A [`Site`] answers questions: plain functions from a path
//! and a query to a [`Reply`]. A job is a program of its own, so that what computes for minutes neither
//! slows the answers down nor takes the server with it; a [`Plan`] says which. It tells of itself in lines
//! of JSON on its standard output ([`Line`]), and stops when its standard input ends.
//!
//! | what | how it is kept safe |
//! |---|---|
//! | who may ask | the names under which this machine is asked are checked, and where a page comes from |
//! | what a page may load | its own files alone |
//! | jobs | begun by POST alone, a few at a time; one that nobody listens to is stopped |
//! | bodies, questions | of bounded length |

mod assets;
mod guard;
mod job;
mod jobs;
mod openapi;
mod routes;
mod server;

pub use assets::part;
pub use job::{Line, Plan, Points, Progress};
pub use openapi::paths;
pub use server::{BindError, Bound, Listen};

use std::collections::BTreeMap;
use std::path::Path;

/// Who answers.
pub trait Site: Send + Sync + 'static {
    /// Answers a question: a path, and what stands behind the question mark. It may take a while; it may
    /// be asked from any thread.
    fn answer(&self, path: &str, query: &str) -> Reply;

    /// What is to be run for a job of a kind, whose files go to a folder.
    ///
    /// # Errors
    /// When what is asked makes no sense: a sentence says why.
    fn plan(
        &self,
        verb: &str,
        fields: &BTreeMap<String, String>,
        folder: &Path,
    ) -> Result<Plan, String>;

    /// Is told that a job has made a player.
    fn offer(&self, player: &str);

    /// Is told that a player is gone, as its job is forgotten.
    fn withdraw(&self, player: &str);
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The status of HTTP.
    pub status: u16,
    /// What kind of data the body is.
    pub media_type: &'static str,
    /// The data.
    pub body: Vec<u8>,
}
