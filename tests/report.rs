//! Reports.

mod annotated;
mod confusion;
mod explain_strategy;
mod train;
mod watching;
