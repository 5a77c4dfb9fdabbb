//! Work in the background that queries wait for, and a cache of its results.

use super::api_error::{ProgressView, SolvingResponse};
use super::{ApiError, Result};
use lucena_base::progress::{Observer, Progress};
use lucena_chess::Material;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time that a query waits for a result before it answers that work is going on.
const PATIENCE: Duration = Duration::from_millis(60);

/// Work in the background, such as solving a table, and its result.
pub(super) struct BackgroundWork<T> {
    state: Mutex<State<T>>,
    ended: Condvar,
}

/// Work that several queries wait for.
pub(super) type SharedWork<T> = Arc<BackgroundWork<T>>;

struct State<T> {
    progress: ProgressView,
    /// `None` until the work has ended.
    found: Option<Result<T>>,
}

impl<T: Clone + Send + 'static> BackgroundWork<T> {
    /// Runs work in the background, on its own threads, so that quick queries are not delayed.
    pub(super) fn spawn(
        work: impl FnOnce(&dyn Observer) -> Result<T> + Send + 'static,
    ) -> SharedWork<T> {
        static THREADS: LazyLock<Option<ThreadPool>> =
            LazyLock::new(|| ThreadPoolBuilder::new().build().ok());
        let state = State { progress: ProgressView::default(), found: None };
        let started = Arc::new(Self { state: Mutex::new(state), ended: Condvar::new() });
        let running = Arc::clone(&started);
        let work = move || {
            let found = catch_unwind(AssertUnwindSafe(|| work(&*running)));
            let found = found.unwrap_or_else(|_| {
                Err(ApiError::bad_request("the work on this was interrupted: repeat the request"))
            });
            running.state().found = Some(found);
            running.ended.notify_all();
        };
        std::thread::spawn(move || match &*THREADS {
            Some(threads) => threads.install(work),
            None => work(),
        });
        started
    }

    /// Waits a little for the result of the work on an endgame; an error if it has not ended by then.
    pub(super) fn wait(&self, material: Material) -> Result<T> {
        let waiting = |state: &mut State<T>| state.found.is_none();
        let waited = self.ended.wait_timeout_while(self.state(), PATIENCE, waiting);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.found.clone().unwrap_or_else(|| Err(not_yet(material, state.progress.clone())))
    }
}

impl<T> BackgroundWork<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_ended(&self) -> bool {
        self.state().found.is_some()
    }
}

impl<T: Send> Observer for BackgroundWork<T> {
    fn report(&self, progress: Progress<'_>) {
        let Progress { what, done, total } = progress;
        self.state().progress = ProgressView { what: what.into(), done, total };
    }

    fn warn(&self, warning: &str) {
        tracing::warn!(target: "lucena::page::solving", "{warning}");
    }
}

/// Returns true if the answer tells that work has failed, and not that it goes on.
pub(super) fn has_failed<T>(answer: &Result<T>) -> bool {
    answer.as_ref().is_err_and(|error| !matches!(error, ApiError::Solving(_)))
}

/// The answer while work on an endgame goes on.
fn not_yet(material: Material, progress: ProgressView) -> ApiError {
    ApiError::Solving(SolvingResponse { solving: material.to_string(), progress })
}

/// Results that take long to compute, each by the name of its subject in an endgame. They are computed in
/// the background; until one is ready, the answer to a query for it is to ask again later. Only the most
/// recently used results are kept.
pub(super) struct Cache<T>(Mutex<CacheState<T>>);

struct CacheState<T> {
    /// Each with the number of the query that used it last.
    by_key: BTreeMap<Key, (u64, SharedWork<Arc<T>>)>,
    questions: u64,
}

/// The subject and the endgame of a result.
type Key = (String, Material);

/// The most results that are kept.
const MAX_KEPT: usize = 24;
/// The most results that are computed at the same time.
const MAX_AT_WORK: usize = 2;

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self(Mutex::new(CacheState { by_key: BTreeMap::new(), questions: 0 }))
    }
}

impl<T: Send + Sync + 'static> Cache<T> {
    /// The result about a subject in an endgame. Work that has failed is started again by the next query.
    pub(super) fn get(
        &self,
        name: String,
        material: Material,
        find: impl FnOnce(&dyn Observer) -> Result<T> + Send + 'static,
    ) -> Result<Arc<T>> {
        let key = (name, material);
        let work = self.work(key.clone(), find).ok_or_else(|| {
            let what = "waiting for other work".into();
            not_yet(material, ProgressView { what, ..ProgressView::default() })
        })?;
        let answer = work.wait(material);
        if has_failed(&answer) {
            let mut works = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // Another query may have started it again already.
            if works.by_key.get(&key).is_some_and(|(_, known)| Arc::ptr_eq(known, &work)) {
                works.by_key.remove(&key);
            }
        }
        answer
    }

    /// Drops the results about a subject.
    pub(super) fn forget(&self, name: &str) {
        let mut works = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        works.by_key.retain(|(known, _), _| known != name);
    }

    /// The work on a key, started if necessary; `None` if too much work is going on.
    fn work(
        &self,
        key: Key,
        find: impl FnOnce(&dyn Observer) -> Result<T> + Send + 'static,
    ) -> Option<SharedWork<Arc<T>>> {
        let mut works = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        works.questions += 1;
        let question = works.questions;
        if let Some((asked, work)) = works.by_key.get_mut(&key) {
            *asked = question;
            return Some(Arc::clone(work));
        }
        if works.by_key.values().filter(|(_, work)| !work.has_ended()).count() >= MAX_AT_WORK {
            return None;
        }
        works.make_room();
        let work = BackgroundWork::spawn(|observer| find(observer).map(Arc::new));
        works.by_key.insert(key, (question, Arc::clone(&work)));
        Some(work)
    }
}

impl<T> CacheState<T> {
    /// Drops the results that have not been used for the longest time.
    fn make_room(&mut self) {
        while self.by_key.len() >= MAX_KEPT {
            let done = self.by_key.iter().filter(|(_, (_, work))| work.has_ended());
            let Some((key, _)) = done.min_by_key(|(_, (asked, _))| *asked) else { return };
            let key = key.clone();
            self.by_key.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn work_that_has_failed_says_so_once_and_is_started_again() {
        static STARTS: AtomicUsize = AtomicUsize::new(0);
        let cache = Cache::default();
        let ask =
            || loop {
                let answer =
                    cache.get("a subject".into(), "KRvK".parse().expect("a material"), |_| {
                        match STARTS.fetch_add(1, Ordering::SeqCst) {
                            0 => Err(ApiError::bad_request("the first time")),
                            1 => panic!("the second time"),
                            start => Ok(start),
                        }
                    });
                match answer {
                    Err(ApiError::Solving(_)) => {}
                    answer => return answer.map(|found| *found).map_err(|error| error.to_string()),
                }
            };
        assert_eq!(ask(), Err("the first time".into()));
        assert!(ask().is_err_and(|error| error.contains("interrupted")));
        assert_eq!((ask(), ask()), (Ok(2), Ok(2)));
    }
}
