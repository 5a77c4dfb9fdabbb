//! The guarantees of the crate, with workers as processes and as threads.

mod child;
mod faults;
mod hosts;
mod results;
mod rounds;
mod speed;
mod toy;
