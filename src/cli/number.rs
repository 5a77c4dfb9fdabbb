//! Options that take numbers. Their errors say what an option takes.

use clap::builder::TypedValueParser;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::ops::{RangeFrom, RangeFull, RangeInclusive};
use std::str::FromStr;
use std::time::Duration;

/// Parses a number, such as a seed.
pub(super) fn number<T: Number>(
    range: impl Into<NumberRange<T>>,
) -> impl TypedValueParser<Value = T> {
    parser(T::KIND.into(), range.into())
}

/// Parses a number of things, which are named in the plural.
pub(super) fn number_of<T: Number>(
    things: &str,
    range: impl Into<NumberRange<T>>,
) -> impl TypedValueParser<Value = T> {
    parser(format!("{} of {things}", T::KIND), range.into())
}

/// The longest time that can be requested: a day.
const MAX_SECONDS: f64 = 86_400.0;

/// Parses a time in seconds.
pub(super) fn seconds() -> impl TypedValueParser<Value = Duration> {
    number_of::<f64>("seconds", 0.0..=MAX_SECONDS).map(Duration::from_secs_f64)
}

/// A type of numbers that options take.
pub(super) trait Number:
    FromStr + PartialOrd + Copy + Display + Send + Sync + 'static
{
    /// The least number of the type.
    const LEAST: Self;
    /// The greatest number of the type.
    const GREATEST: Self;
    /// The name of such a number.
    const KIND: &'static str;
    /// True if the type has negative numbers.
    const HAS_SIGN: bool;
    /// A number to show as an example if it is in the range.
    const EXAMPLE: &'static str;
}

macro_rules! numbers {
    ($kind:literal, $has_sign:literal, $example:literal; $($number:ty)*) => {
        $(impl Number for $number {
            const LEAST: Self = Self::MIN;
            const GREATEST: Self = Self::MAX;
            const KIND: &'static str = $kind;
            const HAS_SIGN: bool = $has_sign;
            const EXAMPLE: &'static str = $example;
        })*
    };
}

numbers!("a whole number", false, "10"; u8 u16 u32 usize);
// These types are for what there can be much of, such as games.
numbers!("a whole number", false, "1000"; u64 NonZeroUsize);
numbers!("a number", true, "0.5"; f64);

/// The numbers from a least to a greatest one, both included.
#[derive(Clone)]
pub(super) struct NumberRange<T>(RangeInclusive<T>);

impl<T> From<RangeInclusive<T>> for NumberRange<T> {
    fn from(range: RangeInclusive<T>) -> Self {
        Self(range)
    }
}

impl<T: Number> From<RangeFrom<T>> for NumberRange<T> {
    fn from(range: RangeFrom<T>) -> Self {
        Self(range.start..=T::GREATEST)
    }
}

impl<T: Number> From<RangeFull> for NumberRange<T> {
    fn from(_: RangeFull) -> Self {
        Self(T::LEAST..=T::GREATEST)
    }
}

impl<T: Number> NumberRange<T> {
    /// The range in words, after the kind of number. An end that only the type sets is left out.
    fn words(&self) -> String {
        let (least, greatest) = (self.0.start(), self.0.end());
        match (*least == T::LEAST && T::HAS_SIGN, *greatest == T::GREATEST) {
            (true, true) => String::new(),
            (_, true) => format!(", {least} or more"),
            (_, false) => self.both_ends(),
        }
    }

    fn both_ends(&self) -> String {
        format!(" from {} to {}", self.0.start(), self.0.end())
    }

    fn example(&self) -> T {
        let example = T::EXAMPLE.parse().ok();
        example.filter(|example| self.0.contains(example)).unwrap_or(*self.0.start())
    }
}

/// Parses a number of a kind.
fn parser<T: Number>(kind: String, range: NumberRange<T>) -> impl TypedValueParser<Value = T> {
    move |text: &str| match text.parse() {
        Ok(number) if range.0.contains(&number) => Ok(number),
        Err(_) if is_greater_than_zero(text) => {
            Err(format!("it is too large: write {kind}{}", range.both_ends()))
        }
        _ => Err(format!("write {kind}{}, such as {}", range.words(), range.example())),
    }
}

/// Returns true if a text consists of digits, not all of them zeros. A type that cannot hold such a number
/// is too small for it.
fn is_greater_than_zero(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.bytes().any(|byte| byte != b'0')
}
