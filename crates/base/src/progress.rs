//! Progress reports and cancellation of long work.
//!
//! The caller passes an [`Observer`] to long work. The work reports its progress to it now and
//! then, and checks whether it should continue; if not, it returns [`Stopped`]. The command line
//! draws a progress bar and reacts to Ctrl-C, the page sends events, and a program that does not
//! care passes [`NoObserver`].

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The progress of long work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// A description of the work: "solving KRvK", "games".
    pub what: &'a str,
    /// The number of steps done.
    pub done: u64,
    /// The total number of steps; `None` if unknown.
    pub total: Option<u64>,
}

/// An intermediate result of long work: named figures, of which the first is the position on the x axis.
/// All points of one computation have the same names; they may arrive in any order.
pub type Point<'a> = &'a [(&'a str, f64)];

/// An observer of long work. Its methods may be called from any thread. By default it ignores everything
/// and never stops the work.
pub trait Observer: Sync {
    /// Receives a progress report. Called rarely enough to cost nothing.
    fn report(&self, _progress: Progress<'_>) {}

    /// Receives a warning for the user; the work continues.
    fn warn(&self, _warning: &str) {}

    /// Receives an intermediate result: a point of a growing curve.
    fn point(&self, _point: Point<'_>) {}

    /// Returns true if the work should stop now.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Returns an error if the work should stop.
    ///
    /// # Errors
    /// [`Stopped::Request`] if [`Observer::is_stopped`] returns true.
    fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped::Request) } else { Ok(()) }
    }
}

/// The work ended before it was done; no partial result is left behind.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Stopped {
    /// The observer stopped it.
    #[error("stopped before it was done")]
    Request,
    /// A file that it needs can no longer be read, for this reason.
    #[error(transparent)]
    Unreadable(Arc<dyn Error + Send + Sync>),
}

impl PartialEq for Stopped {
    /// Two errors are equal if they say the same.
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Stopped {}

/// An [`Observer`] that ignores everything and never stops the work.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}

/// An observer that also stops the work when its time is used up.
pub struct Deadline<'o> {
    observer: &'o dyn Observer,
    /// The time of the stop, if there is one.
    until: Option<Instant>,
}

impl<'o> Deadline<'o> {
    /// An observer that passes everything on to another one, and stops the work at a time.
    pub fn new(observer: &'o dyn Observer, until: Option<Instant>) -> Self {
        Self { observer, until }
    }

    /// The observer that everything is passed on to.
    pub fn observer(&self) -> &'o dyn Observer {
        self.observer
    }

    /// Returns the time left; `None` if there is no deadline.
    pub fn time_left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    /// Returns true if the time is used up.
    pub fn has_passed(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

impl Observer for Deadline<'_> {
    fn report(&self, progress: Progress<'_>) {
        self.observer.report(progress);
    }

    fn warn(&self, warning: &str) {
        self.observer.warn(warning);
    }

    fn point(&self, point: Point<'_>) {
        self.observer.point(point);
    }

    fn is_stopped(&self) -> bool {
        self.observer.is_stopped() || self.has_passed()
    }
}

/// The longest times that were too short for pieces of work, by their keys. Such work is tried again only with twice the
/// time.
///
/// ```
/// use lucena_base::progress::{Deadline, NoObserver, ShortTimes};
/// use std::time::{Duration, Instant};
///
/// let mut short = ShortTimes::default();
/// let soon = Deadline::new(&NoObserver, Some(Instant::now()));
/// assert!(short.allow(&"work", &soon));
/// short.add("work", Duration::from_secs(1));
/// assert!(!short.allow(&"work", &soon));
/// assert!(short.allow(&"other work", &soon) && short.allow(&"work", &Deadline::new(&NoObserver, None)));
/// ```
#[derive(Debug)]
pub struct ShortTimes<K>(BTreeMap<K, Duration>);

impl<K> Default for ShortTimes<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord> ShortTimes<K> {
    /// Returns true if the time before a deadline is worth a try.
    pub fn allow(&self, key: &K, deadline: &Deadline<'_>) -> bool {
        let tried = self.0.get(key);
        tried.zip(deadline.time_left()).is_none_or(|(&tried, left)| left >= 2 * tried)
    }

    /// Adds a time that was too short.
    pub fn add(&mut self, key: K, spent: Duration) {
        let longest = self.0.entry(key).or_default();
        *longest = spent.max(*longest);
    }

    /// Forgets all times.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// Combined progress of work whose parts run in parallel and count the same kind of steps.
///
/// ```
/// use lucena_base::progress::{Progress, NoObserver, Observer, SharedProgress};
///
/// let whole = SharedProgress::new(&NoObserver, "games", 20);
/// let parts = [whole.part(), whole.part()];
/// parts[0].report(Progress { what: "games", done: 3, total: Some(10) });
/// parts[1].report(Progress { what: "games", done: 4, total: Some(10) });
/// parts[1].report(Progress { what: "games", done: 5, total: Some(10) });
/// assert_eq!(whole.done(), 8);
/// ```
pub struct SharedProgress<'w> {
    observer: &'w dyn Observer,
    what: &'w str,
    total: u64,
    done: AtomicU64,
}

impl<'w> SharedProgress<'w> {
    /// Work of `total` steps.
    pub fn new(observer: &'w dyn Observer, what: &'w str, total: u64) -> Self {
        Self { observer, what, total, done: AtomicU64::new(0) }
    }

    /// Returns an observer for one part of the work.
    pub fn part(&self) -> PartProgress<'_> {
        PartProgress { whole: self, done: AtomicU64::new(0) }
    }

    /// The number of steps done by all parts.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Counts `more` steps as done and reports the progress.
    pub fn add(&self, more: u64) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        self.observer.report(Progress { what: self.what, done, total: Some(self.total) });
    }
}

/// The observer of one part of a [`SharedProgress`]. It drops intermediate results, since they are not those of
/// the whole.
pub struct PartProgress<'w> {
    whole: &'w SharedProgress<'w>,
    done: AtomicU64,
}

impl Observer for PartProgress<'_> {
    fn report(&self, progress: Progress<'_>) {
        let before = self.done.swap(progress.done, Ordering::Relaxed);
        self.whole.add(progress.done.saturating_sub(before));
    }

    fn warn(&self, warning: &str) {
        self.whole.observer.warn(warning);
    }

    fn is_stopped(&self) -> bool {
        self.whole.observer.is_stopped()
    }
}

/// A sample of a growing curve: evenly spaced points, and the newest. Beyond a number of points every other one is
/// dropped, and from then on every other new one.
#[derive(Debug, Clone)]
pub struct CurveSample {
    most: usize,
    /// Sorted by their first figure.
    kept: Vec<Vec<f64>>,
    /// One point in so many is kept.
    stride: u64,
    /// The number of points that were added.
    added: u64,
    /// The newest point, if it is not kept.
    newest: Option<Vec<f64>>,
}

impl CurveSample {
    /// A sample without points, of at most so many and the newest.
    pub fn new(most: usize) -> Self {
        Self { most: most.max(2), kept: Vec::new(), stride: 1, added: 0, newest: None }
    }

    /// Returns true if there are no points.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The points, sorted by their first figure.
    pub fn iter(&self) -> impl Iterator<Item = &Vec<f64>> {
        let is_before =
            |point: &Vec<f64>| self.newest.as_ref().is_none_or(|newest| point[0] <= newest[0]);
        let (before, after) = self.kept.split_at(self.kept.partition_point(is_before));
        before.iter().chain(&self.newest).chain(after)
    }

    /// Adds a point, of which the first figure is the position on the x axis.
    ///
    /// # Panics
    /// If the point has no figures.
    pub fn add(&mut self, point: Vec<f64>) {
        let is_kept = self.added.is_multiple_of(self.stride);
        self.added += 1;
        if !is_kept {
            self.newest = Some(point);
            return;
        }
        self.newest = None;
        let place = self.kept.partition_point(|other| other[0] <= point[0]);
        self.kept.insert(place, point);
        if self.kept.len() > self.most {
            self.kept = std::mem::take(&mut self.kept).into_iter().step_by(2).collect();
            self.stride *= 2;
        }
    }
}

/// Runs work, and returns its result and the seconds it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

/// The settings of a randomised search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchSettings {
    /// The seed of the random numbers: the same seed makes the same candidates.
    pub seed: u64,
    /// The limit of the search.
    pub budget: Budget,
    /// The number of independent searches, each with its own random numbers; at least one. The result
    /// depends on it, but not on the number of processors.
    pub chains: usize,
}

/// The limit of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// A time limit. The result then depends on the speed of the machine.
    Time(Duration),
    /// A number of candidates, rounded up to a multiple of the number of chains. The result is the same
    /// on every machine.
    Candidates(u64),
}

impl Budget {
    /// Returns one of `parts` equal parts of the budget.
    ///
    /// ```
    /// use lucena_base::progress::Budget;
    ///
    /// assert_eq!(Budget::Candidates(1_000).part(4), Budget::Candidates(250));
    /// ```
    ///
    /// # Panics
    /// If `parts` is 0.
    pub fn part(self, parts: u32) -> Self {
        match self {
            Self::Time(time) => Self::Time(time / parts),
            Self::Candidates(count) => Self::Candidates(count / u64::from(parts)),
        }
    }

    /// The number of candidates, if the budget is one.
    pub fn candidates(self) -> Option<u64> {
        match self {
            Self::Time(_) => None,
            Self::Candidates(count) => Some(count),
        }
    }

    /// The deadline, if the budget is a time.
    pub fn until(self, begin: Instant) -> Option<Instant> {
        match self {
            Self::Time(time) => begin.checked_add(time),
            Self::Candidates(_) => None,
        }
    }

    /// The number of candidates that each chain tries next: at most `round`, and 0 if the budget is spent.
    pub fn round(self, round: u64, elapsed: Duration, candidates: u64, chains: usize) -> u64 {
        match self {
            Self::Time(time) if elapsed < time => round,
            Self::Time(_) => 0,
            Self::Candidates(most) => {
                round.min(most.saturating_sub(candidates).div_ceil(chains as u64))
            }
        }
    }
}
