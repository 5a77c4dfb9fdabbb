//! The server.

mod guard;
mod job_view;
mod jobs;
mod openapi;
mod refusal;
mod results;
mod routes;

pub use openapi::paths;
pub use results::ResultsFolder;

use crate::Site;
use jobs::Jobs;
use routes::{AppState, routes};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The error if the server cannot listen.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {}", words(.source))]
pub struct BindError {
    /// The address.
    pub address: SocketAddr,
    /// The cause.
    pub source: io::Error,
}

fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            "another program listens there; choose another port, or 0 for any that is free".into()
        }
        io::ErrorKind::AddrNotAvailable => {
            "this machine has no such address; choose one of its addresses".into()
        }
        io::ErrorKind::PermissionDenied => "it is not allowed; choose a port above 1023".into(),
        _ => error.to_string(),
    }
}

/// A server that listens but does not answer yet.
pub struct BoundServer {
    listener: TcpListener,
    address: SocketAddr,
}

impl BoundServer {
    /// Starts to listen; port 0 stands for any that is free.
    ///
    /// # Errors
    /// If the address or the port cannot be used.
    pub fn new(address: SocketAddr) -> Result<Self, BindError> {
        let failed = |source| BindError { address, source };
        let listener = TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address })
    }

    /// The URL for a browser.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Returns true if other machines can reach the server.
    pub fn is_open_to_others(&self) -> bool {
        !self.address.ip().is_loopback()
    }

    /// Answers requests until it is asked to end; then all jobs are stopped, within seconds. Jobs run
    /// `program`, and their results are stored in a folder, from which earlier ones are read.
    ///
    /// # Errors
    /// If the machine has too few resources for a server.
    pub fn serve(
        self,
        site: Arc<dyn Site>,
        program: PathBuf,
        results: ResultsFolder,
        is_to_end: fn() -> bool,
    ) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let served = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let jobs = Arc::new(Jobs::new(Arc::clone(&site), program, results));
            let state = AppState::new(site, Arc::clone(&jobs), self.address);
            let ended = tokio::select! {
                ended = async { axum::serve(listener, routes(state)).await } => ended,
                () = is_ending(is_to_end) => Ok(()),
            };
            jobs.end_all().await;
            ended
        });
        // Queries that are still computing are not waited for.
        runtime.shutdown_timeout(Duration::from_millis(300));
        served
    }
}

async fn is_ending(is_to_end: fn() -> bool) {
    while !is_to_end() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
