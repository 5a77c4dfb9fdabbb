//! Data sets in files: the file formats, data sets of several files (partitions), and the card that
//! describes a data set.

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
