//! Tables that are being solved while somebody waits.

use lucena_base::work::{Progress, Watch};
use rayon::{ThreadPool, ThreadPoolBuilder};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How far the solving of a table has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Told {
    /// The endgame.
    pub solving: String,
    /// How far it has come.
    pub progress: ToldProgress,
}

/// How far work has come.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ToldProgress {
    /// What is being done, in words.
    pub what: String,
    /// How many steps of it are done.
    pub done: u64,
    /// How many there are; null where nobody can know.
    pub total: Option<u64>,
}

/// How long a question waits for what takes long before it is told to come again.
pub(super) const PATIENCE: Duration = Duration::from_millis(60);

/// Does work aside, with threads of its own: what is quick does not wait for it.
pub(super) fn aside(work: impl FnOnce() + Send + 'static) {
    static THREADS: LazyLock<Option<ThreadPool>> =
        LazyLock::new(|| ThreadPoolBuilder::new().build().ok());
    std::thread::spawn(move || match &*THREADS {
        Some(threads) => threads.install(work),
        None => work(),
    });
}

/// A table in the making, or other work that takes long.
#[derive(Debug, Default)]
pub(super) struct Solving {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct State {
    progress: ToldProgress,
    has_ended: bool,
}

impl Solving {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn progress(&self) -> ToldProgress {
        self.state().progress.clone()
    }

    pub(super) fn end(&self) {
        self.state().has_ended = true;
        self.ended.notify_all();
    }

    /// Whether it has ended, at the latest after some patience.
    pub(super) fn waited(&self, patience: Duration) -> bool {
        let waiting = |state: &mut State| !state.has_ended;
        let waited = self.ended.wait_timeout_while(self.state(), patience, waiting);
        waited.unwrap_or_else(PoisonError::into_inner).0.has_ended
    }
}

impl Watch for Solving {
    fn tell(&self, progress: Progress<'_>) {
        let Progress { what, done, total } = progress;
        self.state().progress = ToldProgress { what: what.into(), done, total };
    }

    fn warn(&self, warning: &str) {
        tracing::warn!("{warning}");
    }

    fn is_stopped(&self) -> bool {
        false
    }
}

/// Says that work has ended, however it ends.
pub(super) struct End<'s>(pub(super) &'s Solving);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}
