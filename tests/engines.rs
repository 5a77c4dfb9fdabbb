//! The UCI engine, and matches between engines.

mod matches;
mod syzygy;
mod uci;
