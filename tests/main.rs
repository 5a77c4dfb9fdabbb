//! The tests that need the program or many crates; the others are in their crates.
//!
//! Expected values come from outside: published counts and hashes, the rules as implemented by cozy-chess, cases
//! in `tests/data`, and slow plain versions of the same work in `tests/support`. To add a case, add a line to a
//! file of `tests/data`.

mod cli;
mod codegen;
mod docs;
mod engines;
mod page;
mod report;
mod schema;
mod structure;
