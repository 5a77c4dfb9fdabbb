//! Rows in files: the formats in which data sets are handed on, in one file or in parts, and their card.

mod card;
mod day;
mod format;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod parts;

pub use card::{Card, Files};
pub use day::{Day, ParseDayError};
pub use format::{Format, FormatError, Layout};
#[cfg(feature = "parquet")]
pub use parts::Parts;
