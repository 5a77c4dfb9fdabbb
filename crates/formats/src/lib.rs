//! Data sets in files: the file formats, partitions of several files, and the card that describes them.

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
