//! Reports.

mod annotated;
mod confusion;
mod explain_measure;
mod explain_strategy;
mod progress;
mod train;
