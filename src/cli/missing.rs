//! The answers of a program without all features to requests that need one of them.

use super::{Failure, Result};
use std::ffi::OsString;

/// Serve a web page on this machine (only with the feature serve)
#[cfg(not(feature = "serve"))]
#[derive(clap::Args)]
pub(super) struct Serve {
    #[arg(long = "port", hide = true)]
    _port: Option<OsString>,
    #[arg(long = "listen", hide = true)]
    _listen: Option<OsString>,
    #[arg(long = "players", hide = true)]
    _players: Vec<OsString>,
    #[arg(long = "results", hide = true)]
    _results: Option<OsString>,
    #[arg(long = "engine", hide = true)]
    _engines: Vec<OsString>,
    #[command(flatten)]
    _syzygy: super::syzygy::SyzygyArgs,
    #[command(flatten)]
    _tables: super::tables::TableArgs,
}

#[cfg(not(feature = "serve"))]
impl Serve {
    pub(super) fn run(self) -> Result<()> {
        Err(missing("has no web page", "serve"))
    }
}

/// Options that share the work of solving among workers.
#[cfg(not(feature = "dist"))]
#[derive(clap::Args)]
pub(super) struct WorkerArgs {
    #[arg(long, hide = true)]
    processes: Option<OsString>,
    #[arg(long, hide = true)]
    hosts: Option<OsString>,
    #[arg(long, hide = true)]
    here: Option<OsString>,
}

#[cfg(not(feature = "dist"))]
impl WorkerArgs {
    /// Refuses to share the work.
    pub(super) fn check(&self) -> Result<()> {
        match (&self.processes, &self.hosts, &self.here) {
            (None, None, None) => Ok(()),
            _ => Err(missing("solves in one process", "dist")),
        }
    }
}

fn missing(fact: &str, feature: &str) -> Failure {
    Failure::usage(format!(
        "this program {fact}: build it with the feature {feature}, as in cargo run --release --features full"
    ))
}
