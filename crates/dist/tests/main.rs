//! The guarantees of the crate, with workers as processes and as threads.

#![allow(clippy::exit, clippy::print_stderr, clippy::print_stdout)]

mod child;
mod faults;
mod hosts;
mod results;
mod rounds;
mod speed;
mod toy;
