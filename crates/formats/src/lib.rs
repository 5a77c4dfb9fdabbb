//! Data sets in files: the file formats, data sets of several files (partitions), and the card that
//! describes a data set.

mod card;
mod format;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod partition;

pub use card::{Card, CardFiles};
pub use format::{Format, FormatError, FormattedRows};
pub use lucena_base::day::{Day, ParseDayError};
#[cfg(feature = "parquet")]
pub use partition::PartitionedRows;
