use super::TimeMode;
use lucena_base::progress::{Observer, Progress};
use std::time::{Duration, Instant};

/// Another observer that also stops work when the time for it is over.
///
/// Tables that are not at hand are solved on the player's time. This leaves the rest of it for a search.
pub struct Until<'a> {
    observer: &'a dyn Observer,
    end: Option<Instant>,
}

impl<'a> Until<'a> {
    /// Creates an observer for the work on tables for a move: it may take half of the time for the move, or a tenth of
    /// what a clock has left; any time without a time control.
    pub fn for_tables(pace: TimeMode, observer: &'a dyn Observer) -> Self {
        let time: Option<Duration> = match pace {
            TimeMode::Free | TimeMode::Endless => None,
            TimeMode::Each(time) => Some(time / 2),
            TimeMode::Clocks { own, .. } => Some(own.left / 10),
        };
        Self { observer, end: time.and_then(|time| Instant::now().checked_add(time)) }
    }

    /// Returns true if the time is over, but nobody has asked to stop.
    pub fn is_late(&self) -> bool {
        !self.observer.is_stopped() && self.is_over()
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}

impl Observer for Until<'_> {
    fn report(&self, progress: Progress<'_>) {
        self.observer.report(progress);
    }

    fn warn(&self, warning: &str) {
        self.observer.warn(warning);
    }

    fn is_stopped(&self) -> bool {
        self.observer.is_stopped() || self.is_over()
    }
}
