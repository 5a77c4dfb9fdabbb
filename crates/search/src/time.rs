use lucena_chess::Clock;
use std::time::Duration;

/// How many moves the time that is left is thought to be for.
const MOVES: u32 = 30;
/// What a move takes besides the search.
const MARGIN: Duration = Duration::from_millis(10);
/// A move gets no less.
const LEAST: Duration = Duration::from_millis(1);

/// How long to think about a move.
///
/// ```
/// use lucena::search::TimeControl;
/// use std::time::Duration;
///
/// let mut control = TimeControl::whole(Duration::from_secs(60));
/// let first = control.for_move(None);
/// assert_eq!(first, Duration::from_millis(1990));
/// // What a move leaves over, the next one has.
/// control.spent(first, Duration::from_millis(990));
/// assert_eq!(control.for_move(None), Duration::from_millis(2990));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    whole: Option<Duration>,
    each: Option<Duration>,
    saved: Duration,
}

impl TimeControl {
    /// The same time for every move.
    pub fn each(time: Duration) -> Self {
        Self { whole: None, each: Some(time), saved: Duration::ZERO }
    }

    /// A whole time for thirty moves: a move gets a thirtieth of it, what earlier moves saved, and less
    /// a margin.
    pub fn whole(time: Duration) -> Self {
        Self { whole: Some(time), each: None, saved: Duration::ZERO }
    }

    /// The time for the next move. A clock goes before everything else: a thirtieth of what is left,
    /// the increment, less a margin, and never more than is left.
    pub fn for_move(&self, clock: Option<Clock>) -> Duration {
        let time = match (clock, self.each, self.whole) {
            (Some(clock), ..) => {
                let wished = clock.left / MOVES + clock.increment;
                wished.min(clock.left / 2)
            }
            (None, Some(each), _) => return each.max(LEAST),
            (None, None, whole) => whole.unwrap_or_default() / MOVES + self.saved,
        };
        time.saturating_sub(MARGIN).max(LEAST)
    }

    /// Tells what of the time for a move was used.
    pub fn spent(&mut self, given: Duration, used: Duration) {
        self.saved = given.saturating_sub(used);
    }
}
