use std::time::Duration;

/// A chess clock: the time a player has left for the rest of the game.
///
/// ```
/// use lucena_chess::Clock;
/// use std::time::Duration;
///
/// let mut clock: Clock = "60+0.5".parse()?;
/// assert!(clock.spend(Duration::from_secs(10)).is_ok());
/// assert_eq!(clock.left, Duration::from_millis(50_500));
/// assert!(clock.spend(Duration::from_secs(51)).is_err());
/// # Ok::<(), lucena_chess::ParseClockError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// The time left.
    pub left: Duration,
    /// The time added after each move.
    pub increment: Duration,
}

/// A player's time has run out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the time has run out")]
pub struct OutOfTime;

/// A text that is not a time control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a time control: write the seconds for the whole game, as in 60, or with the increment for each move, as in 60+0.5; the time must be positive"
)]
pub struct ParseClockError(String);

impl Clock {
    /// Subtracts the time of a move and adds the increment.
    ///
    /// # Errors
    /// If the move took longer than the time left; the clock is then set to zero.
    pub fn spend(&mut self, time: Duration) -> Result<(), OutOfTime> {
        let left = self.left.checked_sub(time);
        self.left = left.map_or(Duration::ZERO, |left| left + self.increment);
        left.map(|_| ()).ok_or(OutOfTime)
    }
}

impl std::str::FromStr for Clock {
    type Err = ParseClockError;

    /// Parses seconds for the game and the increment for each move, as in `60+0.5` or `60`.
    fn from_str(text: &str) -> Result<Self, ParseClockError> {
        let (whole, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |text: &str| {
            let seconds: f64 = text.parse().ok()?;
            Duration::try_from_secs_f64(seconds).ok().filter(|time| *time <= LONGEST)
        };
        let clock = seconds(whole).zip(seconds(increment));
        let clock = clock.map(|(left, increment)| Self { left, increment });
        clock.filter(|clock| !clock.left.is_zero()).ok_or_else(|| ParseClockError(text.into()))
    }
}

/// The maximum of both times: a year.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);
