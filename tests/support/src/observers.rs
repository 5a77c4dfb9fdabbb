//! An observer of long work that records reports and stops the work.

use lucena_base::progress::{Observer, Progress};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Records reports, and stops the work after a number of questions.
#[derive(Default)]
pub struct RecordingObserver {
    pub told: Mutex<Vec<ProgressReport>>,
    pub warned: Mutex<Vec<String>>,
    pub asked: AtomicU64,
    pub patience: Option<u64>,
}

/// A reported [`Progress`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgressReport {
    pub what: String,
    pub done: u64,
    pub total: Option<u64>,
}

impl RecordingObserver {
    /// Stops after the given number of questions.
    pub fn stopping_after(questions: u64) -> Self {
        Self { patience: Some(questions), ..Self::default() }
    }

    /// The reports, in order.
    pub fn reports(&self) -> Vec<ProgressReport> {
        self.told.lock().unwrap().clone()
    }

    /// The largest number of steps reported as done.
    pub fn most_done(&self) -> u64 {
        self.reports().iter().map(|told| told.done).max().expect("something was told")
    }
}

impl Observer for RecordingObserver {
    fn report(&self, progress: Progress<'_>) {
        let Progress { what, done, total } = progress;
        self.told.lock().unwrap().push(ProgressReport { what: what.into(), done, total });
    }

    fn warn(&self, warning: &str) {
        self.warned.lock().unwrap().push(warning.into());
    }

    fn is_stopped(&self) -> bool {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        self.patience.is_some_and(|patience| asked >= patience)
    }
}
