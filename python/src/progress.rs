//! Long work: it runs in its own thread without the GIL, while the calling thread draws a bar and handles
//! Ctrl-C.

use lucena::progress::{Observer, Progress};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use std::any::Any;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The interval for checking for Ctrl-C and drawing the bar.
const PAUSE: Duration = Duration::from_millis(100);

/// The progress that work has reported.
#[derive(Default)]
pub(crate) struct WorkProgress {
    now: Mutex<Option<ProgressState>>,
    warnings: Mutex<Vec<String>>,
    is_stopped: AtomicBool,
}

#[derive(Clone)]
struct ProgressState {
    what: String,
    done: u64,
    total: Option<u64>,
}

impl Observer for WorkProgress {
    fn report(&self, progress: Progress<'_>) {
        let Progress { what, done, total } = progress;
        let mut now = lock(&self.now);
        match &mut *now {
            Some(now) if now.what == what => (now.done, now.total) = (done, total),
            _ => *now = Some(ProgressState { what: what.into(), done, total }),
        }
    }

    fn warn(&self, warning: &str) {
        lock(&self.warnings).push(warning.into());
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

/// A bar, which Python draws once work takes long.
#[derive(Default)]
pub(crate) struct Bar(Option<Py<PyAny>>);

impl Bar {
    /// Draws the reported progress.
    pub(crate) fn draw(&mut self, py: Python<'_>, told: &WorkProgress) -> PyResult<()> {
        let Some(ProgressState { what, done, total }) = lock(&told.now).clone() else {
            return Ok(());
        };
        let bar = match &self.0 {
            Some(bar) => bar,
            None => self.0.insert(py.import("lucena._bar")?.getattr("Bar")?.call0()?.unbind()),
        };
        bar.call_method1(py, "tell", (what, done, total))?;
        Ok(())
    }

    /// Removes the bar, and passes on the warnings of the work.
    pub(crate) fn close(self, py: Python<'_>, told: &WorkProgress) -> PyResult<()> {
        if let Some(bar) = self.0 {
            bar.call_method0(py, "close")?;
        }
        for warning in lock(&told.warnings).drain(..) {
            let text = CString::new(warning.replace('\0', " ")).unwrap_or_default();
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
        }
        Ok(())
    }
}

/// Runs long work.
///
/// # Errors
/// If a signal handler raises, as with Ctrl-C.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&dyn Observer) -> T + Send,
) -> PyResult<T> {
    let told = WorkProgress::default();
    let (result, is_done) = (Mutex::new(None), Condvar::new());
    let (mut bar, mut raised) = (Bar::default(), None);
    let done = thread::scope(|scope| {
        scope.spawn(|| {
            let done = catch_unwind(AssertUnwindSafe(|| work(&told)));
            *lock(&result) = Some(done);
            is_done.notify_one();
        });
        loop {
            if let Some(done) = py.detach(|| wait(&result, &is_done)) {
                return done;
            }
            if raised.is_none()
                && let Err(error) = py.check_signals().and_then(|()| bar.draw(py, &told))
            {
                told.is_stopped.store(true, Ordering::Relaxed);
                raised = Some(error);
            }
        }
    });
    bar.close(py, &told)?;
    match (raised, done) {
        (_, Err(panic)) => resume_unwind(panic),
        (Some(error), Ok(_)) => Err(error),
        (None, Ok(done)) => Ok(done),
    }
}

type ThreadResult<T> = Result<T, Box<dyn Any + Send>>;

/// Waits for a short time, and returns the result of the work if it is done.
fn wait<T>(result: &Mutex<Option<ThreadResult<T>>>, is_done: &Condvar) -> Option<ThreadResult<T>> {
    let waited = is_done.wait_timeout_while(lock(result), PAUSE, |result| result.is_none());
    waited.unwrap_or_else(PoisonError::into_inner).0.take()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
