//! Test cases, plain versions and solved endgames that the tests of several crates share.
//!
//! Expected values come from outside: published counts and hashes, the rules as implemented by cozy-chess, cases
//! in `tests/data`, and slow plain versions of the same work. To add a case, add a line to a file of
//! `tests/data`.

pub mod cases;
pub mod observers;
pub mod programs;
#[cfg(feature = "proofs")]
pub mod proofs;
#[cfg(feature = "tables")]
pub mod reference_attributes;
#[cfg(feature = "tables")]
mod reference_concepts;
#[cfg(feature = "tables")]
mod reference_fight;
#[cfg(feature = "tables")]
pub mod reference_measures;
pub mod reference_rules;
pub mod signals;
#[cfg(feature = "tables")]
pub mod table_files;
#[cfg(feature = "tables")]
pub mod tables;
#[cfg(feature = "tables")]
pub mod trees;
