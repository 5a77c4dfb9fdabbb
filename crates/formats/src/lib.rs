//! Rows in files: the formats in which data sets are handed on, in one file or in parts, and their card.

mod card;
mod day;
mod format;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod partition;

pub use card::{Card, CardFiles};
pub use day::{Day, ParseDayError};
pub use format::{Format, FormatError, FormattedRows};
#[cfg(feature = "parquet")]
pub use partition::PartitionedRows;
