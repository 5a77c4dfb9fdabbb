use lucena_chess::Clock;
use std::time::Duration;

/// The number of moves that the remaining time is divided among.
const MOVES: u32 = 30;
/// The overhead of a move besides the search.
const MARGIN: Duration = Duration::from_millis(10);
/// The minimum time for a move.
pub const LEAST_TIME: Duration = Duration::from_millis(1);

/// The allocation of thinking time to moves.
///
/// ```
/// use lucena_search::TimeManager;
/// use std::time::Duration;
///
/// let mut manager = TimeManager::whole(Duration::from_secs(60));
/// let first = manager.for_move(None);
/// assert_eq!(first, Duration::from_millis(1990));
/// // The next move gets the time saved by this one.
/// manager.spent(first, Duration::from_millis(990));
/// assert_eq!(manager.for_move(None), Duration::from_millis(2990));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeManager {
    whole: Option<Duration>,
    each: Option<Duration>,
    saved: Duration,
}

impl TimeManager {
    /// A fixed time for every move.
    pub fn each(time: Duration) -> Self {
        Self { whole: None, each: Some(time), saved: Duration::ZERO }
    }

    /// A total time for thirty moves: each move gets a thirtieth of it plus the time saved by the
    /// move before, less a margin.
    pub fn whole(time: Duration) -> Self {
        Self { whole: Some(time), each: None, saved: Duration::ZERO }
    }

    /// The time for the next move. With a clock: a thirtieth of the time left plus the increment,
    /// at most half the time left, less a margin. If the time must last for a known number of moves, it is
    /// divided among these and one more.
    pub fn for_move(&self, clock: Option<Clock>) -> Duration {
        let time = match (clock, self.each, self.whole) {
            (Some(clock), ..) => {
                let moves = clock.moves_to_go.map_or(MOVES, |moves| moves.get().saturating_add(1));
                let wished = clock.left / moves + clock.increment;
                wished.min(clock.left / 2)
            }
            (None, Some(each), _) => return each.max(LEAST_TIME),
            (None, None, whole) => whole.unwrap_or_default() / MOVES + self.saved,
        };
        time.saturating_sub(MARGIN).max(LEAST_TIME)
    }

    /// Records how much of the time for a move was used.
    pub fn spent(&mut self, given: Duration, used: Duration) {
        self.saved = given.saturating_sub(used);
    }
}
