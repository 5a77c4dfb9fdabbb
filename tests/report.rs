//! Reports.

mod annotated;
mod confusion;
mod explain_measure;
mod explain_strategy;
mod probe;
mod progress;
mod train;
mod verdicts;
