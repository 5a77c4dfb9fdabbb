//! A calendar day, to date data sets and games.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A calendar day, written `2026-01-31`.
///
/// ```
/// use lucena_base::day::Day;
///
/// assert_eq!("2028-02-29".parse::<Day>()?.to_string(), "2028-02-29");
/// assert!("2026-02-29".parse::<Day>().is_err() && "31.1.2026".parse::<Day>().is_err());
/// # Ok::<(), lucena_base::day::ParseDayError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    year: u16,
    month: u8,
    day: u8,
}

/// The error for a text that is not a day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a calendar day: write it as in 2026-01-31")]
pub struct ParseDayError(String);

impl Day {
    /// The day of a time, by UTC; `None` before 1970 and after 9999.
    ///
    /// ```
    /// use lucena_base::day::Day;
    /// use std::time::{Duration, UNIX_EPOCH};
    ///
    /// let billion = UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    /// assert_eq!(Day::from_time(billion).unwrap().to_string(), "2001-09-09");
    /// ```
    pub fn from_time(time: SystemTime) -> Option<Self> {
        let mut left = time.duration_since(UNIX_EPOCH).ok()?.as_secs() / SECONDS_OF_A_DAY;
        for year in 1970..=9999 {
            for month in 1..=12 {
                let length = u64::from(days(year, month));
                if left < length {
                    return Some(Self { year, month, day: left as u8 + 1 });
                }
                left -= length;
            }
        }
        None
    }
}

const SECONDS_OF_A_DAY: u64 = 24 * 60 * 60;

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:04}-{:02}-{:02}", self.year, self.month, self.day))
    }
}

impl FromStr for Day {
    type Err = ParseDayError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let day = || {
            let mut parts = text.splitn(3, '-');
            let mut part = || parts.next();
            let (year, month, day) = (part()?, part()?, part()?);
            let (year, month, day) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
            let known = Self { year, month, day };
            // Reject other spellings of the same day.
            ((1..=days(year, month)).contains(&day) && known.to_string() == text).then_some(known)
        };
        day().ok_or_else(|| ParseDayError(text.into()))
    }
}

/// The number of days of a month, or 0 if there is no such month.
fn days(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}
