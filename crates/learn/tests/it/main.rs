//! Data sets, their formats, and what is learned from them, compared with what others publish and with plain versions.

mod crossvalidation;
mod dataset;
mod division;
mod formats;
mod krkopt;
mod labels;
mod learn;
mod prune;
mod sufficiency;
