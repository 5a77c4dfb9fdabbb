//! Work in the background that queries wait for, and a cache of its results.

use super::ApiError;
use super::api_error::{ProgressView, SolvingResponse};
use lucena_base::progress::{Observer, Progress};
use lucena_chess::Material;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// The time that a query waits for a result before it answers that work is going on.
const PATIENCE: Duration = Duration::from_millis(60);

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

    /// Waits a little for the end of the work on an endgame.
    ///
    /// # Errors
    /// If it has not ended by then.
    pub(super) fn wait(&self, material: Material) -> Result<(), ApiError> {
        let waiting = |state: &mut State| !state.has_ended;
        let waited = self.ended.wait_timeout_while(self.state(), PATIENCE, waiting);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if state.has_ended { Ok(()) } else { Err(not_yet(material, state.progress.clone())) }
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

/// The answer while work on an endgame goes on.
fn not_yet(material: Material, progress: ProgressView) -> ApiError {
    ApiError::Solving(SolvingResponse { solving: material.to_string(), progress })
}

/// Marks work as ended when dropped, even if it panics.
struct EndGuard(Arc<BackgroundWork>);

impl Drop for EndGuard {
    fn drop(&mut self) {
        self.0.state().has_ended = true;
        self.0.ended.notify_all();
    }
}

/// Results that take long to compute, each by the name of its subject in an endgame. They are computed in
/// the background; until one is ready, the answer to a query for it is to ask again later. Only the most
/// recently used results are kept.
pub(super) struct Cache<T>(Mutex<CacheState<T>>);

struct CacheState<T> {
    /// Each with the number of the query that used it last.
    by_key: BTreeMap<(String, Material), (u64, CacheEntry<T>)>,
    questions: u64,
}

struct CacheEntry<T> {
    solving: Arc<BackgroundWork>,
    found: Arc<OnceLock<Result<Arc<T>, ApiError>>>,
}

/// The most results that are kept.
const MOST_KEPT: usize = 24;
/// The most results that are computed at the same time.
const MOST_AT_WORK: usize = 2;

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self(Mutex::new(CacheState { by_key: BTreeMap::new(), questions: 0 }))
    }
}

impl<T> Clone for CacheEntry<T> {
    fn clone(&self) -> Self {
        Self { solving: Arc::clone(&self.solving), found: Arc::clone(&self.found) }
    }
}

impl<T: Send + Sync + 'static> Cache<T> {
    /// The result about a subject in an endgame.
    pub(super) fn get(
        &self,
        name: String,
        material: Material,
        find: impl FnOnce(&dyn Observer) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Arc<T>, ApiError> {
        let work = self.work((name, material), find).ok_or_else(|| {
            let what = "waiting for other work".into();
            not_yet(material, ProgressView { what, ..ProgressView::default() })
        })?;
        work.solving.wait(material)?;
        work.found.get().cloned().expect("it has been found once it has ended")
    }

    /// Drops the results about a subject.
    pub(super) fn forget(&self, name: &str) {
        let mut works = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        works.by_key.retain(|(known, _), _| known != name);
    }

    /// The work on a key, started if necessary; `None` if too much work is going on.
    fn work(
        &self,
        key: (String, Material),
        find: impl FnOnce(&dyn Observer) -> Result<T, ApiError> + Send + 'static,
    ) -> Option<CacheEntry<T>> {
        let mut works = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        works.questions += 1;
        let question = works.questions;
        if let Some((asked, work)) = works.by_key.get_mut(&key) {
            *asked = question;
            return Some(work.clone());
        }
        let at_work = works.by_key.values().filter(|(_, work)| work.found.get().is_none()).count();
        if at_work >= MOST_AT_WORK {
            return None;
        }
        works.make_room();
        let found = Arc::new(OnceLock::new());
        let result = Arc::clone(&found);
        let solving = spawn_background(move |solving| {
            let found = catch_unwind(AssertUnwindSafe(|| find(solving)));
            let found = found.unwrap_or_else(|_| {
                Err(ApiError::nonsense("the work on this broke off: ask for something else"))
            });
            result.get_or_init(|| found.map(Arc::new));
        });
        let work = CacheEntry { solving, found };
        works.by_key.insert(key, (question, work.clone()));
        Some(work)
    }
}

impl<T> CacheState<T> {
    /// Drops the results that have not been used for the longest time.
    fn make_room(&mut self) {
        while self.by_key.len() >= MOST_KEPT {
            let done = self.by_key.iter().filter(|(_, (_, work))| work.found.get().is_some());
            let Some((key, _)) = done.min_by_key(|(_, (asked, _))| *asked) else { return };
            let key = key.clone();
            self.by_key.remove(&key);
        }
    }
}
