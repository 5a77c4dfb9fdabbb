//! Long work: what it tells of itself while it goes on, and how it is stopped.
//!
//! Whoever starts long work hands it a [`Watch`]. The work tells it now and then how far it has come,
//! and asks whether to go on; where the answer is no, it ends with [`Stopped`]. A command line draws a
//! bar and answers to Ctrl-C, a page sends events, a program that does not care passes [`Unwatched`].

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How far long work has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// What is being done, in words: "solving KRvK", "games".
    pub what: &'a str,
    /// How many steps of it are done.
    pub done: u64,
    /// How many steps there are; nothing where nobody can know.
    pub total: Option<u64>,
}

/// What long work has come to so far: figures with names, the first of which says where on the way they were
/// taken. The points of one work have the same names, and may come in any order.
pub type Point<'a> = &'a [(&'a str, f64)];

/// Whoever waits for long work. It may be told and asked from any thread.
pub trait Watch: Sync {
    /// Is told how far the work has come: seldom enough to cost nothing.
    fn tell(&self, progress: Progress<'_>);

    /// Is told something that a person should know although the work goes on.
    fn warn(&self, warning: &str);

    /// Is told what the work has come to so far: a point of a curve that grows.
    fn point(&self, _point: Point<'_>) {}

    /// Whether the work should end where it stands.
    fn is_stopped(&self) -> bool;

    /// Nothing if the work should go on.
    ///
    /// # Errors
    /// When it should not.
    fn go_on(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}

/// Work was stopped before it was done; nothing half done is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before it was done")]
pub struct Stopped;

/// Nobody looks on, and nobody stops the work.
///
/// ```
/// use lucena_base::work::{Unwatched, Watch};
///
/// assert!(Unwatched.go_on().is_ok());
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn tell(&self, _: Progress<'_>) {}

    fn warn(&self, _: &str) {}

    fn is_stopped(&self) -> bool {
        false
    }
}

/// Work whose parts go on side by side and count the same steps: it is told as one.
///
/// ```
/// use lucena_base::work::{Progress, Unwatched, Watch, Whole};
///
/// let whole = Whole::new(&Unwatched, "games", 20);
/// let parts = [whole.part(), whole.part()];
/// parts[0].tell(Progress { what: "games", done: 3, total: Some(10) });
/// parts[1].tell(Progress { what: "games", done: 4, total: Some(10) });
/// parts[1].tell(Progress { what: "games", done: 5, total: Some(10) });
/// assert_eq!(whole.done(), 8);
/// ```
pub struct Whole<'w> {
    watch: &'w dyn Watch,
    what: &'w str,
    total: u64,
    done: AtomicU64,
}

impl<'w> Whole<'w> {
    /// Work of so many steps in all.
    pub fn new(watch: &'w dyn Watch, what: &'w str, total: u64) -> Self {
        Self { watch, what, total, done: AtomicU64::new(0) }
    }

    /// One of its parts, to be handed to what does it.
    pub fn part(&self) -> Part<'_> {
        Part { whole: self, done: AtomicU64::new(0) }
    }

    /// How many steps all parts have done.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Counts more steps as done.
    pub fn add(&self, more: u64) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        self.watch.tell(Progress { what: self.what, done, total: Some(self.total) });
    }
}

/// A part of a [`Whole`]. What it has come to so far is told to nobody: it is not what the whole has.
pub struct Part<'w> {
    whole: &'w Whole<'w>,
    done: AtomicU64,
}

impl Watch for Part<'_> {
    fn tell(&self, progress: Progress<'_>) {
        let before = self.done.swap(progress.done, Ordering::Relaxed);
        self.whole.add(progress.done.saturating_sub(before));
    }

    fn warn(&self, warning: &str) {
        self.whole.watch.warn(warning);
    }

    fn is_stopped(&self) -> bool {
        self.whole.watch.is_stopped()
    }
}

/// How a search goes about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Search {
    /// Where the random numbers start: the same seed makes the same candidates.
    pub seed: u64,
    /// When it stops.
    pub budget: Budget,
    /// How many searches run side by side, each with its own random numbers; at least one. What is
    /// found depends on it, but not on how many processors there are.
    pub chains: usize,
}

/// When a search stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// After this time. How far it comes then depends on the machine.
    Time(Duration),
    /// After this many candidates, rounded up to as many for each chain. What is found is the same
    /// everywhere.
    Candidates(u64),
}

impl Budget {
    /// One of so many equal parts.
    ///
    /// ```
    /// use lucena_base::work::Budget;
    ///
    /// assert_eq!(Budget::Candidates(1_000).part(4), Budget::Candidates(250));
    /// ```
    ///
    /// # Panics
    /// With no parts.
    pub fn part(self, parts: u32) -> Self {
        match self {
            Self::Time(time) => Self::Time(time / parts),
            Self::Candidates(count) => Self::Candidates(count / u64::from(parts)),
        }
    }

    /// When the time is up, if it is time that ends the search.
    pub fn until(self, begin: Instant) -> Option<Instant> {
        match self {
            Self::Time(time) => begin.checked_add(time),
            Self::Candidates(_) => None,
        }
    }

    /// How many candidates each chain looks at next, at most a round; none where nothing is left.
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
