//! A cache of results that take long to compute.

use super::Refusal;
use super::solving::{End, PATIENCE, Solving, Told, ToldProgress, aside};
use lucena_base::work::Watch;
use lucena_chess::Material;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Results that take long to compute, by key. They are computed in the background; until one is ready,
/// queries for it are told to come again. The results used last are kept.
pub(super) struct Kept<K, T>(Mutex<Works<K, T>>);

struct Works<K, T> {
    /// Each with the number of the query that used it last.
    by_key: BTreeMap<K, (u64, Arc<Work<T>>)>,
    questions: u64,
}

struct Work<T> {
    solving: Solving,
    found: OnceLock<Result<Arc<T>, Refusal>>,
}

/// The most results that are kept.
const MOST_KEPT: usize = 24;
/// The most results that are computed at the same time.
const MOST_AT_WORK: usize = 2;

impl<K, T> Default for Kept<K, T> {
    fn default() -> Self {
        Self(Mutex::new(Works { by_key: BTreeMap::new(), questions: 0 }))
    }
}

impl<K: Ord + Clone, T: Send + Sync + 'static> Kept<K, T> {
    /// The result for a key, which is about an endgame.
    pub(super) fn get(
        &self,
        key: K,
        material: Material,
        find: impl FnOnce(&dyn Watch) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<Arc<T>, Refusal> {
        let not_yet =
            |progress| Err(Refusal::Solving(Told { solving: material.to_string(), progress }));
        let Some(work) = self.work(&key, find) else {
            return not_yet(ToldProgress {
                what: "waiting for other work".into(),
                ..ToldProgress::default()
            });
        };
        if !work.solving.waited(PATIENCE) {
            return not_yet(work.solving.progress());
        }
        work.found.get().cloned().expect("it has been found once it has ended")
    }

    /// Drops the results of some keys.
    pub(super) fn forget(&self, is_forgotten: impl Fn(&K) -> bool) {
        self.works().by_key.retain(|key, _| !is_forgotten(key));
    }

    /// The work on a key, started if necessary; `None` if too much work is going on.
    fn work(
        &self,
        key: &K,
        find: impl FnOnce(&dyn Watch) -> Result<T, Refusal> + Send + 'static,
    ) -> Option<Arc<Work<T>>> {
        let mut works = self.works();
        works.questions += 1;
        let question = works.questions;
        if let Some((asked, work)) = works.by_key.get_mut(key) {
            *asked = question;
            return Some(Arc::clone(work));
        }
        let at_work = works.by_key.values().filter(|(_, work)| work.found.get().is_none()).count();
        if at_work >= MOST_AT_WORK {
            return None;
        }
        works.make_room();
        let work = Arc::new(Work { solving: Solving::default(), found: OnceLock::new() });
        works.by_key.insert(key.clone(), (question, Arc::clone(&work)));
        let told = Arc::clone(&work);
        aside(move || {
            let _end = End(&told.solving);
            let found = catch_unwind(AssertUnwindSafe(|| find(&told.solving)));
            let found = found.unwrap_or_else(|_| {
                Err(Refusal::nonsense("the work on this broke off: ask for something else"))
            });
            told.found.get_or_init(|| found.map(Arc::new));
        });
        Some(work)
    }

    fn works(&self) -> MutexGuard<'_, Works<K, T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Ord + Clone, T> Works<K, T> {
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
