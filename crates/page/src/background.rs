//! Work in the background that queries wait for.

use lucena_base::progress::{Observer, Progress};
use rayon::{ThreadPool, ThreadPoolBuilder};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The progress of solving a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SolvingResponse {
    /// The endgame.
    pub solving: String,
    /// The progress.
    pub progress: ProgressView,
}

/// The progress of work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProgressView {
    /// The current step, in words.
    pub what: String,
    /// The number of units done.
    pub done: u64,
    /// The total number of units; null if it is unknown.
    pub total: Option<u64>,
}

/// The time that a query waits for a result before it answers that work is going on.
pub(super) const PATIENCE: Duration = Duration::from_millis(60);

/// Runs work in the background, on threads of its own, so that quick queries are not delayed. Returns
/// its state.
pub(super) fn spawn_background(
    work: impl FnOnce(&BackgroundWork) + Send + 'static,
) -> Arc<BackgroundWork> {
    static THREADS: LazyLock<Option<ThreadPool>> =
        LazyLock::new(|| ThreadPoolBuilder::new().build().ok());
    let solving = Arc::new(BackgroundWork::default());
    let told = Arc::clone(&solving);
    let work = move || {
        let end = EndGuard(told);
        work(&end.0);
    };
    std::thread::spawn(move || match &*THREADS {
        Some(threads) => threads.install(work),
        None => work(),
    });
    solving
}

/// The state of work in the background, such as solving a table.
#[derive(Debug, Default)]
pub(super) struct BackgroundWork {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct State {
    progress: ProgressView,
    has_ended: bool,
}

impl BackgroundWork {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn progress(&self) -> ProgressView {
        self.state().progress.clone()
    }

    /// Waits for the end of the work, at most this long; returns true if it has ended.
    pub(super) fn waited(&self, patience: Duration) -> bool {
        let waiting = |state: &mut State| !state.has_ended;
        let waited = self.ended.wait_timeout_while(self.state(), patience, waiting);
        waited.unwrap_or_else(PoisonError::into_inner).0.has_ended
    }
}

impl Observer for BackgroundWork {
    fn report(&self, progress: Progress<'_>) {
        let Progress { what, done, total } = progress;
        self.state().progress = ProgressView { what: what.into(), done, total };
    }

    fn warn(&self, warning: &str) {
        tracing::warn!(target: "lucena::page::solving", "{warning}");
    }
}

/// Marks work as ended when dropped, even if it panics.
struct EndGuard(Arc<BackgroundWork>);

impl Drop for EndGuard {
    fn drop(&mut self) {
        self.0.state().has_ended = true;
        self.0.ended.notify_all();
    }
}
