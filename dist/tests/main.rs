//! What the crate promises, with workers as processes and as threads.

mod child;
mod faults;
mod hosts;
mod results;
mod rounds;
mod speed;
mod toy;
