use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

/// A chess clock: the time a player has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// The time left.
    pub left: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// The number of moves for which the time must last, before more is added; `None` for the rest of the
    /// game.
    pub moves_to_go: Option<NonZeroU32>,
}

/// A time control: the time of each player for a game, or for a number of moves again and again, and an
/// increment for each move.
///
/// A control is written in seconds, as in `60`, `60+0.5` and, for each forty moves, `40/60+1`. This is how PGN writes
/// it. The time can also be read as minutes and seconds, as in `1:30`.
///
/// ```
/// use lucena_chess::TimeControl;
/// use std::time::Duration;
///
/// let control: TimeControl = "2/1:00+0.5".parse()?;
/// let mut clock = control.start();
/// assert!(control.spend(&mut clock, Duration::from_secs(10)).is_ok());
/// assert_eq!(clock.left, Duration::from_millis(50_500));
/// // The second move brings the time for the next two.
/// assert!(control.spend(&mut clock, Duration::from_secs(50)).is_ok());
/// assert_eq!(clock.left, Duration::from_secs(61));
/// assert!(control.spend(&mut clock, Duration::from_secs(62)).is_err());
/// assert_eq!(control.to_string(), "2/60+0.5");
/// # Ok::<(), lucena_chess::ParseTimeControlError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    moves: Option<NonZeroU32>,
    time: Duration,
    increment: Duration,
}

/// A player's time has run out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the time has run out")]
pub struct OutOfTime;

/// A text that is not a time control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a time control: write the time for the whole game in seconds, as in 60, or in minutes and seconds, as in 1:30; with an increment for each move, as in 60+0.5; or for a number of moves again and again, as in 40/60+1; the time must be positive, and at most a year"
)]
pub struct ParseTimeControlError(String);

impl TimeControl {
    /// The clock at the start of a game.
    pub fn start(&self) -> Clock {
        Clock { left: self.time, increment: self.increment, moves_to_go: self.moves }
    }

    /// Subtracts the time of a move from a clock of this control, and adds the increment and, if it was the
    /// last move of a period, the time of the next period.
    ///
    /// # Errors
    /// If the move took longer than the time left; the clock is then set to zero.
    pub fn spend(&self, clock: &mut Clock, time: Duration) -> Result<(), OutOfTime> {
        let Some(left) = clock.left.checked_sub(time) else {
            clock.left = Duration::ZERO;
            return Err(OutOfTime);
        };
        clock.left = left.saturating_add(self.increment);
        if let Some(moves) = clock.moves_to_go {
            clock.moves_to_go = NonZeroU32::new(moves.get() - 1);
            if clock.moves_to_go.is_none() {
                clock.left = clock.left.saturating_add(self.time);
                clock.moves_to_go = self.moves;
            }
        }
        Ok(())
    }
}

impl std::str::FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let control = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(digits(moves)?.parse().ok()?), rest),
                None => (None, text),
            };
            let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let (time, increment) = (minutes_and_seconds(time)?, seconds(increment)?);
            (!time.is_zero()).then_some(Self { moves, time, increment })
        };
        control().ok_or_else(|| ParseTimeControlError(text.into()))
    }
}

impl fmt::Display for TimeControl {
    /// Writes the control in seconds, as PGN does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// The maximum of both times: a year.
const MAX_TIME: Duration = Duration::from_secs(365 * 24 * 3600);

/// Parses seconds, as in `90`, or whole minutes and less than sixty seconds, as in `1:30`.
fn minutes_and_seconds(text: &str) -> Option<Duration> {
    let Some((minutes, rest)) = text.split_once(':') else { return seconds(text) };
    let minutes: u32 = digits(minutes)?.parse().ok()?;
    let rest = seconds(rest).filter(|rest| *rest < Duration::from_secs(60))?;
    let time = Duration::from_secs(60 * u64::from(minutes)) + rest;
    (time <= MAX_TIME).then_some(time)
}

/// Parses seconds with or without a fraction.
fn seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    digits(whole)?;
    digits(fraction)?;
    Duration::try_from_secs_f64(text.parse().ok()?).ok().filter(|time| *time <= MAX_TIME)
}

/// The text itself if it consists of digits.
fn digits(text: &str) -> Option<&str> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(text)
}
